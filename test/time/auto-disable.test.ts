import { buildAttempt, buildDataPath, ownType, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';

// ENDPOINT_AUTO_DISABLE_AFTER: an endpoint that only fails for that long is disabled, which holds its events.

const DAY_MS = 86_400_000;

const path = useDataPath({ env: { ENDPOINT_AUTO_DISABLE_AFTER: '5d' } });
const receiver = useReceiver(500);
let type: string;
let id: string;

beforeEach(async () => {
  type = ownType();
  id = await path.endpoint(receiver.url, type);
});

const endpoint = () => path.parts.stores.endpoints.find(id);
const now = () => path.parts.stores.dispatch.now();

/** Lets time pass: the first failure moves back. */
async function failedFor(ms: number): Promise<void> {
  await path.endpoints.updateOne({ _id: id }, [{ $set: { failing_since: { $subtract: ['$$NOW', ms] } } }]);
}

it("the first failure is recorded, and later failures don't change it", async () => {
  const before = await now();
  await path.attempt(type);
  const { failing_since: since } = (await endpoint())!;
  expect(since!.getTime()).toBeGreaterThanOrEqual(before.getTime());
  expect(since!.getTime()).toBeLessThanOrEqual((await now()).getTime());

  await path.attempt(type);
  expect(await endpoint()).toMatchObject({ status: 'active', failing_since: since });
});

it('a failure after five days of failures disables the endpoint; its events are held, not lost', async () => {
  await failedFor(5 * DAY_MS);
  await path.attempt(type);
  expect(await endpoint()).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });

  const { ref } = await path.promise(type);
  expect(await path.executor().attemptDelivery(buildAttempt(ref))).toEqual({ kind: 'held', reason: 'disabled' });
  expect(await path.destination(ref)).toMatchObject({ state: 'pending', attempt_count: 0 });
});

it('less than five days of failures disable nothing', async () => {
  await failedFor(5 * DAY_MS - 60_000);
  await path.attempt(type);
  expect((await endpoint())!.status).toBe('active');
});

it('one success resets the count', async () => {
  await failedFor(5 * DAY_MS);
  receiver.answerWith(200);
  await path.attempt(type);
  expect((await endpoint())!.failing_since).toBeUndefined();

  receiver.answerWith(500);
  await path.attempt(type);
  expect((await endpoint())!.status).toBe('active');
});

it('a success resets the count too if its process does not know of the first failure', async () => {
  const known = await endpoint();
  await path.attempt(type);
  receiver.answerWith(200);
  const { ref } = await path.promise(type);
  await path.executor({ endpoints: { find: () => Promise.resolve(known) } }).attemptDelivery(buildAttempt(ref));
  await path.parts.answerLog.flush();
  await failedFor(5 * DAY_MS);

  receiver.answerWith(500);
  await path.attempt(type);
  expect((await endpoint())!.status).toBe('active');
});

it.each([
  ['an endpoint paused meanwhile stays paused', { $set: { status: 'paused' } }, 'paused'],
  ['a success recorded by another worker meanwhile wins', { $unset: { failing_since: true } }, 'active'],
] as const)('%s', async (_title, change, status) => {
  await failedFor(5 * DAY_MS);
  receiver.answerWith(async () => {
    await path.endpoints.updateOne({ _id: id }, change);
    return 500;
  });
  await path.attempt(type);
  expect((await endpoint())!.status).toBe(status);
});

it('without the setting no failure is recorded: the specification delivers every event', async () => {
  const own = await buildDataPath({ of: path });
  try {
    await own.attempt(type);
    expect(await endpoint()).not.toHaveProperty('failing_since');
  } finally {
    await own.close();
  }
});
