import type { Collection, Db } from 'mongodb';
import type { Product } from '../domain/api-key';
import { FAST } from '../platform/mongo';

/** Calls of one operation with one key on one day. */
export interface UsageRecord {
  readonly account_id: string;
  /** `2026-11-21`, in UTC. */
  readonly day: string;
  readonly key_id: string;
  /** The key's product. */
  readonly product: Product;
  /** The operation's id in the OpenAPI document. */
  readonly operation: string;
  readonly calls: number;
}

interface StoredUsage extends UsageRecord {
  readonly _id: string;
  readonly expires_at: Date;
}

/** A year and a month, so that a bill can be compared with last year's. */
const KEPT_FOR_DAYS = 400;
const DAY_MS = 86_400_000;

export type UsageStore = ReturnType<typeof createUsageStore>;

/** Stores which of the counted operations accounts used. */
export function createUsageStore(db: Db) {
  const usage: Collection<StoredUsage> = db.collection('usage');
  return {
    async ensureIndexes(): Promise<void> {
      await usage.createIndexes([
        { key: { account_id: 1, day: -1 } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    /** Adds calls to the stored counts. */
    async add(records: readonly UsageRecord[]): Promise<void> {
      const updates = records.map(({ calls, ...record }) => ({
        updateOne: {
          filter: { _id: [record.account_id, record.day, record.key_id, record.operation].join('/') },
          update: {
            $inc: { calls },
            $setOnInsert: { ...record, expires_at: new Date(Date.parse(record.day) + KEPT_FOR_DAYS * DAY_MS) },
          },
          upsert: true,
        },
      }));
      if (updates.length > 0) await usage.bulkWrite(updates, { ordered: false, writeConcern: FAST });
    },
    /** An account's usage, newest day first. @param since first day, `2026-11-01` */
    list: (accountId: string, since: string): Promise<UsageRecord[]> =>
      usage
        .find({ account_id: accountId, day: { $gte: since } }, { projection: { _id: 0, expires_at: 0 } })
        .sort({ day: -1, operation: 1, key_id: 1 })
        .toArray(),
  };
}
