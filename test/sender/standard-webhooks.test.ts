import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { composeBody, generateSigningSecret, signDelivery, verifySignature } from '../../src/sender/signature';
import { openStage, type Stage } from './receivers';

let stage: Stage;
beforeAll(async () => (stage = await openStage()));
afterEach(() => stage.closeAll());

const DATA = Buffer.from('{"n":12345678901234567890,"x":1.0,"b":1,"a":2,"2":0,"1":0,"text":"é\\u00e9"}');

/** Delivers one event over real HTTPS and gives what the receiver's code sees. */
async function deliver(secrets: { current: string; next?: string }) {
  let headers: IncomingHttpHeaders = {};
  const chunks: Buffer[] = [];
  const receiver = await stage.https((request, response) => {
    headers = request.headers;
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.writeHead(204).end());
  });
  const body = composeBody({ id: 7, type: 'order.created', data: DATA, timestamp: 1_700_000_000 });
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const signed = signDelivery({ secrets, body, eventId: 7, eventType: 'order.created', timestampSeconds });

  const result = await stage.sender().send({ url: receiver.url, headers: signed, body });

  expect(result).toMatchObject({ succeeded: true, statusCode: 204 });
  return { headers: headers as Record<string, string>, body: Buffer.concat(chunks) };
}

test('an unmodified Standard Webhooks library verifies a real delivery', async () => {
  const secret = generateSigningSecret();
  const { headers, body } = await deliver({ current: secret });

  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    id: 7,
    type: 'order.created',
    timestamp: 1_700_000_000,
  });
  expect(() => new Webhook(generateSigningSecret()).verify(body, headers)).toThrow('No matching signature');
});

test("the specification's own check verifies it too, and data has the caller's bytes", async () => {
  const secret = generateSigningSecret();
  const { headers, body } = await deliver({ current: secret });

  expect(verifySignature(secret, body, headers['x-webhook-signature'])).toBe(true);
  expect(headers).toMatchObject({
    'content-type': 'application/json',
    'x-webhook-id': '7',
    'x-webhook-type': 'order.created',
    'webhook-id': '7',
  });
  expect(headers['x-webhook-timestamp']).toBe(headers['webhook-timestamp']);
  expect(body.includes(DATA)).toBe(true);
});

test('during a rotation, either secret verifies, both ways', async () => {
  const secrets = { current: generateSigningSecret(), next: generateSigningSecret() };
  const { headers, body } = await deliver(secrets);

  for (const secret of [secrets.current, secrets.next]) {
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ id: 7 });
  }
  expect(verifySignature(secrets.current, body, headers['x-webhook-signature'])).toBe(true);
  expect(verifySignature(secrets.next, body, headers['x-webhook-signature-next'])).toBe(true);
});
