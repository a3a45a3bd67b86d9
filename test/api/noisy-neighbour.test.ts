import { apiClient } from '../support/api-client';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { buildStack, type Stack } from '../support/build-stack';

const RECEIVERS_THAT_HANG = 5;
const EVENTS = 200;
/** A delivery that waits for a slot which a hanging request holds, waits for 30 s; on a busy machine others take seconds. */
const SOON_MS = 15_000;

let stack: Stack;
let answer: () => void;
let hanging: Receiver[];
let healthy: Receiver;

beforeAll(async () => {
  stack = await buildStack();
  await stack.role.workerReady;
  const answered = new Promise<number>((resolve) => (answer = () => resolve(200)));
  hanging = await Promise.all(Array.from({ length: RECEIVERS_THAT_HANG }, () => buildReceiver(() => answered)));
  healthy = await buildReceiver();
});

afterAll(async () => {
  answer();
  await stack?.close();
  await Promise.all([...hanging, healthy].map((receiver) => receiver.close()));
});

test("a thousand deliveries of a tenant whose receivers hang don't hold up another tenant's", async () => {
  const noisy = apiClient(stack.url, (await stack.account({ tier: 'business' })).key);
  for (const { url } of hanging) await noisy.post('/api/v1/webhooks/endpoints', { url });
  const quiet = apiClient(stack.url, (await stack.account({ tier: 'business' })).key);
  await quiet.post('/api/v1/webhooks/endpoints', { url: healthy.url });

  const batch = { events: Array.from({ length: EVENTS / 2 }, (_, n) => ({ type: 'order.created', data: { n } })) };
  for (let half = 0; half < 2; half += 1) {
    expect((await noisy.post('/api/v1/webhooks/events/batch', batch)).status).toBe(207);
  }
  const sentAt: number[] = [];
  for (let n = 0; n < 20; n += 1) {
    sentAt.push(Date.now());
    expect((await quiet.post('/api/v1/webhooks/events', { type: 'order.created', data: { n } })).status).toBe(202);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }

  const arrived = await healthy.waitFor(20, SOON_MS);
  const lags = arrived.map(({ at, body }) => at - sentAt[JSON.parse(body.toString()).data.n]!);
  expect(Math.max(...lags)).toBeLessThan(SOON_MS);
  // It was loud enough: every receiver that hangs has requests under way.
  for (const { requests } of hanging) expect(requests.length).toBeGreaterThan(4);
  expect(hanging.reduce((sum, { requests }) => sum + requests.length, 0)).toBeLessThan(EVENTS * RECEIVERS_THAT_HANG);
});
