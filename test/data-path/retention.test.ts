import { ConfigError, loadConfig } from '../../src/config';
import { createOrphanRemoval } from '../../src/events/remove-orphans';
import { createRetentionStore } from '../../src/events/retention-store';
import { createLogger } from '../../src/platform/logger';
import { createMongo, type Mongo } from '../../src/platform/mongo';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { testServers } from '../support/servers';
import { buildAttempt, buildDataPath, type DataPath } from '../support/build-data-path';

const DAY_MS = 86_400_000;

let path: DataPath;
let receiver: Receiver;
let admin: Mongo;

beforeAll(async () => {
  // MongoDB's own expiry, once a second instead of once a minute, after the minute that is under way.
  admin = createMongo(testServers().mongodbUri);
  await admin.client.db('admin').command({ setParameter: 1, ttlMonitorSleepSecs: 1 });
  [path, receiver] = await Promise.all([buildDataPath(), buildReceiver()]);
});

afterAll(async () => {
  await path?.close();
  await receiver?.close();
  await admin?.close();
});

/** The store of a process that is configured otherwise: shorter than any setting allows. */
const keeping = (retentionMs: number) => createRetentionStore(path.mongo.db, retentionMs);
const exists = async (id: number): Promise<boolean> => (await path.parts.stores.events.find(id)) !== null;
const attemptsOf = (id: number): Promise<number> =>
  path.mongo.db.collection('attempts').countDocuments({ event_id: id });

async function expiryOfIndex(): Promise<unknown> {
  const indexes = await path.mongo.db.collection('events').indexes();
  return indexes.find(({ name }) => name === 'retention')?.['expireAfterSeconds'];
}

/** An event whose only delivery was answered. */
async function delivered(type: string) {
  const promised = await path.promise(type);
  expect(await path.executor().attemptDelivery(buildAttempt(promised.ref))).toMatchObject({ succeeded: true });
  return promised;
}

async function removeAllOrphans(): Promise<void> {
  const store = keeping(DAY_MS);
  for (let after: number | null = 0; after !== null; after = (await store.removeOrphans({ after, limit: 3 })).next);
}

test('an event expires when its last delivery finished so long ago; unfinished and replayed ones are kept', async () => {
  await path.endpoint(receiver.url, 'retention.*');
  const [done, replayed] = [await delivered('retention.done'), await delivered('retention.replayed')];
  const waiting = await path.promise('retention.waiting');
  const failing = await path.promise('retention.failing');
  receiver.answerWith(500);
  await path.executor().attemptDelivery(buildAttempt(failing.ref));
  receiver.answerWith(200);
  const unmatched = await path.promise('nobody.wants.it');
  const again = await path.parts.stores.deliveries.replay(replayed.ref);
  expect(again).not.toBeNull();

  await keeping(1_000).ensureIndexes();
  await eventually(
    async () => [await exists(done.id), await exists(unmatched.id)],
    (left) => !left.includes(true),
    90_000,
  );
  expect([await exists(replayed.id), await exists(waiting.id), await exists(failing.id)]).toEqual([true, true, true]);

  // The attempts follow their event, and not before it.
  await removeAllOrphans();
  expect([await attemptsOf(done.id), await attemptsOf(replayed.id), await attemptsOf(failing.id)]).toEqual([0, 1, 1]);

  await path.executor().attemptDelivery(buildAttempt(again!));
  await eventually(
    () => exists(replayed.id),
    (is) => !is,
    90_000,
  );
  await removeAllOrphans();
  expect(await attemptsOf(replayed.id)).toBe(0);
  expect([await exists(waiting.id), await exists(failing.id)]).toEqual([true, true]);
}, 150_000);

test('a changed setting changes the index, and stores that agree change nothing', async () => {
  await keeping(30 * DAY_MS).ensureIndexes();
  expect(await expiryOfIndex()).toBe(30 * 86_400);
  await Promise.all([keeping(2 * DAY_MS).ensureIndexes(), keeping(2 * DAY_MS).ensureIndexes()]);
  expect(await expiryOfIndex()).toBe(2 * 86_400);
  await path.parts.ensureIndexes();
  expect(await expiryOfIndex()).toBe(30 * 86_400);
  await delivered('retention.kept');
});

test('one worker at a time removes what expired events leave behind, and goes on where it was', async () => {
  const attempts = path.mongo.db.collection<{ _id: string }>('attempts');
  const orphans = Array.from({ length: 2_500 }, (_, index) => ({ _id: `${index}/1/1`, event_id: 5_000_000 + index }));
  await attempts.insertMany(orphans);
  const logger = createLogger('silent');
  const { retention, dispatch } = path.parts.stores;
  const workers = ['a', 'b'].map((owner) =>
    createOrphanRemoval({ retention, dispatch, logger, owner, intervalMs: 50 }),
  );
  try {
    const left = await eventually(
      () => attempts.countDocuments({ event_id: { $gte: 5_000_000 } }),
      (count) => count === 0,
    );
    expect(left).toBe(0);
  } finally {
    for (const worker of workers) await worker.close();
  }
});

test('less than 48 hours is refused: a key must not bring back a delivered event', () => {
  expect(() => loadConfig({ RETENTION: '47h' })).toThrow(ConfigError);
  expect(() => loadConfig({ RETENTION: '47h' })).toThrow(/RETENTION: must be at least 48h/);
  expect(loadConfig({ RETENTION: '48h' }).retentionMs).toBe(2 * DAY_MS);
  expect(loadConfig({}).retentionMs).toBe(30 * DAY_MS);
});
