import { createMongo, type Mongo } from '../../src/platform/mongo';
import { createKeyStore } from '../../src/keys/key-store';
import { createUsageStore } from '../../src/keys/usage-store';
import { createReplayStore } from '../../src/replays/replay-store';
import { buildConfig } from '../support/build-stack';
import { watchReads } from '../support/watch-reads';

// What an account can have any number of is read up to a bound.

let mongo: Mongo;

beforeAll(async () => {
  const config = await buildConfig();
  mongo = createMongo(config.mongodb.uri!);
});

afterAll(async () => {
  await mongo?.db.dropDatabase();
  await mongo?.close();
});

describe('the usage of an account that used many keys', () => {
  const record = (day: string, index: number) => ({
    account_id: 'acc_many',
    day,
    key_id: `key_${index}`,
    product: 'weh' as const,
    operation: 'api',
    calls: 1,
  });

  beforeAll(async () => {
    const days = ['2026-11-19', '2026-11-20', '2026-11-21'];
    await createUsageStore(mongo.db).add(days.flatMap((day) => [0, 1, 2].map((index) => record(day, index))));
  });

  it.each([
    { most: 9, days: ['2026-11-21', '2026-11-20', '2026-11-19'], since: '2026-11-01', records: 9 },
    { most: 8, days: ['2026-11-21', '2026-11-20'], since: '2026-11-20', records: 6 },
    { most: 3, days: ['2026-11-21'], since: '2026-11-21', records: 3 },
    { most: 2, days: ['2026-11-21'], since: '2026-11-21', records: 2 },
  ])('with at most $most counts has only complete days, since $since', async ({ most, days, since, records }) => {
    const usage = await createUsageStore(mongo.db, most).list('acc_many', '2026-11-01');

    expect([...new Set(usage.records.map(({ day }) => day))]).toEqual(days);
    expect([usage.since, usage.records.length]).toEqual([since, records]);
  });
});

it('the keys of an account are its newest thousand', async () => {
  const keys = Array.from({ length: 1_100 }, (_, index) => ({
    _id: `key_${index}`,
    account_id: 'acc_many',
    hash: `hash-${index}`,
    revoked_at: new Date(),
    created_at: new Date(1.7e12 + index),
  }));
  await mongo.db.collection<{ _id: string }>('api_keys').insertMany(keys);

  const listed = await createKeyStore(mongo.db).listByAccount('acc_many');

  expect([listed.length, listed[0]!._id, listed.at(-1)!._id]).toEqual([1_000, 'key_100', 'key_1099']);
});

it('a new bulk replay does not look at those that have ended', async () => {
  const replays = createReplayStore(mongo.db, 1_000);
  await replays.ensureIndexes();
  const job = (index: number, state: string) => ({ _id: `rpl_${index}`, account_id: 'acc_many', state });
  const ended = Array.from({ length: 500 }, (_, index) => job(index, 'completed'));
  await mongo.db.collection<{ _id: string }>('replays').insertMany([...ended, job(500, 'running')]);

  const reads = await watchReads(mongo, () => replays.insert(job(501, 'running') as never, 10));

  const [counted] = reads.filter(({ collection }) => collection === 'replays');
  expect(counted!.documents).toBeLessThanOrEqual(1);
});
