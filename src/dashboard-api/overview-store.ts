import { Timestamp, type Collection, type Db, type Document } from 'mongodb';
import { UNFINISHED_STATES, type DeliveryState } from '../domain/delivery-state';
import { EVENTS_COLLECTION, REPLAYED_INDEX, type StoredEvent } from '../record/event-store';

/** Deliveries of the events that were accepted in one hour, by outcome so far. */
export interface HourCount {
  readonly from: Date;
  readonly state: DeliveryState;
  readonly deliveries: number;
}

/** The counts of an account's latest events. */
export interface EventCounts {
  readonly events: number;
  /** When the oldest of the counted events was accepted. */
  readonly oldest: Date | null;
  readonly byHour: readonly HourCount[];
}

/** Deliveries whose last run a bulk replay began, by what became of them so far. */
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
/** The most events whose types are read. */
export const TYPE_EVENTS = 5_000;
const MAX_TIME_MS = 8_000;

export type OverviewStore = ReturnType<typeof createOverviewStore>;

/** The queries of the overview. Every read is bounded, however many events an account has. */
export function createOverviewStore(db: Db) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  return {
    /** Counts the events accepted since then: at most the newest `MAX_COUNTED`. */
    async countSince(accountId: string, since: Date): Promise<EventCounts> {
      const [found] = await events
        .aggregate<EventCounts>([...newest(accountId, since, MAX_COUNTED), ...COUNT], { maxTimeMS: MAX_TIME_MS })
        .toArray();
      return found ?? { events: 0, oldest: null, byHour: [] };
    },
    /** Unfinished deliveries, whenever their events were accepted; at most `MAX_COUNTED`. */
    async countUnfinished(accountId: string): Promise<ReadonlyMap<DeliveryState, number>> {
      const found = await events
        .aggregate<{ _id: DeliveryState; count: number }>(
          [
            // Uses the index of an account's states.
            { $match: { account_id: accountId, 'destinations.state': { $in: UNFINISHED_STATES } } },
            { $limit: MAX_COUNTED },
            { $project: { 'destinations.state': 1 } },
            { $unwind: '$destinations' },
            { $match: { 'destinations.state': { $in: UNFINISHED_STATES } } },
            { $group: { _id: '$destinations.state', count: { $sum: 1 } } },
          ],
          { maxTimeMS: MAX_TIME_MS },
        )
        .toArray();
      return new Map(found.map(({ _id, count }) => [_id, count]));
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
          ...newest(accountId, new Date(0), TYPE_EVENTS),
          { $group: { _id: '$type', events: { $sum: 1 }, lastAt: { $max: '$accepted_at' } } },
          { $sort: { events: -1, _id: 1 } },
          { $limit: 200 },
          { $project: { _id: 0, type: '$_id', events: 1, lastAt: { $toDate: '$lastAt' } } },
        ])
        .toArray(),
  };
}

/** An account's newest events, without their data. */
function newest(accountId: string, since: Date, limit: number): Document[] {
  const from = new Timestamp({ t: Math.floor(since.getTime() / 1_000), i: 0 });
  return [
    { $match: { account_id: accountId, accepted_at: { $gte: from } } },
    { $sort: { accepted_at: -1, _id: -1 } },
    { $limit: limit },
    { $project: { type: 1, accepted_at: 1, 'destinations.state': 1 } },
  ];
}

/** Counts the events of `newest`, and their deliveries by hour of acceptance and state. */
const COUNT: Document[] = [
  { $set: { accepted_at: { $toDate: '$accepted_at' } } },
  {
    $facet: {
      all: [{ $group: { _id: null, events: { $sum: 1 }, oldest: { $min: '$accepted_at' } } }],
      byHour: [
        { $unwind: '$destinations' },
        {
          $group: {
            _id: { from: { $dateTrunc: { date: '$accepted_at', unit: 'hour' } }, state: '$destinations.state' },
            deliveries: { $sum: 1 },
          },
        },
        { $project: { _id: 0, from: '$_id.from', state: '$_id.state', deliveries: 1 } },
      ],
    },
  },
  { $unwind: '$all' },
  { $project: { events: '$all.events', oldest: '$all.oldest', byHour: 1 } },
];

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
