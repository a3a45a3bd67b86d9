import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '../../src/config';
import { createOrphanRemoval } from '../../src/events/remove-orphans';
import { createRetentionStore } from '../../src/stores/retention-store';
import { startMongod } from '../../dev/mongod';
import { makeThrowawayFolder } from '../../dev/servers';
import { createLogger } from '../../src/platform/logger';
import { buildAttempt, buildDataPath, type DataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { serverBinary } from '../support/server-binary';
import { onProgress } from '../support/servers';

const DAY_MS = 86_400_000;

const path = useFixture('file', buildOwnPath, (built) => built.close());
const receiver = useReceiver();

/** A data path on a mongod that looks for what has expired each second, not each minute as that of the other tests. */
async function buildOwnPath(): Promise<DataPath> {
  const folder = await makeThrowawayFolder();
  const real = await serverBinary('mongod');
  const binary = join(folder, 'mongod');
  await writeFile(binary, `#!/bin/sh\nexec '${real}' "$@" --setParameter ttlMonitorSleepSecs=1\n`, { mode: 0o700 });
  const dataDir = join(folder, 'data');
  const server = await startMongod({ binary, dataDir, port: 0, onProgress });
  const uri = new URL(server.uri);
  uri.pathname = '/everpost_test_retention';
  const built = await buildDataPath({ env: { MONGODB_URI: uri.toString() } });
  return {
    ...built,
    async close() {
      await built.close();
      await server.kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** The store of a process that is configured otherwise: shorter than any setting allows. */
const keeping = (retentionMs: number) => createRetentionStore(path.mongo.db, retentionMs);
const exists = async (id: number): Promise<boolean> => (await path.parts.stores.events.find(id)) !== null;
const attemptsOf = (id: number): Promise<number> => path.attempts.countDocuments({ event_id: id });

async function expiryOfIndex(): Promise<unknown> {
  const indexes = await path.events.indexes();
  return indexes.find(({ name }) => name === 'retention')?.['expireAfterSeconds'];
}

/** An event whose only delivery was answered. */
async function attempted(status = 200) {
  receiver.answerWith(status);
  const promised = await path.promiseTo(receiver.url);
  const outcome = await path.executor().attemptDelivery(buildAttempt(promised.ref));
  expect(outcome).toMatchObject({ kind: 'answered', statusCode: status });
  return promised;
}

/** @returns after which event ids its pages started */
async function removeAllOrphans(now = new Date(), limit = 3): Promise<number[]> {
  const pages: number[] = [];
  const store = keeping(1_000);
  for (let after: number | null = 0; after !== null; after = (await store.removeOrphans({ after, limit, now })).next)
    pages.push(after);
  return pages;
}

it('an event expires so long after its last delivery finished; unfinished and replayed ones are kept', async () => {
  const [done, replayed] = [await attempted(), await attempted()];
  const [waiting, failing] = [await path.promiseTo(receiver.url), await attempted(500)];
  const unmatched = await path.promise('nobody.wants.it');
  const again = (await path.parts.stores.deliveries.replay(replayed.ref))!;
  const left = (...ids: number[]) => Promise.all(ids.map(exists));

  await keeping(1_000).ensureIndexes();
  await eventually(
    () => left(done.id, unmatched.id),
    (are) => !are.includes(true),
  );
  expect(await left(replayed.id, waiting.id, failing.id)).toEqual([true, true, true]);

  // The attempts follow their event, and not before it.
  await removeAllOrphans();
  expect([await attemptsOf(done.id), await attemptsOf(replayed.id), await attemptsOf(failing.id)]).toEqual([0, 1, 1]);

  receiver.answerWith(200);
  await path.executor().attemptDelivery(buildAttempt(again));
  await eventually(
    () => exists(replayed.id),
    (is) => !is,
  );
  await removeAllOrphans();
  expect(await attemptsOf(replayed.id)).toBe(0);
  expect(await left(waiting.id, failing.id)).toEqual([true, true]);
});

it('a changed setting changes the index, and stores with the same setting leave it alone', async () => {
  await keeping(30 * DAY_MS).ensureIndexes();
  expect(await expiryOfIndex()).toBe(30 * 86_400);
  await Promise.all([keeping(2 * DAY_MS).ensureIndexes(), keeping(2 * DAY_MS).ensureIndexes()]);
  expect(await expiryOfIndex()).toBe(2 * 86_400);
  await path.parts.ensureIndexes();
  expect(await expiryOfIndex()).toBe(30 * 86_400);
});

it('one worker at a time removes the attempts of expired events, and resumes where it stopped', async () => {
  const orphans = Array.from({ length: 2_500 }, (_, index) => ({ _id: `${index}/1/1`, event_id: 5_000_000 + index }));
  await path.attempts.insertMany(orphans as never);
  const deps = { ...path.parts.stores, logger: createLogger('silent'), intervalMs: 50 };
  const workers = ['a', 'b'].map((owner) => createOrphanRemoval({ ...deps, owner }));
  try {
    const left = await eventually(
      () => path.attempts.countDocuments({ event_id: { $gte: 5_000_000, $lt: 5_002_500 } }),
      (count) => count === 0,
    );
    expect(left).toBe(0);
  } finally {
    for (const worker of workers) await worker.close();
  }
});

it('the search for attempts of expired events ends at the first event that is too young to have expired', async () => {
  const dayAgo = Date.now() - DAY_MS;
  const at = (ms: number, index: number) => ({ _id: `${ms}-${index}/1/1`, event_id: ms * 1_000 + index });
  const range = (count: number) => Array.from({ length: count }, (_, index) => index);
  const expired = range(5).map((index) => at(dayAgo - 5_000, index));
  // Their events are there as well as gone: the search must not look at them.
  const young = range(50).map((index) => at(dayAgo, index));
  await path.attempts.insertMany([...expired, ...young] as never);
  const left = (list: readonly { _id: string }[]) =>
    path.attempts.countDocuments({ _id: { $in: list.map(({ _id }) => _id) } });

  const pages = await removeAllOrphans(new Date(dayAgo + 1_000), 4);

  expect([await left(expired), await left(young)]).toEqual([0, 50]);
  expect(pages.length).toBeLessThanOrEqual(3);
});

it('a round removes as much as there is to remove, however much it is', async () => {
  // More than a round read before: 50 pages of 2,000.
  const count = 110_000;
  const orphans = Array.from({ length: count }, (_, index) => ({
    _id: `many-${index}/1/1`,
    event_id: 6_000_000 + index,
  }));
  while (orphans.length > 0) await path.attempts.insertMany(orphans.splice(0, 10_000) as never, { ordered: false });
  // The worker of another test may still hold it.
  await path.mongo.db.collection('leases').deleteMany({});
  const deps = { ...path.parts.stores, logger: createLogger('silent'), owner: 'a', intervalMs: 1e9 };
  const worker = createOrphanRemoval(deps);
  try {
    const left = await eventually(
      () => path.attempts.countDocuments({ event_id: { $gte: 6_000_000, $lt: 6_000_000 + count } }),
      (found) => found === 0,
    );
    expect(left).toBe(0);
  } finally {
    await worker.close();
  }
});

it('less than 48 hours is refused, so that a repeated key never creates a delivered event again', () => {
  expect(() => loadConfig({ RETENTION: '47h' })).toThrow(ConfigError);
  expect(() => loadConfig({ RETENTION: '47h' })).toThrow(/RETENTION: must be at least 48h/);
  expect(loadConfig({ RETENTION: '48h' }).retentionMs).toBe(2 * DAY_MS);
  expect(loadConfig({}).retentionMs).toBe(30 * DAY_MS);
});
