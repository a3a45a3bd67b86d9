import { statSync } from 'node:fs';
import { get } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { makeCertificate, openCertificate } from '../../dev/certificate';
import { startInbox, type Inbox } from '../../dev/inbox';
import { composeBody, generateSigningSecret, signDelivery } from '../../src/sender/signature';
import { useTemporaryFolder } from '../support/temporary-folder';

const folder = useTemporaryFolder();
const secret = generateSigningSecret();
let ca: string;
let inbox: Inbox;

beforeEach(async () => {
  const certificate = await makeCertificate();
  ca = certificate.cert;
  inbox = await startInbox({
    preferredPort: 0,
    certificate,
    secretsFor: async (eventId) => (eventId === 7 ? [generateSigningSecret(), secret] : []),
  });
});
afterEach(() => inbox.close());

function post(path: string, headers: Record<string, string>, body: Buffer | string, trusted = ca): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      new URL(path, inbox.endpointUrl),
      { method: 'POST', headers, ca: trusted, agent: false },
      (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode!));
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

function sign(body: Buffer, eventId = 7): Record<string, string> {
  return signDelivery({
    secrets: { current: secret },
    body,
    eventId,
    eventType: 'order.created',
    timestampSeconds: 1_700_000_000,
  });
}

async function shown(): Promise<{ signature: string; body: string; path: string; answered: number }[]> {
  // The verdict follows the answer by a tick.
  await new Promise((resolve) => setImmediate(resolve));
  return (await (await fetch(`${inbox.pageUrl}requests`)).json()) as never;
}

const body = composeBody({
  id: 7,
  type: 'order.created',
  data: Buffer.from('{"n":12345678901234567890}'),
  timestamp: 1_700_000_000,
});

describe('the inbox', () => {
  it('shows a delivery byte for byte, with its signature verified', async () => {
    expect(await post('/', sign(body), body)).toBe(200);
    expect(await shown()).toMatchObject([{ path: '/', answered: 200, body: body.toString(), signature: 'verified' }]);
  });

  it.each([
    ['wrong', 'another body', sign(Buffer.from('{}'))],
    ['missing', 'no signature', { 'X-Webhook-ID': '7' }],
    ['unknown', 'an unknown event', sign(body, 8)],
    ['unknown', 'a malformed id', { ...sign(body), 'X-Webhook-ID': 'x' }],
  ])('calls the signature %s for %s', async (verdict, _what, headers) => {
    await post('/', headers, body);
    expect((await shown())[0]!.signature).toBe(verdict);
  });

  it('answers the status that the path asks for', async () => {
    expect(await post('/status/503', sign(body), body)).toBe(503);
    expect(await post('/anything/else', sign(body), body)).toBe(200);
    expect((await shown()).map(({ answered }) => answered)).toEqual([200, 503]);
  });

  it('keeps the last 200', async () => {
    for (let index = 0; index < 205; index += 1) await post('/', {}, String(index));
    const bodies = (await shown()).map((entry) => entry.body);
    expect(bodies).toHaveLength(200);
    expect([bodies[0], bodies[199]]).toEqual(['204', '5']);
  });

  it('refuses a body larger than any delivery', async () => {
    expect(await post('/', {}, Buffer.alloc(1024 * 1024 + 1)).catch(() => 413)).toBe(413);
    expect(await shown()).toEqual([]);
  });

  it('shows foreign content as text, never as markup', async () => {
    await post(
      '/<b>',
      { 'X-Webhook-Type': '<script>1</script>', 'X-Webhook-Id': '"><img>' },
      '<script>alert(1)</script>',
    );
    const page = await fetch(inbox.pageUrl);
    const html = await page.text();
    expect(html).not.toMatch(/<script|<img|<b>/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('refuses requests under another host name', async () => {
    const status = await new Promise((resolve, reject) => {
      const headers = { Host: 'rebound.example' };
      get(inbox.pageUrl, { headers, agent: false }, (answer) => resolve(answer.resume().statusCode)).once(
        'error',
        reject,
      );
    });
    expect(status).toBe(421);
  });

  it('accepts deliveries over HTTPS only', async () => {
    const answer = await fetch(inbox.pageUrl, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(400);
  });

  it('uses another port when its own is in use', async () => {
    const certificate = await makeCertificate();
    const second = await startInbox({ preferredPort: inbox.port, certificate, secretsFor: async () => [] });
    expect(second.port).not.toBe(inbox.port);
    await second.close();
  });
});

describe('its certificate', () => {
  it('is trusted only by clients that were configured to', async () => {
    const stranger = await makeCertificate();
    await expect(post('/', {}, '{}', stranger.cert)).rejects.toThrow(/certificate/);
  });

  it('stays the same in a data folder, readable by its owner only', async () => {
    const first = await openCertificate(join(folder(), 'inbox'));
    const again = await openCertificate(join(folder(), 'inbox'));
    expect(again).toEqual(first);
    expect(statSync(join(folder(), 'inbox', 'key.pem')).mode & 0o777).toBe(0o600);
  });
});
