import { Timestamp, type Collection, type Db, type Document } from 'mongodb';
import { DELIVERY_STATES, type DeliveryState, type EventStatus } from '../domain/delivery-state';
import type { PayloadBox } from '../payloads/payload-box';
import { rethrowNotReady } from '../platform/mongo-indexes';
import { statusConditions, type Conditions } from './event-status-conditions';
import { EVENTS_COLLECTION, REPLAYED_INDEX, type StoredEvent } from './event-store';
import { openEvent, searchCondition, type AtRest } from './sealed-event-store';

/** The fields of an event that lists show: all but its data. */
export type ListedEvent = Pick<StoredEvent, '_id' | Exclude<keyof typeof LISTED, 'sealed_schema_errors'>>;

/** A position in the order of acceptance. */
export interface EventPosition {
  /** `accepted_at`, Unix seconds and the order within the second. */
  readonly seconds: number;
  readonly ordinal: number;
  readonly eventId: number;
}

/** Selects events. Absent fields select everything. */
export interface EventFilter {
  readonly accountId: string;
  readonly eventId?: number | undefined;
  /** Only events with a matching delivery; `completedTo` is inside the range. */
  readonly delivery?: DeliveryFilter | undefined;
  readonly status?: EventStatus | undefined;
  /** A type, or `<prefix>.*`. */
  readonly type?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  /** Events with this search value (`searchValuesOf`). */
  readonly search?: string | undefined;
  /** Accepted at or after this time; to the second. */
  readonly after?: Date | undefined;
  /** Accepted before this time; to the second. */
  readonly before?: Date | undefined;
}

export interface DeliveryFilter {
  readonly endpointId?: string | undefined;
  readonly states?: readonly DeliveryState[] | undefined;
  readonly completedFrom?: Date | undefined;
  readonly completedTo?: Date | undefined;
  /** Only deliveries whose last run this bulk replay began. */
  readonly replayJob?: string | undefined;
}

/** The part of a list to read. */
export interface EventRange {
  readonly order: 'newest first' | 'oldest first';
  readonly limit: number;
  /** Continue after this position, or at it. */
  readonly from?: (EventPosition & { readonly inclusive: boolean }) | undefined;
}

/** A page of events. */
export interface EventPage {
  readonly events: readonly ListedEvent[];
  /** The last position that was read; null if nothing follows it. */
  readonly next: EventPosition | null;
}

/** The largest timestamp of MongoDB: until the year 2106. */
export const MAX_SECONDS = 0xff_ff_ff_ff;

/** The most events that are read for a page: about 20 ms of work. */
const MAX_EXAMINED = 5_000;

const IN_ORDER = { accepted_at: -1, _id: -1 } as const;
/** For all events of an account. */
export const ACCOUNT_INDEX = { account_id: 1, ...IN_ORDER } as const;
/** For the deliveries of an account by their state. */
export const STATE_INDEX = { account_id: 1, 'destinations.state': 1, ...IN_ORDER } as const;
/** For the deliveries of an endpoint by their state. */
export const ENDPOINT_INDEX = {
  account_id: 1,
  'destinations.endpoint_id': 1,
  'destinations.state': 1,
  ...IN_ORDER,
} as const;
/** For the events of an account by their type. */
export const TYPE_INDEX = { account_id: 1, type: 1, ...IN_ORDER } as const;
const INDEXES = {
  all: ACCOUNT_INDEX,
  type: TYPE_INDEX,
  state: STATE_INDEX,
  endpoint: ENDPOINT_INDEX,
} as const;

/** For events with an idempotency key. */
const KEY_INDEX = { account_id: 1, idempotency_key: 1, ...IN_ORDER } as const;

/** For events of accounts with search fields. */
const SEARCH_INDEX = { account_id: 1, search: 1, ...IN_ORDER } as const;

/** The conditions of a query, and the index that answers the indexed ones. */
interface Plan extends Conditions {
  readonly hint: Document;
}

export type EventListStore = ReturnType<typeof createEventListStore>;

/**
 * Lists events of an account by their state, however many other events it has.
 *
 * @param maxExamined only tests change it
 */
