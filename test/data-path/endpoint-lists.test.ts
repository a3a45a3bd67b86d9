import fc from 'fast-check';
import type { StoredAnswer } from '../../src/stores/attempt-store';
import { createAttemptListStore, type ListedAttempt } from '../../src/stores/list-attempts-store';
import { createEventListStore } from '../../src/stores/list-events-store';
import { createWaitingStore } from '../../src/stores/waiting-store';
import { createMongo, type Mongo } from '../../src/platform/mongo';
import { buildEndpointId, insertEvents } from '../support/build-events';
import { buildConfig } from '../support/build-stack';
import { watchReads } from '../support/watch-reads';
import { UNSEALED } from '../../dev/unsealed';

// The lists of one endpoint read few documents, however many attempts and deliveries there are.

const ACCOUNT = 'acc_read';
const ENDPOINT = buildEndpointId();
const OTHER = buildEndpointId();
const START = Date.UTC(2026, 10, 21);
const EVENTS = 300;

const ANSWER: Omit<StoredAnswer, 'sent'> = {
  started_at: new Date(START),
  latency_ms: 12,
  succeeded: true,
  status_code: 200,
  error_code: null,
  error: null,
  response_snippet: 'ok',
  url: 'https://example.com/',
  resends: 0,
  timings: {},
};

let mongo: Mongo;

beforeAll(async () => {
  const config = await buildConfig();
  mongo = createMongo(config.mongodb.uri!);
  const stores = [createAttemptListStore(mongo.db, UNSEALED), createEventListStore(mongo.db, UNSEALED)];
  await Promise.all(stores.map((store) => store.ensureIndexes()));
  const attempts = Array.from({ length: EVENTS }, (_, index) => ({
    _id: `${index * 7}.${index % 3 ? OTHER : ENDPOINT}/1/1`,
    event_id: index * 7,
    endpoint_id: index % 3 ? OTHER : ENDPOINT,
    run: 1,
    number: 1,
    trigger: 'scheduled',
    // Some start in the same millisecond; some have no answer yet.
    ...(index % 10 && { answer: { ...ANSWER, ...outcomeOf(index), started_at: new Date(START + (index >> 3)) } }),
  }));
  await mongo.db.collection<{ _id: string }>('attempts').insertMany(attempts);
  await insertEvents(
    mongo,
    Array.from({ length: EVENTS }, (_, index) => ({
      id: index + 1,
      accountId: 'acc_lists',
      deliveries: [
        { endpointId: index % 3 ? OTHER : ENDPOINT, state: index % 2 ? ('delivered' as const) : ('pending' as const) },
      ],
    })),
  );
});

afterAll(async () => {
  await mongo?.db.dropDatabase();
  await mongo?.close();
});

function outcomeOf(index: number): Partial<StoredAnswer> {
  if (index % 4) return {};
  return { succeeded: false, error_code: 'http_status', status_code: index % 8 ? 500 : 503 };
}

describe('attempts to an endpoint', () => {
  const few = fc.constantFrom(7, 20, 50);
  const filter = fc.record({
    cause: fc.constantFrom(undefined, { code: 'http_status' as const, statusCode: 503 }),
    succeeded: fc.constantFrom(undefined, true, false),
  });

  it('are all listed once, newest first, whatever the size of a page and the most that is looked at', async () => {
    await fc.assert(
      fc.asyncProperty(few, fc.constantFrom(20, 5_000), filter, async (limit, maxExamined, { cause, succeeded }) => {
        const store = createAttemptListStore(mongo.db, UNSEALED, maxExamined);
        const listed: ListedAttempt[] = [];
        let from;
        do {
          const page = await store.page(
            { accountId: ACCOUNT, endpointId: ENDPOINT, cause, succeeded },
            { limit, from },
          );
          listed.push(...page.attempts);
          from = page.next ?? undefined;
        } while (from);
        const all = await mongo.db
          .collection<ListedAttempt>('attempts')
          .find({ endpoint_id: ENDPOINT, answer: { $exists: true } })
          .sort({ 'answer.started_at': -1, _id: -1 })
          .toArray();
        const fitting = all.filter(
          ({ answer }) =>
            (succeeded === undefined || answer.succeeded === succeeded) &&
            (!cause || (!answer.succeeded && answer.status_code === cause.statusCode)),
        );
        expect(listed.map(({ _id }) => _id)).toEqual(fitting.map(({ _id }) => _id));
      }),
      { numRuns: 15 },
    );
  });

  it('are read from an index, and no more than the page', async () => {
    const store = createAttemptListStore(mongo.db, UNSEALED);
    const [read, ...others] = await watchReads(mongo, () =>
      store.page({ accountId: ACCOUNT, endpointId: ENDPOINT }, { limit: 20 }),
    );

    expect(others).toEqual([]);
    expect(read!.plan).toMatch(/^IXSCAN { endpoint_id: 1, answer.started_at: -1, _id: -1 }/);
    expect([read!.documents, read!.sorted]).toEqual([21, 0]);
  });

  it('take at most 200 bytes each in the index, and nothing before their answer', async () => {
    const db = mongo.client.db(`${mongo.db.databaseName}_size`);
    const indexBytes = async (): Promise<number> => {
      // A checkpoint: sizes are those of the files.
      await db.admin().command({ fsync: 1 });
      const { indexSizes } = await db.command({ collStats: 'attempts' });
      return (indexSizes as Record<string, number>)['endpoint_id_1_answer.started_at_-1__id_-1']!;
    };
    try {
      await createAttemptListStore(db, UNSEALED).ensureIndexes();
      const endpoints = Array.from({ length: 20 }, buildEndpointId);
      const attempts = Array.from({ length: 5_000 }, (_, index) => {
        const [eventId, endpoint] = [1_795_534_897_961_003 + index * 50_000, endpoints[index % 20]!];
        return { _id: `${eventId}.${endpoint}/1/1`, event_id: eventId, endpoint_id: endpoint, run: 1, number: 1 };
      });
      const collection = db.collection<{ _id: string }>('attempts');
      await collection.insertMany(attempts);
      const empty = await indexBytes();
      await collection.updateMany({}, [
        { $set: { answer: { started_at: { $toDate: { $divide: ['$event_id', 1_000] } } } } },
      ]);

      const bytes = ((await indexBytes()) - empty) / attempts.length;

      expect(empty).toBeLessThan(10_000);
      expect(bytes).toBeGreaterThan(10);
      expect(bytes).toBeLessThan(200);
    } finally {
      await db.dropDatabase();
    }
  });
});

describe('what waits for an endpoint', () => {
  const ref = { accountId: 'acc_lists', endpointId: ENDPOINT };
  const unfinished = Array.from({ length: EVENTS }, (_, index) => index).filter((it) => it % 6 === 0).length;

  it('is counted from an index that skips finished deliveries and other endpoints', async () => {
    const [read] = await watchReads(mongo, () => createWaitingStore(mongo.db).waitingFor(ref));

    expect(read!.plan).toMatch(/^IXSCAN/);
    expect(read!.documents).toBe(unfinished);
  });

  it('is counted up to a limit, which the answer says', async () => {
    const countedOf = async (most: number) => {
      const { groups, complete } = await createWaitingStore(mongo.db, most).waitingFor(ref);
      return [groups.reduce((sum, { deliveries }) => sum + deliveries, 0), complete];
    };
    expect(await countedOf(unfinished + 1)).toEqual([unfinished, true]);
    expect(await countedOf(unfinished)).toEqual([unfinished, false]);
    expect(await countedOf(unfinished - 1)).toEqual([unfinished - 1, false]);
  });
});
