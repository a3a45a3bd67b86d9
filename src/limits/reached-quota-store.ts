import type { Collection, Db } from 'mongodb';
import type { QuotaLevel } from '../domain/quota-level';
import { DURABLE } from '../platform/mongo';

/** An account that reached a level of its monthly quota. All times are by the database's clock. */
export interface ReachedQuota {
  readonly accountId: string;
  readonly level: QuotaLevel;
  /** Calls counted in the month when it was found, and how many the tier allows. */
  readonly used: number;
  readonly limit: number;
  readonly reachedAt: Date;
  /** Start of the next month. */
  readonly resetsAt: Date;
}

interface StoredQuota {
  /** `<account id>/<end of the month>/<limit>`: a tier with another limit is announced for itself. */
  readonly _id: string;
  readonly account_id: string;
  /** The highest level reached in the month. */
  readonly level: QuotaLevel;
  readonly used: number;
  readonly limit: number;
  readonly reached_at: Date;
  readonly resets_at: Date;
  /** Present until this level is announced. */
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
      const { accountId, level, used, limit, reachedAt, resetsAt } = reached;
      const stored: StoredQuota = {
        _id: idOf(reached),
        account_id: accountId,
        level,
        used,
        limit,
        reached_at: reachedAt,
        resets_at: resetsAt,
        waits: true,
      };
      const isHigher = { $gt: [level, { $ifNull: ['$level', 0] }] };
      await quotas.updateOne(
        { _id: stored._id },
        [{ $replaceWith: { $cond: [isHigher, { $literal: stored }, '$$ROOT'] } }],
        { upsert: true, writeConcern: DURABLE },
      );
    },
    /** Levels of the current month that are not announced, the oldest first. */
    async findUnannounced(): Promise<ReachedQuota[]> {
      return quotas
        .find({ waits: true, $expr: { $gt: ['$resets_at', '$$NOW'] } })
        .sort({ reached_at: 1 })
        .limit(MOST)
        .map(({ account_id: accountId, level, used, limit, reached_at: reachedAt, resets_at: resetsAt }) => ({
          accountId,
          level,
          used,
          limit,
          reachedAt,
          resetsAt,
        }))
        .toArray();
    },
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

function idOf({ accountId, resetsAt, limit }: ReachedQuota): string {
  return `${accountId}/${resetsAt.toISOString()}/${limit}`;
}