export function createEventListStore(db: Db, payloads: PayloadBox, maxExamined = MAX_EXAMINED) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      await events.createIndexes([
        ...Object.values(INDEXES).map((key) => ({ key: { ...key } })),
        { key: KEY_INDEX, partialFilterExpression: { idempotency_key: { $gt: '' } } },
        { key: SEARCH_INDEX, partialFilterExpression: { search: { $gt: '' } } },
      ]);
    },
    /**
     * Every filter uses an index. If the index can't answer all of it (for example a type together with a state), at
     * most `maxExamined` events are read: the page is then shorter than its limit, and `next` says where to continue.
     */
    async page({ search: value, ...filter }: EventFilter, range: EventRange): Promise<EventPage> {
      const search = value === undefined ? undefined : await searchCondition(payloads, filter.accountId, value);
      const selection = { ...filter, search };
      const { events: page, next } = await readPage(events, selection, range, maxExamined).catch(rethrowNotReady);
      return { events: await Promise.all(page.map((event) => openEvent<ListedEvent>(payloads, event))), next };
    },
    /** The first types of an account that begin with a text, in alphabetical order: one index key is read for each. */
    typesFrom: (accountId: string, prefix: string, limit: number) => readTypes(events, accountId, prefix, limit),
  };
}

/** A filter whose search value is a condition on what is stored. */
type Selection = Omit<EventFilter, 'search'> & { readonly search: Document | undefined };

async function readPage(
  events: Collection<StoredEvent>,
  filter: Selection,
  range: EventRange,
  maxExamined: number,
): Promise<{ readonly events: readonly AtRest<ListedEvent>[]; readonly next: EventPosition | null }> {
  const plan = await planOf(events, filter, maxExamined);
  const sort = range.order === 'newest first' ? { accepted_at: -1, _id: -1 } : { accepted_at: 1, _id: 1 };
  const lookAt = [{ $match: { $and: [plan.indexed, ...placesOf(filter, range)] } }, { $sort: sort }];
  const options = { hint: plan.hint };
  const found = await events
    .aggregate<AtRest<ListedEvent>>(
      [
        ...lookAt,
        ...(plan.rest.length > 0 ? [{ $limit: maxExamined }, { $match: { $and: plan.rest } }] : []),
        { $limit: range.limit + 1 },
        { $project: LISTED },
      ],
      options,
    )
    .toArray();
  const page = found.slice(0, range.limit);
  if (found.length > range.limit) return { events: page, next: positionOf(page.at(-1)!) };
  if (plan.rest.length === 0) return { events: page, next: null };
  const [last] = await events
    .aggregate<AtRest<ListedEvent>>(
      [...lookAt, { $skip: maxExamined - 1 }, { $limit: 1 }, { $project: LISTED }],
      options,
    )
    .toArray();
  return { events: page, next: last ? positionOf(last) : null };
}

/** MongoDB's `distinct` has no limit, and an account may have any number of types. */
async function readTypes(
  events: Collection<StoredEvent>,
  accountId: string,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const types: string[] = [];
  let bounds: Document = { $gte: prefix };
  while (types.length < limit) {
    const next = await events.findOne(
      { account_id: accountId, type: bounds },
      { sort: { type: 1 }, projection: { _id: 0, type: 1 }, hint: INDEXES.type },
    );
    if (!next?.type.startsWith(prefix)) break;
    types.push(next.type);
    bounds = { $gt: next.type };
  }
  return types;
}

const LISTED = {
  ...{ account_id: 1, type: 1, timestamp: 1, idempotency_key: 1 },
  ...{ schema_errors: 1, sealed_schema_errors: 1, data_erased_at: 1, destinations: 1, accepted_at: 1 },
};

/** The position of an event. */
export function positionOf({ _id, accepted_at: acceptedAt }: Pick<ListedEvent, '_id' | 'accepted_at'>): EventPosition {
  return { seconds: acceptedAt.t, ordinal: acceptedAt.i, eventId: _id };
}

