import { Timestamp, type Collection, type Db, type Document } from 'mongodb';
import { DELIVERY_STATES, UNFINISHED_STATES, type DeliveryState } from '../domain/delivery-state';
import type { EndpointRef } from '../stores/endpoint-store';
import {
  EVENTS_COLLECTION,
  HELD_INDEX,
  PENDING_INDEX,
  REPLAYED_INDEX,
  sumUnfinished,
  type StoredEvent,
} from '../stores/event-store';
import { ACCOUNT_INDEX, ENDPOINT_INDEX, STATE_INDEX, TYPE_INDEX } from '../stores/list-events-store';

/** Deliveries whose last run a bulk replay began, by their outcome so far. */
export interface ReplayCount {
  readonly jobId: string;
  readonly state: DeliveryState;
  readonly deliveries: number;
}

/** A type of events, and when the last one was accepted. */
export interface SeenType {
  readonly type: string;
  readonly lastAt: Date;
}

/** The most events that one count reads: about a second of work. */
export const MAX_COUNTED = 100_000;
/** The most deliveries that are counted for an endpoint. */
export const MAX_WAITING = 10_000;
/** The most events whose types are read. */
export const TYPE_EVENTS = 5_000;
/** The most types that are looked up one by one: a fraction of a second of work. */
export const MAX_TYPES = 300;
const MAX_TIME_MS = 8_000;

export type OverviewStore = ReturnType<typeof createOverviewStore>;

/** The queries of the overview. Every read is bounded, however many events an account has. */
export function createOverviewStore(db: Db) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  return {
    /** How many unfinished deliveries an endpoint has; counts up to `MAX_WAITING`. */
    countWaiting: ({ accountId, endpointId }: EndpointRef): Promise<number> =>
      events.countDocuments(
        {
          account_id: accountId,
          destinations: { $elemMatch: { endpoint_id: endpointId, state: { $in: [...UNFINISHED_STATES] } } },
        },
        { hint: ENDPOINT_INDEX, limit: MAX_WAITING, maxTimeMS: MAX_TIME_MS },
      ),
    /** How many unfinished deliveries an account has by endpoint; of `MAX_COUNTED` events at most. */
    waitingByEndpoint: (accountId: string) => countByEndpoint(events, accountId),
    /** When the oldest delivery was accepted that an endpoint's gate holds; null if it holds none. Reads one index key. */
    async oldestHeld(endpointId: string): Promise<Date | null> {
      const oldest = await events.findOne(
        {
          'destinations.dispatch': 'held',
          destinations: { $elemMatch: { dispatch: 'held', endpoint_id: endpointId } },
        },
        { sort: { accepted_at: 1 }, projection: { _id: 0, accepted_at: 1 }, hint: HELD_INDEX, maxTimeMS: MAX_TIME_MS },
      );
      return oldest ? new Date(oldest.accepted_at.t * 1_000) : null;
    },
    /** How many events for an endpoint were accepted since then; counts up to `MAX_WAITING`. */
    countAccepted: ({ accountId, endpointId }: EndpointRef, since: Date): Promise<number> =>
      events.countDocuments(
        {
          account_id: accountId,
          destinations: { $elemMatch: { endpoint_id: endpointId, state: { $in: [...DELIVERY_STATES] } } },
          accepted_at: { $gte: new Timestamp({ t: Math.floor(since.getTime() / 1_000), i: 0 }) },
        },
        { hint: ENDPOINT_INDEX, limit: MAX_WAITING, maxTimeMS: MAX_TIME_MS },
      ),
    /** How many unfinished deliveries an account has; of `MAX_COUNTED` events at most. */
    countBacklog: (accountId: string): Promise<number> => sumUnfinished(events, accountId, MAX_COUNTED),
    /** Whether an event was accepted, or a delivery delivered. What retention removed is not counted. */
    async findFirsts(accountId: string): Promise<{ readonly event: boolean; readonly delivered: boolean }> {
      const [event, delivered] = await Promise.all([
        events.findOne({ account_id: accountId }, { hint: ACCOUNT_INDEX, projection: { _id: 1 } }),
        events.findOne(
          { account_id: accountId, 'destinations.state': 'delivered' },
          { hint: STATE_INDEX, projection: { _id: 1 } },
        ),
      ]);
      return { event: event !== null, delivered: delivered !== null };
    },
    /** Counts the deliveries of bulk replays, of `MAX_COUNTED` events at most. By the index of replayed destinations. */
    countReplayed: (accountId: string, jobIds: readonly string[]): Promise<ReplayCount[]> =>
      events
        .aggregate<ReplayCount>(countOfReplays(accountId, jobIds), { hint: REPLAYED_INDEX, maxTimeMS: MAX_TIME_MS })
        .toArray(),
    /** The types of events accepted since a time: of the first `MAX_TYPES` types that the account has. */
    typesSince: (accountId: string, since: Date) => readTypesSince(events, accountId, since),
    /** Types of the account's newest events. */
    newestTypes: (accountId: string): Promise<SeenType[]> =>
      events
        .aggregate<SeenType>([
          { $match: { account_id: accountId } },
          { $sort: { accepted_at: -1, _id: -1 } },
          { $limit: TYPE_EVENTS },
          { $group: { _id: '$type', lastAt: { $max: '$accepted_at' } } },
          { $sort: { lastAt: -1, _id: 1 } },
          { $limit: 200 },
          { $project: { _id: 0, type: '$_id', lastAt: { $toDate: '$lastAt' } } },
        ])
        .toArray(),
  };
}

