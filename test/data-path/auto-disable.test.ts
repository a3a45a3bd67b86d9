import type { Endpoint } from '../../src/endpoints/store';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { buildAttempt, buildDataPath, type DataPath } from '../support/build-data-path';

// ENDPOINT_AUTO_DISABLE_AFTER: an endpoint that only fails for that long is disabled, which holds its events.

const DAY_MS = 86_400_000;

let path: DataPath;
let receiver: Receiver;
let type: string;

beforeAll(async () => {
  path = await buildDataPath({ env: { ENDPOINT_AUTO_DISABLE_AFTER: '5d' } });
});

afterAll(() => path?.close());

beforeEach(async () => {
  receiver = await buildReceiver(500);
  type = `failing.t${Math.random().toString(36).slice(2)}`;
});

afterEach(() => receiver.close());

async function attemptOnce(): Promise<void> {
  await path.executor().attemptDelivery(buildAttempt((await path.promise(type)).ref));
}

function endpoint(id: string): Promise<Endpoint | null> {
  return path.parts.stores.endpoints.find(id);
}

/** Lets time pass: the first failure moves back. */
async function failedSince(id: string, agoMs: number): Promise<void> {
  const since = new Date(Date.now() - agoMs);
  await path.mongo.db.collection<Endpoint>('endpoints').updateOne({ _id: id }, { $set: { failing_since: since } });
}

test('the first failure is noted, and the ones after it change nothing', async () => {
  const id = await path.endpoint(receiver.url, type);
  await attemptOnce();
  const { failing_since: since } = (await endpoint(id))!;
  expect(Math.abs(since!.getTime() - Date.now())).toBeLessThan(10_000);

  await attemptOnce();
  expect(await endpoint(id)).toMatchObject({ status: 'active', failing_since: since });
});

test('a failure after five days of failures disables it; its events wait and are not lost', async () => {
  const id = await path.endpoint(receiver.url, type);
  await failedSince(id, 5 * DAY_MS);
  await attemptOnce();
  expect(await endpoint(id)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });

  const { ref } = await path.promise(type);
  expect(await path.executor().attemptDelivery(buildAttempt(ref))).toEqual({ kind: 'held' });
  expect(await path.destination(ref)).toMatchObject({ state: 'pending', attempt_count: 0 });
});

test('less than five days are not enough', async () => {
  const id = await path.endpoint(receiver.url, type);
  await failedSince(id, 5 * DAY_MS - 30_000);
  await attemptOnce();
  expect((await endpoint(id))!.status).toBe('active');
});

test('one success begins the count anew', async () => {
  const id = await path.endpoint(receiver.url, type);
  await failedSince(id, 5 * DAY_MS);
  receiver.answerWith(200);
  await attemptOnce();
  expect((await endpoint(id))!.failing_since).toBeUndefined();

  receiver.answerWith(500);
  await attemptOnce();
  expect((await endpoint(id))!.status).toBe('active');
});

test('an endpoint that somebody paused meanwhile stays paused', async () => {
  const id = await path.endpoint(receiver.url, type);
  await failedSince(id, 5 * DAY_MS);
  const endpoints = path.mongo.db.collection<Endpoint>('endpoints');
  receiver.answerWith(async () => {
    await endpoints.updateOne({ _id: id }, { $set: { status: 'paused' } });
    return 500;
  });
  await attemptOnce();
  expect((await endpoint(id))!.status).toBe('paused');
});

test('a success that comes while a failure is judged wins', async () => {
  const id = await path.endpoint(receiver.url, type);
  await failedSince(id, 5 * DAY_MS);
  const endpoints = path.mongo.db.collection<Endpoint>('endpoints');
  receiver.answerWith(async () => {
    // What another worker notes.
    await endpoints.updateOne({ _id: id }, { $unset: { failing_since: true } });
    return 500;
  });
  await attemptOnce();
  expect((await endpoint(id))!.status).toBe('active');
});

test('without the setting nothing is noted: the specification delivers every event', async () => {
  const own = await buildDataPath({ of: path });
  try {
    const id = await path.endpoint(receiver.url, type);
    await own.executor().attemptDelivery(buildAttempt((await path.promise(type)).ref));
    expect(await endpoint(id)).not.toHaveProperty('failing_since');
  } finally {
    await own.close();
  }
});
