import type { Collection, Db } from 'mongodb';
import { NO_DELIVERIES, type DayActivity, type DeliveryCounts } from '../domain/delivery-counts';
import { FAST } from '../platform/mongo';

/** What deliveries are counted by: all of an account by day, and those of each endpoint, type and key by month. */
export const DELIVERY_GROUPS = ['account', 'endpoint', 'type', 'key'] as const;
export type DeliveryGroup = (typeof DELIVERY_GROUPS)[number];

const DAY_MS = 86_400_000;
/** From the begin of a period: thirteen months, so that a month can be compared with the same one of the year before. */
const KEPT_FOR_DAYS = 400;
/** The most names that one report reads. Each process counts a hundred in a month, and one more hundred after each start. */
const MAX_NAMES = 1_000;
/** Two months. */
const MAX_DAYS = 62;

/** The deliveries of an account, or of one of its endpoints, types or keys. */
interface StoredCounts extends Omit<DeliveryCounts, 'times'>, Partial<DayActivity> {
  /** `<account id>/<group>/<period>/<name>` */
  readonly _id: string;
  readonly account_id: string;
  readonly group: DeliveryGroup;
  /** In UTC: `2026-11-21` of an account, else `2026-11`. */
  readonly period: string;
  /** The id or the type; empty of an account. */
  readonly name: string;
  readonly times?: DeliveryCounts['times'];
  readonly expires_at: Date;
}

/** What to add. */
export interface DeliveryAddition {
  readonly accountId: string;
  readonly group: DeliveryGroup;
  readonly period: string;
  readonly name: string;
  readonly counts: DeliveryCounts;
  /** Of an account's day only. */
  readonly activity?: DayActivity;
}

/** What an account did on one day. */
export interface AccountDay extends DayActivity {
  readonly accountId: string;
  /** `2026-11-21`, in UTC. */
  readonly day: string;
  readonly deliveries: number;
}

/** Counts of a day, or of one endpoint, type or key. */
export interface NamedCounts {
  /** The day, the id or the type. */
  readonly name: string;
  readonly counts: DeliveryCounts;
}

export type DeliveryCountStore = ReturnType<typeof createDeliveryCountStore>;

/** Counts of accepted and finished deliveries. */
export function createDeliveryCountStore(db: Db) {
  const stored: Collection<StoredCounts> = db.collection('delivery_counts');
  return {
    async ensureIndexes(): Promise<void> {
      await stored.createIndexes([
        { key: { account_id: 1, group: 1, period: 1, name: 1 } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    /** Adds counts, in one command. */
    async add(additions: readonly DeliveryAddition[]): Promise<void> {
      if (additions.length > 0) await stored.bulkWrite(additions.map(updateOf), { ordered: false, writeConcern: FAST });
    },
    /** An account's deliveries by day, of the days from `from` to `to`, the oldest first. Days without any are left out. */
    days: (accountId: string, from: string, to: string): Promise<NamedCounts[]> =>
      stored
        .find({ account_id: accountId, group: 'account', period: { $gte: from, $lte: to } })
        .sort({ period: 1 })
        .limit(MAX_DAYS)
        .map((counted) => ({ name: counted.period, counts: countsOf(counted) }))
        .toArray(),
    /** What these accounts did on the days from `from` to before `before`, in any order. Days without anything are left out. */
    ofAccounts: (accountIds: readonly string[], from: string, before: string): Promise<AccountDay[]> =>
      stored
        .find(
          { account_id: { $in: [...accountIds] }, group: 'account', period: { $gte: from, $lt: before } },
          { projection: { account_id: 1, period: 1, accepted: 1, events: 1, attempts: 1, failed_attempts: 1 } },
        )
        .map(({ account_id: accountId, period: day, accepted: deliveries, ...activity }) => {
          const { events = 0, attempts = 0, failed_attempts = 0 } = activity;
          return { accountId, day, deliveries, events, attempts, failed_attempts };
        })
        .toArray(),
    /** An account's deliveries of a month by endpoint, type or key, at most a thousand names. */
    names: (accountId: string, group: DeliveryGroup, month: string): Promise<NamedCounts[]> =>
      stored
        .find({ account_id: accountId, group, period: month })
        .sort({ name: 1 })
        .limit(MAX_NAMES)
        .map((counted) => ({ name: counted.name, counts: countsOf(counted) }))
        .toArray(),
  };
}

function countsOf({ accepted, delivered, failed, recovered, times }: StoredCounts): DeliveryCounts {
  return { accepted, delivered, failed, recovered, times: times ?? NO_DELIVERIES.times };
}

function updateOf({ accountId, group, period, name, counts, activity }: DeliveryAddition) {
  const { times, ...numbers } = counts;
  const byBucket = Object.entries(times).map(([bucket, count]) => [`times.${bucket}`, count]);
  return {
    updateOne: {
      filter: { _id: [accountId, group, period, name].join('/') },
      update: {
        $inc: { ...numbers, ...activity, ...Object.fromEntries(byBucket) },
        $setOnInsert: {
          account_id: accountId,
          group,
          period,
          name,
          expires_at: new Date(Date.parse(period) + KEPT_FOR_DAYS * DAY_MS),
        },
      },
      upsert: true,
    },
  };
}
