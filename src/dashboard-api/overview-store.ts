import type { Collection, Db, Document } from 'mongodb';
import { UNFINISHED_STATES, type DeliveryState } from '../domain/delivery-state';
import type { EndpointRef } from '../stores/endpoint-store';
import { EVENTS_COLLECTION, REPLAYED_INDEX, sumUnfinished, type StoredEvent } from '../stores/event-store';
import { ACCOUNT_INDEX, ENDPOINT_INDEX, STATE_INDEX } from '../stores/list-events-store';

/** Deliveries whose last run a bulk replay began, by their outcome so far. */
export interface ReplayCount {
  readonly jobId: string;
  readonly state: DeliveryState;
  readonly deliveries: number;
}

export interface TypeCount {
  readonly type: string;
  readonly events: number;
  readonly lastAt: Date;
}

/** The most events that one count reads: about a second of work. */
export const MAX_COUNTED = 100_000;
/** The most deliveries that are counted for an endpoint. */
export const MAX_WAITING = 10_000;
/** The most events whose types are read. */
export const TYPE_EVENTS = 5_000;
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
    /** Types of the account's newest events, the most frequent first. */
    recentTypes: (accountId: string): Promise<TypeCount[]> =>
      events
        .aggregate<TypeCount>([
          { $match: { account_id: accountId } },
          { $sort: { accepted_at: -1, _id: -1 } },
          { $limit: TYPE_EVENTS },
          { $group: { _id: '$type', events: { $sum: 1 }, lastAt: { $max: '$accepted_at' } } },
          { $sort: { events: -1, _id: 1 } },
          { $limit: 200 },
          { $project: { _id: 0, type: '$_id', events: 1, lastAt: { $toDate: '$lastAt' } } },
        ])
        .toArray(),
  };
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