function countByEndpoint(events: Collection<StoredEvent>, accountId: string) {
  return events
    .aggregate<{ readonly endpointId: string; readonly deliveries: number }>(
      [
        { $match: { account_id: accountId, unfinished: { $gt: 0 } } },
        { $limit: MAX_COUNTED },
        { $project: { _id: 0, 'destinations.endpoint_id': 1, 'destinations.state': 1 } },
        { $unwind: '$destinations' },
        { $match: { 'destinations.state': { $in: [...UNFINISHED_STATES] } } },
        { $group: { _id: '$destinations.endpoint_id', deliveries: { $sum: 1 } } },
        { $project: { _id: 0, endpointId: '$_id', deliveries: 1 } },
      ],
      { hint: PENDING_INDEX, maxTimeMS: MAX_TIME_MS },
    )
    .toArray();
}

/** One index key is read for each type, that of its newest event: however many events it has, and however old it is. */
async function readTypesSince(events: Collection<StoredEvent>, accountId: string, since: Date) {
  const types: SeenType[] = [];
  let after: string | undefined;
  for (let looked = 0; looked < MAX_TYPES; looked += 1) {
    const newest = await events.findOne(
      { account_id: accountId, ...(after !== undefined && { type: { $gt: after } }) },
      {
        sort: { type: 1, accepted_at: -1, _id: -1 },
        projection: { _id: 0, type: 1, accepted_at: 1 },
        hint: TYPE_INDEX,
        maxTimeMS: MAX_TIME_MS,
      },
    );
    if (!newest) return { types, complete: true };
    const lastAt = new Date(newest.accepted_at.t * 1_000);
    if (lastAt >= since) types.push({ type: newest.type, lastAt });
    after = newest.type;
  }
  return { types, complete: false };
}

/** Counts the deliveries whose last run one of the bulk replays began, by replay and state. */
function countOfReplays(accountId: string, jobIds: readonly string[]): Document[] {
  const ofJobs = { 'destinations.replay_job': { $in: jobIds } };
  return [
    { $match: { ...ofJobs, account_id: accountId } },
    { $limit: MAX_COUNTED },
    { $project: { 'destinations.replay_job': 1, 'destinations.state': 1 } },
    { $unwind: '$destinations' },
    { $match: ofJobs },
    {
      $group: { _id: { jobId: '$destinations.replay_job', state: '$destinations.state' }, deliveries: { $sum: 1 } },
    },
    { $project: { _id: 0, jobId: '$_id.jobId', state: '$_id.state', deliveries: 1 } },
  ];
}
