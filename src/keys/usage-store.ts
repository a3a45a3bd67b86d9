import type { Collection, Db } from 'mongodb';
import type { Product } from '../domain/api-key';
import type { CallRefusal } from '../domain/call-refusals';
import { FAST } from '../platform/mongo';

/** The `operation` of the calls under `/api/v1`, all together: those that count in the quota. */
export const API_CALLS = 'api';

/** Calls with one key on one day: those of the API, or those of one operation outside of the quota. */
export interface UsageRecord {
  readonly account_id: string;
  /** `2026-11-21`, in UTC. */
  readonly day: string;
  readonly key_id: string;
  /** The key's product. */
  readonly product: Product;
  /** `API_CALLS`, or the operation's id in the OpenAPI document. */
  readonly operation: string;
  /** Those that count in the quota, if it is `API_CALLS`. */
  readonly calls: number;
  /** Calls of the API that got 429, by the code of the error; those without any are absent. */
  readonly refused?: Readonly<Partial<Record<CallRefusal, number>>>;
}

/** The calls of an account on one day. */
export interface AccountCalls {
  readonly accountId: string;
  readonly day: string;
  readonly calls: number;
}

interface StoredUsage extends UsageRecord {
  readonly _id: string;
  readonly expires_at: Date;
}

/** A year and a month, so that a bill can be compared with last year's. */
const KEPT_FOR_DAYS = 400;
const DAY_MS = 86_400_000;
/** The most records that one report reads: 25 keys in 400 days, and some 40 ms of work. */
const MAX_RECORDS = 10_000;

export type UsageStore = ReturnType<typeof createUsageStore>;

/**
 * Stores how many calls accounts made, and how many were refused.
 *
 * @param most only tests change it
 */
export function createUsageStore(db: Db, most = MAX_RECORDS) {
  const usage: Collection<StoredUsage> = db.collection('usage');
  return {
    async ensureIndexes(): Promise<void> {
      await usage.createIndexes([
        { key: { account_id: 1, day: -1, operation: 1, key_id: 1 } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    /** Adds calls to the stored counts. */
    async add(records: readonly UsageRecord[]): Promise<void> {
      const updates = records.map(({ calls, refused = {}, ...record }) => ({
        updateOne: {
          filter: { _id: [record.account_id, record.day, record.key_id, record.operation].join('/') },
          update: {
            $inc: {
              calls,
              ...Object.fromEntries(Object.entries(refused).map(([reason, count]) => [`refused.${reason}`, count])),
            },
            $setOnInsert: { ...record, expires_at: new Date(Date.parse(record.day) + KEPT_FOR_DAYS * DAY_MS) },
          },
          upsert: true,
        },
      }));
      if (updates.length > 0) await usage.bulkWrite(updates, { ordered: false, writeConcern: FAST });
    },
    /** How many calls these accounts made on the days from `from` to before `before`, in any order. */
    callsOfAccounts: (accountIds: readonly string[], from: string, before: string): Promise<AccountCalls[]> =>
      usage
        .aggregate<AccountCalls>([
          {
            $match: { account_id: { $in: [...accountIds] }, day: { $gte: from, $lt: before }, operation: API_CALLS },
          },
          { $group: { _id: { account: '$account_id', day: '$day' }, calls: { $sum: '$calls' } } },
          { $project: { _id: 0, accountId: '$_id.account', day: '$_id.day', calls: 1 } },
        ])
        .toArray(),
    /**
     * An account's usage, newest day first. An account may use any number of keys on a day, so older days are left out
     * once there are `most` records.
     *
     * @param since first day, `2026-11-01`
     * @returns the records, and the first day that they cover
     */
    async list(accountId: string, since: string): Promise<{ readonly records: UsageRecord[]; readonly since: string }> {
      const found = await usage
        .find({ account_id: accountId, day: { $gte: since } }, { projection: { _id: 0, expires_at: 0 } })
        .sort({ day: -1, operation: 1, key_id: 1 })
        .limit(most + 1)
        .toArray();
      const cut = found[most]?.day;
      if (cut === undefined) return { records: found, since };
      const complete = found.filter(({ day }) => day > cut);
      // So many on the newest day alone: it is shown as far as it goes.
      if (complete.length === 0) return { records: found.slice(0, most), since: cut };
      return { records: complete, since: dayAfter(cut) };
    },
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}
