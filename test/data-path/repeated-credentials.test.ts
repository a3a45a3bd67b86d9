import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ownType, useDataPath } from '../support/build-data-path';
import { useFixture } from '../support/fixture';

// Receivers whose error pages repeat the request, as debug pages do: what they repeat of our credentials is not stored.

const path = useDataPath();
const PASSWORD = 'geheim-päss/+"word';
const TENANT = 'tenant/"blue"<7>';
const OPTIONS = {
  headers: { 'X-Tenant': TENANT, 'X-Other': 'Bearer 0123456789abcdef' },
  authentication: { type: 'basic', username: 'everpost', password: PASSWORD },
} as const;
let secret: string;

type Repeat = (headers: IncomingHttpHeaders) => { headers?: Record<string, string>; body?: string };
let repeat: Repeat;

const receiver = useFixture(
  'file',
  async () => {
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        const { headers = {}, body = '' } = repeat(request.headers);
        response.writeHead(401, headers).end(body);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
  },
  async ({ server }: { server: Server }) => server.close(),
);

/** The end of each credential, which every encoding of a whole one would keep. */
const TRACES = [PASSWORD, TENANT, '0123456789abcdef'].flatMap((text) =>
  [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text)].map((each) => each.slice(-8)),
);

async function recordOf(how: Repeat): Promise<string> {
  repeat = how;
  const type = ownType();
  const id = await path.endpoint(receiver.url, type, OPTIONS);
  const endpoint = await path.parts.stores.endpoints.find(id);
  secret = path.parts.secretBox.open(endpoint!.secret, id);
  const { ref } = await path.promise(type);
  await path.executor().attemptDelivery({ ...ref, run: 1, number: 1, trigger: 'scheduled', nextDelayMs: 60_000 });
  const health = await path.parts.stores.health.find([id]);
  return JSON.stringify([(await path.history(ref.eventId))[0]!.answer, health]);
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

it.each<[string, Repeat]>([
  ['the headers as JSON', (headers) => ({ body: JSON.stringify(headers) })],
  ['a header under another name', (headers) => ({ headers: { 'X-Received': String(headers['x-other']) } })],
  [
    'credentials in Location',
    (headers) => ({ headers: { Location: `/login?a=${encodeURIComponent(headers.authorization!)}` } }),
  ],
  [
    'credentials in a challenge',
    () => ({ headers: { 'WWW-Authenticate': `Basic realm="not ${base64(`everpost:${PASSWORD}`)}"` } }),
  ],
  [
    'a header that the end of the snippet cuts',
    (headers) => ({ body: `${'.'.repeat(1_024 - 12)}${String(headers['x-tenant'])}` }),
  ],
])('a receiver repeats %s: the record has nothing of it', async (_name, how) => {
  const record = await recordOf(how);

  expect(record).toContain('[hidden]');
  for (const trace of TRACES) expect(record).not.toContain(trace);
  expect(record).not.toContain(base64(`everpost:${PASSWORD}`).slice(12, 24));
  expect(record).not.toContain('tenant/');
});

it('a receiver repeats its signing secret: the record has nothing of it', async () => {
  const record = await recordOf(() => ({
    headers: { 'X-Debug': secret.slice('whsec_'.length) },
    body: `expected HMAC with ${secret} or ${Buffer.from(secret.slice(6), 'base64').toString('hex')}`,
  }));

  expect(record).toContain('expected HMAC with [hidden] or [hidden]');
  expect(record).not.toContain(secret.slice(10, 30));
});
