import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError, loadConfig } from '../../src/config';
import { migrateRetention } from '../../src/events/migrate-retention';
import { startMongod } from '../../dev/mongod';
import { makeThrowawayFolder } from '../../dev/servers';
import { createLogger } from '../../src/platform/logger';
import { buildAttempt, buildDataPath, ownType, type DataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';
import { serverBinary } from '../support/server-binary';
import { onProgress } from '../support/servers';

const DAY_MS = 86_400_000;
const always = () => Promise.resolve(true);

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

const exists = async (id: number): Promise<boolean> => (await path.parts.stores.events.find(id)) !== null;
const attemptsOf = (id: number): Promise<number> => path.attempts.countDocuments({ event_id: id });
const indexOf = async (name: string) => (await path.events.indexes()).find((index) => index.name === name);

/** An event whose only delivery was answered. */
async function attempted(status = 200, retentionMs = path.config.retentionMs) {
  receiver.answerWith(status);
  const type = ownType();
  await path.endpoint(receiver.url, type);
  const promised = await path.promise(type, { deps: { retentionMs } });
  const outcome = await path.executor().attemptDelivery(buildAttempt(promised.ref));
  expect(outcome).toMatchObject({ kind: 'answered', statusCode: status });
  return promised;
}

/** What an earlier version stored: no event and no attempt says when it expires. */
async function asOfEarlierVersion(...ids: readonly number[]): Promise<void> {
  await path.events.updateMany({ _id: { $in: [...ids] } }, { $unset: { retention_ms: '', expires_at: '' } });
  await path.attempts.updateMany({ event_id: { $in: [...ids] } }, { $unset: { expires_at: '' } });
  await path.events.createIndexes([{ key: { finished_at: 1 }, name: 'retention', expireAfterSeconds: 30 * 86_400 }]);
}

/** Runs the migration in this many workers until its old index is gone. */
async function migrate(workers = 1): Promise<void> {
  const deps = { ...path.parts.stores, logger: createLogger('silent'), intervalMs: 50 };
  const running = Array.from({ length: workers }, (_, index) => migrateRetention({ ...deps, owner: `w${index}` }));
  try {
    await eventually(
      () => indexOf('retention'),
      (index) => index === undefined,
    );
  } finally {
    for (const worker of running) await worker.close();
    await path.mongo.db.collection('leases').deleteMany({});
  }
}

it('MongoDB removes events and attempts that have expired; unfinished and replayed events are kept', async () => {
  const [done, replayed] = [await attempted(200, 1_000), await attempted(200, 1_000)];
  await path.parts.stores.deliveries.replay(replayed.ref);
  const [failing, kept] = [await attempted(500, 1_000), await attempted()];
  const unmatched = await path.promise('nobody.wants.it', { deps: { retentionMs: 1_000 } });
  await eventually(
    () => Promise.all([done.id, unmatched.id].map(exists)),
    (are) => !are.includes(true),
  );
  // Its attempts expire a while after it, whatever happens.
  await path.attempts.updateMany({ event_id: done.id }, { $set: { expires_at: new Date() } });
  await eventually(
    () => attemptsOf(done.id),
    (count) => count === 0,
  );

  for (const { id } of [replayed, failing, kept]) expect([await exists(id), await attemptsOf(id)]).toEqual([true, 1]);
});

it('events and attempts of earlier versions get an expiry, and MongoDB removes them by it', async () => {
  const [old, young] = [await attempted(), await attempted()];
  const [waiting, gone] = [await attempted(500), await attempted()];
  await asOfEarlierVersion(old.id, young.id, waiting.id, gone.id);
  await path.events.deleteOne({ _id: gone.id });
  await path.events.updateOne({ _id: old.id }, { $set: { finished_at: new Date(Date.now() - 31 * DAY_MS) } });

  await migrate(2);

  await eventually(
    () => Promise.all([attemptsOf(old.id), attemptsOf(gone.id)]),
    ([ofOld, ofGone]) => ofOld === 0 && ofGone === 0,
  );
  expect(await exists(old.id)).toBe(false);
  const finished = await path.event(young.id);
  expect(finished.expires_at).toEqual(new Date(finished.finished_at!.getTime() + path.config.retentionMs));
  expect(await path.history(young.id)).toMatchObject([{ expires_at: finished.expires_at }]);
  // It is kept as long as the others once it is finished.
  const unfinished = await path.event(waiting.id);
  expect(unfinished).toMatchObject({ retention_ms: path.config.retentionMs, finished_at: null });
  expect(unfinished).not.toHaveProperty('expires_at');
  receiver.answerWith(200);
  await path.executor().attemptDelivery(buildAttempt(waiting.ref, { number: 2 }));
  const { expires_at: expiresAt } = await path.event(waiting.id);
  for (const attempt of await path.history(waiting.id)) expect(attempt.expires_at! >= expiresAt!).toBe(true);
});

it('a migration that was killed is continued, and a second one changes nothing', async () => {
  const { id } = await attempted();
  await asOfEarlierVersion(id);
  const list = Array.from({ length: 2_500 }, (_, index) => ({ _id: `${index}/1/1`, event_id: id }));
  await path.attempts.insertMany(list as never);
  const { retentionMigration: migration, dispatch } = path.parts.stores;
  const now = await dispatch.now();
  /** As if the process died before its third page. */
  const dies = () => Promise.resolve((pages += 1) <= 2);
  let pages = 0;
  expect(await migration.migrateEvents(dies)).toBe(1);
  expect(await migration.migrateAttempts(now, dies)).toBe(1_000);
  expect(await migration.isDue()).toBe(true);

  await migrate();

  expect(await path.attempts.countDocuments({ event_id: id, expires_at: { $exists: false } })).toBe(0);
  const before = await path.attempts.find({ event_id: id }).sort({ _id: 1 }).toArray();
  expect(await migration.migrateEvents(always)).toBe(0);
  expect(await migration.migrateAttempts(now, always)).toBe(0);
  expect(await path.attempts.find({ event_id: id }).sort({ _id: 1 }).toArray()).toEqual(before);
});

it('a migration goes on while a process of the earlier version finishes events', async () => {
  const [one, other] = [await attempted(), await attempted()];
  await asOfEarlierVersion(one.id);
  const { retentionMigration: migration } = path.parts.stores;
  expect(await migration.migrateEvents(always)).toBe(1);
  await asOfEarlierVersion(other.id);

  await migrate();

  expect(await path.event(other.id)).toMatchObject({ expires_at: expect.any(Date) });
});

it('an event that an earlier version finished gets an expiry by its own retention', async () => {
  const { id } = await attempted(200, 3 * DAY_MS);
  await asOfEarlierVersion();
  await path.events.updateOne({ _id: id }, { $unset: { expires_at: '' } });

  await migrate();

  const { finished_at: finishedAt, expires_at: expiresAt } = await path.event(id);
  expect(expiresAt).toEqual(new Date(finishedAt!.getTime() + 3 * DAY_MS));
});

it('less than 48 hours is refused, so that a repeated key never creates a delivered event again', () => {
  expect(() => loadConfig({ RETENTION: '47h' })).toThrow(ConfigError);
  expect(() => loadConfig({ RETENTION: '47h' })).toThrow(/RETENTION: must be at least 48h/);
  expect(loadConfig({ RETENTION: '48h' }).retentionMs).toBe(2 * DAY_MS);
  expect(loadConfig({}).retentionMs).toBe(30 * DAY_MS);
});
