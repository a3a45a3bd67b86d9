import { NEWEST_ATTEMPTS } from '../../src/domain/attempt-history';
import { createMongo, type Mongo } from '../../src/platform/mongo';
import { createHistoryStore } from '../../src/stores/history-store';
import { buildEndpointId } from '../support/build-events';
import { buildConfig } from '../support/build-stack';
import { watchReads } from '../support/watch-reads';
import { UNSEALED } from '../../dev/unsealed';

// What a history reads does not grow with it.

const ACCOUNT = 'acc_read';
const EVENT = 1_795_818_955_000_000;
const ENDPOINTS = Array.from({ length: 100 }, () => buildEndpointId());
/** One delivery has a long history, the others a short one; each has an attempt that is under way. */
const attemptsOf = (index: number): number => (index === 0 ? 2_000 : 30);

let mongo: Mongo;

beforeAll(async () => {
  const config = await buildConfig();
  mongo = createMongo(config.mongodb.uri!);
  // The index of earlier versions is replaced.
  await mongo.db.collection('attempts').createIndex({ event_id: 1 });
  await createHistoryStore(mongo.db, UNSEALED).ensureIndexes();
  const attempts = ENDPOINTS.flatMap((endpointId, index) =>
    Array.from({ length: attemptsOf(index) + 1 }, (_, place) => {
      const [run, number] = [1 + Math.floor(place / 20), 1 + (place % 20)];
      const isAnswered = place < attemptsOf(index);
      return {
        _id: `${EVENT}.${endpointId}/${run}/${number}`,
        event_id: EVENT,
        endpoint_id: endpointId,
        run,
        number,
        // Attempts of several deliveries start in the same millisecond.
        ...(isAnswered && { answer: { started_at: new Date(1.7e12 + place), url: `https://example.com/${place}` } }),
      };
    }),
  );
  await mongo.db.collection<{ _id: string }>('attempts').insertMany(attempts);
});

afterAll(async () => {
  await mongo?.db.dropDatabase();
  await mongo?.close();
});

const documentsOf = (reads: readonly { documents: number }[]): number[] => reads.map(({ documents }) => documents);

it('the newest attempts of an event read a page, and one more of each delivery', async () => {
  const histories = createHistoryStore(mongo.db, UNSEALED);
  const reads = await watchReads(mongo, () =>
    histories.newest({ accountId: ACCOUNT, eventId: EVENT, endpointIds: ENDPOINTS }),
  );

  expect(Math.max(...documentsOf(reads))).toBeLessThanOrEqual(NEWEST_ATTEMPTS + 1);
  expect(reads.filter(({ isScan, sorted }) => isScan || sorted > 0)).toEqual([]);
});

it('the newest attempts of a delivery, and a page of its list, read no attempt of another delivery', async () => {
  const histories = createHistoryStore(mongo.db, UNSEALED);
  const delivery = { accountId: ACCOUNT, eventId: EVENT, endpointId: ENDPOINTS[0]! };
  const { next } = await histories.page(delivery, { limit: 100 });
  const reads = await watchReads(mongo, async () => {
    await histories.newest({ accountId: ACCOUNT, eventId: EVENT, endpointIds: [delivery.endpointId] });
    await histories.page(delivery, { limit: 100, from: next! });
  });

  // The position's own attempt is read too.
  expect(Math.max(...documentsOf(reads))).toBeLessThanOrEqual(NEWEST_ATTEMPTS + 2);
  expect(reads.filter(({ isScan, sorted }) => isScan || sorted > 0)).toEqual([]);
});

it('attempts under way are not counted, and the last URL of every delivery is known', async () => {
  const { total, attempts, lastUrls } = await createHistoryStore(mongo.db, UNSEALED).newest({
    accountId: ACCOUNT,
    eventId: EVENT,
    endpointIds: ENDPOINTS,
  });

  expect(total).toBe(2_000 + 99 * 30);
  expect(attempts).toHaveLength(NEWEST_ATTEMPTS);
  expect(ENDPOINTS.map((id) => lastUrls.get(id))).toEqual(
    ENDPOINTS.map((_, index) => `https://example.com/${attemptsOf(index) - 1}`),
  );
});

it('the index of earlier versions is gone', async () => {
  const names = (await mongo.db.collection('attempts').indexes()).map(({ name }) => name);
  expect(names).not.toContain('event_id_1');
});