/** Picks the narrowest index. */
async function planOf(events: Collection<StoredEvent>, filter: Selection, maxExamined: number): Promise<Plan> {
  const { accountId, type, idempotencyKey, search } = filter;
  const account = { account_id: accountId };
  const ofType = type === undefined ? [] : [{ type: typeCondition(type) }];
  const byState = stateConditions(filter);
  const states = byState ? [byState.indexed, ...byState.rest] : [];
  if (filter.eventId !== undefined || idempotencyKey !== undefined) {
    const key = idempotencyKey === undefined ? [] : [{ idempotency_key: idempotencyKey }];
    const id = filter.eventId === undefined ? [] : [{ _id: filter.eventId }];
    const values = search === undefined ? [] : [{ search }];
    const conditions = [account, ...id, ...key, ...values, ...ofType, ...states];
    return { hint: filter.eventId === undefined ? KEY_INDEX : { _id: 1 }, indexed: { $and: conditions }, rest: [] };
  }
  if (search !== undefined) {
    return { hint: SEARCH_INDEX, indexed: { ...account, search }, rest: [...ofType, ...states] };
  }
  const { replayJob } = filter.delivery ?? {};
  if (byState && replayJob !== undefined) {
    // Repeated outside `$elemMatch`, so that MongoDB can use the partial index.
    const indexed = { ...account, 'destinations.replay_job': replayJob, ...byState.indexed };
    return { hint: REPLAYED_INDEX, indexed, rest: [...byState.rest, ...ofType] };
  }
  // The types of a prefix are many parts of the index, which together are not in the order of acceptance.
  const isOneType = type !== undefined && !isPrefix(type);
  if (!byState) {
    return isOneType
      ? { hint: INDEXES.type, indexed: { ...account, type }, rest: [] }
      : { hint: INDEXES.all, indexed: account, rest: ofType };
  }
  if (isOneType) {
    const most = { limit: maxExamined, hint: INDEXES.type };
    const isRare = (await events.countDocuments({ ...account, type }, most)) < maxExamined;
    if (isRare) return { hint: INDEXES.type, indexed: { ...account, type }, rest: states };
  }
  const hint = filter.delivery?.endpointId === undefined ? INDEXES.state : INDEXES.endpoint;
  return { hint, indexed: { ...account, ...byState.indexed }, rest: [...byState.rest, ...ofType] };
}

const isPrefix = (type: string): boolean => type.endsWith('.*');

/** `order.*` matches from `order.` to before `order/`, the next character. */
function typeCondition(type: string): string | Document {
  if (!isPrefix(type)) return type;
  const prefix = type.slice(0, -2);
  return { $gte: `${prefix}.`, $lt: `${prefix}/` };
}

/** The filter's conditions on destinations; undefined if it has none. */
function stateConditions({ delivery, status }: Pick<EventFilter, 'delivery' | 'status'>): Conditions | undefined {
  if (status !== undefined) return statusConditions(status);
  if (!delivery) return undefined;
  const { endpointId, states = DELIVERY_STATES, completedFrom, completedTo, replayJob } = delivery;
  const indexed = {
    ...(replayJob !== undefined && { replay_job: replayJob }),
    ...(endpointId !== undefined && { endpoint_id: endpointId }),
    state: { $in: [...states] },
  };
  const completed = { ...(completedFrom && { $gte: completedFrom }), ...(completedTo && { $lte: completedTo }) };
  return {
    indexed: { destinations: { $elemMatch: indexed } },
    rest:
      Object.keys(completed).length === 0
        ? []
        : [{ destinations: { $elemMatch: { ...indexed, completed_at: completed } } }],
  };
}

/** The part of the order to read. */
function placesOf({ after, before }: Pick<EventFilter, 'after' | 'before'>, { from, order }: EventRange): Document[] {
  const newestFirst = order === 'newest first';
  const bounds: Document[] = [];
  if (after) bounds.push({ accepted_at: { $gte: startOfSecond(after) } });
  if (before) bounds.push({ accepted_at: { $lt: startOfSecond(before) } });
  if (from) {
    const acceptedAt = new Timestamp({ t: from.seconds, i: from.ordinal });
    const beyond = newestFirst ? '$lt' : '$gt';
    const [up, id] = newestFirst
      ? ['$lte', from.inclusive ? '$lte' : '$lt']
      : ['$gte', from.inclusive ? '$gte' : '$gt'];
    bounds.push(
      { accepted_at: { [up]: acceptedAt } },
      { $or: [{ accepted_at: { [beyond]: acceptedAt } }, { accepted_at: acceptedAt, _id: { [id]: from.eventId } }] },
    );
  }
  return bounds;
}

/** The first position of the second; for a fraction of a second, that of the next second. */
export function startOfSecond(date: Date): Timestamp {
  const seconds = Math.ceil(date.getTime() / 1_000);
  return new Timestamp({ t: Math.min(Math.max(0, seconds), MAX_SECONDS), i: 0 });
}
