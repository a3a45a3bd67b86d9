import type { Collection, Db } from 'mongodb';
import type { ReachedQuota } from '../domain/quota-level';
import { DURABLE } from '../platform/mongo';

interface StoredQuota extends ReachedQuota {
  /** `<account id>/<end of the month>/<limit>`: a tier with another limit is announced for itself. */
  readonly _id: string;
  /** Present until this level, the highest reached in the month, is announced. */
  readonly waits?: true;
}

/** The most that one look finds; the next look finds the others. */
const MOST = 1_000;
/** After the month, for a process that counted its last call in the old month and notes it late. */
const KEPT_SECONDS = 24 * 3_600;

export type ReachedQuotaStore = ReturnType<typeof createReachedQuotaStore>;

/** Which accounts reached which level of their quota in this month: one document for each account and limit. */
export function createReachedQuotaStore(db: Db) {
  const quotas: Collection<StoredQuota> = db.collection('reached_quotas');
  return {
    async ensureIndexes(): Promise<void> {
      await quotas.createIndexes([
        { key: { reached_at: 1 }, partialFilterExpression: { waits: true } },
        { key: { account_id: 1 } },
        { key: { resets_at: 1 }, expireAfterSeconds: KEPT_SECONDS },
      ]);
    },
    /** Notes a level, durably. Changes nothing if it, or a higher one, was noted in this month. */
    async note(reached: ReachedQuota): Promise<void> {
      const stored: StoredQuota = { _id: idOf(reached), ...reached, waits: true };
      const isHigher = { $gt: [reached.level, { $ifNull: ['$level', 0] }] };
      await quotas.updateOne(
        { _id: stored._id },
        [{ $replaceWith: { $cond: [isHigher, { $literal: stored }, '$$ROOT'] } }],
        { upsert: true, writeConcern: DURABLE },
      );
    },
    /** Levels of the current month that are not announced, the oldest first. */
    findUnannounced: (): Promise<ReachedQuota[]> =>
      quotas
        .find({ waits: true, $expr: { $gt: ['$resets_at', '$$NOW'] } }, { projection: { _id: 0, waits: 0 } })
        .sort({ reached_at: 1 })
        .limit(MOST)
        .toArray(),
    /** Records that these levels are announced. A higher one that was reached meanwhile is left alone. */
    async markAnnounced(found: readonly ReachedQuota[]): Promise<void> {
      if (found.length === 0) return;
      const updates = found.map((reached) => ({
        updateOne: {
          filter: { _id: idOf(reached), level: reached.level },
          update: { $unset: { waits: true as const } },
        },
      }));
      await quotas.bulkWrite(updates, { ordered: false });
    },
  };
}

function idOf({ account_id: accountId, resets_at: resetsAt, limit }: ReachedQuota): string {
  return `${accountId}/${resetsAt.toISOString()}/${limit}`;
}
