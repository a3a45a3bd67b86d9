import fc from 'fast-check';
import {
  createDeliveryListStore,
  type DeliveryListFilter,
  type DeliveryPosition,
} from '../../src/stores/list-deliveries-store';
import { DELIVERY_STATES, EVENT_STATUSES, eventStatus, type DeliveryState } from '../../src/domain/delivery-state';
import { matchesEventType } from '../../src/domain/event-pattern';
import { createEventListStore, type EventFilter, type EventListStore } from '../../src/stores/list-events-store';
import { createEventStore } from '../../src/stores/event-store';
import { createMongo, type Mongo } from '../../src/platform/mongo';
import { ACCEPTED_AT, buildEndpointId, insertEvents, type EventSpec } from '../support/build-events';
import { buildConfig } from '../support/build-stack';
import { UNSEALED } from '../../dev/unsealed';

// Lists show what fits their filter, page by page, and look at few documents, however many the account has.

const ACCOUNT = 'acc_listed';
const OTHER = 'acc_other';
const TYPES = ['order.created', 'order.paid', 'user.left'];
const ENDPOINTS = [buildEndpointId(), buildEndpointId(), buildEndpointId()].sort();

let mongo: Mongo;
let specs: EventSpec[];

beforeAll(async () => {
  const config = await buildConfig();
  mongo = createMongo(config.mongodb.uri!);
  await Promise.all(
    [createEventListStore(mongo.db, UNSEALED), createEventStore(mongo.db, UNSEALED)].map((store) =>
      store.ensureIndexes(),
    ),
  );
  specs = Array.from({ length: 120 }, (_, index) => buildSpec(index));
  await insertEvents(mongo, specs);
});

afterAll(async () => {
  await mongo?.db.dropDatabase();
  await mongo?.close();
});

/** Every combination of states, some events in the same second, some without destinations, some of another account. */
function buildSpec(index: number): EventSpec {
  const state = (at: number): DeliveryState => DELIVERY_STATES[Math.floor(index / 5 ** at) % 5]!;
  const deliveries = ENDPOINTS.slice(0, index % 4).map((endpointId, at) => ({
    endpointId,
    state: state(at),
    completedAt: new Date((ACCEPTED_AT + index) * 1_000),
  }));
  return {
    // Ids are not in the order of acceptance.
    id: (index * 37) % 1_000,
    accountId: index % 11 === 3 ? OTHER : ACCOUNT,
    type: TYPES[index % 7 === 0 ? 0 : index % 7 === 1 ? 1 : 2]!,
    acceptedAt: ACCEPTED_AT + Math.floor(index / 3),
    deliveries,
  };
}

const inOrder = (one: EventSpec, other: EventSpec): number => one.acceptedAt! - other.acceptedAt! || one.id - other.id;
const time = fc.option(
  fc.integer({ min: -1, max: 45 }).map((at) => new Date((ACCEPTED_AT + at) * 1_000)),
  { nil: undefined },
);
const few = fc.constantFrom(1, 2, 7, 50);
const maxExamined = fc.constantFrom(1, 3, 5_000);

function fitsEvent(spec: EventSpec, { type, after, before, eventId }: EventFilter | DeliveryListFilter): boolean {
  const at = new Date(spec.acceptedAt! * 1_000);
  return (
    spec.accountId === ACCOUNT &&
    (type === undefined || matchesEventType(type, spec.type!)) &&
    (eventId === undefined || spec.id === eventId) &&
    (!after || at >= after) &&
    (!before || at < before)
  );
}

it('the pages of a list of deliveries hold the matching deliveries, in order, each once', async () => {
  const filter = fc.record({
    endpointId: fc.option(fc.constantFrom(...ENDPOINTS, buildEndpointId()), { nil: undefined }),
    states: fc.option(
      fc.constantFrom(...DELIVERY_STATES).map((it) => [it]),
      { nil: undefined },
    ),
    type: fc.option(fc.constantFrom(...TYPES, 'order', 'order.*'), { nil: undefined }),
    eventId: fc.option(fc.constantFrom(...specs.slice(0, 20).map(({ id }) => id)), { nil: undefined, freq: 8 }),
    after: time,
    before: time,
    completedFrom: time,
    completedTo: time,
  });
  const order = fc.constantFrom('newest first' as const, 'oldest first' as const);
  await fc.assert(
    fc.asyncProperty(filter, order, few, maxExamined, async (wanted, direction, limit, most) => {
      const expected = specs
        .filter((spec) => fitsEvent(spec, { ...wanted, accountId: ACCOUNT }))
        .sort(inOrder)
        .flatMap((spec) =>
          spec.deliveries
            .filter(
              ({ endpointId, state, completedAt }) =>
                (wanted.endpointId === undefined || endpointId === wanted.endpointId) &&
                (!wanted.states || wanted.states.includes(state)) &&
                ((!wanted.completedFrom && !wanted.completedTo) ||
                  (!['pending', 'retrying'].includes(state) &&
                    (!wanted.completedFrom || completedAt! >= wanted.completedFrom) &&
                    (!wanted.completedTo || completedAt! <= wanted.completedTo))),
            )
            .map(({ endpointId }) => `${spec.id}.${endpointId}`),
        );
      if (direction === 'newest first') expected.reverse();

      const lists = createDeliveryListStore(createEventListStore(mongo.db, UNSEALED, most));
      const seen: string[] = [];
      for (let from: DeliveryPosition | undefined | null; from !== null;) {
        const page = await lists.page({ accountId: ACCOUNT, ...wanted }, { order: direction, limit, from });
        expect(page.deliveries.length).toBeLessThanOrEqual(limit);
        seen.push(...page.deliveries.map(({ event, destination }) => `${event._id}.${destination.endpoint_id}`));
        from = page.next;
      }

      expect(seen).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

it('the pages of a list of events hold the matching events, newest first, each once', async () => {
  const filter = fc.record({
    status: fc.option(fc.constantFrom(...EVENT_STATUSES), { nil: undefined }),
    type: fc.option(fc.constantFrom(...TYPES), { nil: undefined }),
    after: time,
    before: time,
  });
  await fc.assert(
    fc.asyncProperty(filter, few, maxExamined, async (wanted, limit, most) => {
      const expected = specs
        .filter((spec) => fitsEvent(spec, { ...wanted, accountId: ACCOUNT }))
        .filter(({ deliveries }) => wanted.status === undefined || statusOf(deliveries) === wanted.status)
        .sort((one, other) => inOrder(other, one))
        .map(({ id }) => id);

      const seen = await everyEvent(
        createEventListStore(mongo.db, UNSEALED, most),
        { accountId: ACCOUNT, ...wanted },
        limit,
      );

      expect(seen).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

function statusOf(deliveries: EventSpec['deliveries']) {
  return eventStatus(deliveries.map(({ state }) => ({ state, attemptCount: state === 'pending' ? 0 : 1 })));
}

async function everyEvent(lists: EventListStore, filter: EventFilter, limit: number): Promise<number[]> {
  const seen: number[] = [];
  let next: Awaited<ReturnType<EventListStore['page']>>['next'] = null;
  do {
    const from: typeof next = next;
    const page = await lists.page(filter, {
      order: 'newest first',
      limit,
      from: from ? { ...from, inclusive: false } : undefined,
    });
    seen.push(...page.events.map(({ _id }) => _id));
    next = page.next;
  } while (next);
  return seen;
}

describe('an account with 9,000 events', () => {
  const BIG = 'acc_big';
  const [BUSY, RARE, UNKNOWN] = ['b', 'r', 'n'].map((letter) => `ep_${letter.repeat(26)}`) as [string, string, string];
  const REPLAY = 'rpl_of_half_of_them';
  const LIMIT = 20;
  const MOST = 500;

  beforeAll(async () => {
    await insertEvents(
      mongo,
      Array.from({ length: 9_000 }, (_, index): EventSpec => {
        const state = index % 3_000 === 1 ? ('failed' as const) : ('delivered' as const);
        const busy = { endpointId: BUSY, state, ...(index % 2 === 1 && { replayJob: REPLAY }) };
        const rare = { endpointId: RARE, state: 'cancelled' } as const;
        return {
          id: 1_000_000 + index,
          accountId: BIG,
          type: index % 3_000 === 2 ? 'order.rare' : index % 2 === 0 ? 'order.even' : 'order.odd',
          acceptedAt: ACCEPTED_AT + Math.floor(index / 10),
          deliveries: index % 3 === 0 ? [] : index % 3_000 === 4 ? [busy, rare] : [busy],
        };
      }),
    );
  });

  /** How many documents and index keys MongoDB examined. */
  async function lookedAt(work: () => Promise<unknown>): Promise<number> {
    await mongo.db.command({ profile: 2 });
    await work();
    await mongo.db.command({ profile: 0 });
    const profile = mongo.db.collection<{ docsExamined?: number; keysExamined?: number }>('system.profile');
    const seen = await profile.find({ ns: `${mongo.db.databaseName}.events` }).toArray();
    await profile.drop();
    expect(seen.length).toBeGreaterThan(0);
    return seen.reduce((sum, { docsExamined = 0, keysExamined = 0 }) => sum + docsExamined + keysExamined, 0);
  }

  const before = new Date((ACCEPTED_AT + 450) * 1_000);
  const states = DELIVERY_STATES.map((state) => [state]);
  const led: Omit<DeliveryListFilter, 'accountId'>[] = [
    {},
    { before },
    ...states.flatMap((state) => [{ states: state }, { states: state, before }]),
    ...[BUSY, RARE, UNKNOWN].flatMap((endpointId) => [
      { endpointId },
      { endpointId, before },
      ...states.map((state) => ({ endpointId, states: state })),
    ]),
    { eventId: 1_003_001, endpointId: BUSY, states: ['failed'] },
    ...[REPLAY, 'rpl_unknown'].flatMap((replayJob) => [
      { replayJob },
      { replayJob, before },
      { replayJob, endpointId: BUSY },
      ...states.map((state) => ({ replayJob, states: state })),
    ]),
  ];

  it.each(led)('deliveries with %j are found without reading all events', async (filter) => {
    const lists = createDeliveryListStore(createEventListStore(mongo.db, UNSEALED, MOST));
    const range = { order: 'newest first', limit: LIMIT } as const;

    const most = await lookedAt(() => lists.page({ accountId: BIG, ...filter }, range));

    // Each of at most five states has its own part of the index; the first few of each are examined.
    expect(most).toBeLessThanOrEqual(6 * 2 * (LIMIT + 2));
  });

  it.each(led)('deliveries of a type with %j are found in bounded reads', async (filter) => {
    const lists = createDeliveryListStore(createEventListStore(mongo.db, UNSEALED, MOST));
    const range = { order: 'newest first', limit: LIMIT } as const;

    for (const type of ['order.even', 'order.rare', 'order.none']) {
      const most = await lookedAt(() => lists.page({ accountId: BIG, type, ...filter }, range));
      // The count of the type's events, the page, and the place at which it ended: keys and documents.
      expect(most).toBeLessThanOrEqual(5 * (MOST + 10));
    }
  });

  it.each(EVENT_STATUSES)('events that are %s are found in bounded reads', async (status) => {
    const lists = createEventListStore(mongo.db, UNSEALED, MOST);
    const range = { order: 'newest first', limit: LIMIT } as const;

    for (const filter of [
      { status },
      { status, before },
      { status, type: 'order.rare' },
      { status, type: 'order.odd' },
    ]) {
      const most = await lookedAt(() => lists.page({ accountId: BIG, ...filter }, range));
      expect(most).toBeLessThanOrEqual(5 * (MOST + 10));
    }
  });
});
