import type { Collection, Db, Document } from 'mongodb';
import { ACCOUNTS_COLLECTION } from '../accounts/store';
import type { Tier } from '../domain/tiers';
import { FAST } from '../platform/mongo';

/** An account's counters after a decision, all by the database's clock. */
export interface Usage {
  readonly tier: Tier;
  readonly endpointsVersion: number;
  /** The database's clock at the decision. */
  readonly now: Date;
  readonly windowStartedAt: Date;
  /** Calls admitted in the window, these included. */
  readonly windowUsed: number;
  /** Calls counted in the calendar month, these included. */
  readonly quotaUsed: number;
  /** Start of the next UTC month. */
  readonly quotaResetsAt: Date;
  /** How many of the calls asked for were admitted. */
  readonly admitted: number;
}

/** Decides on calls and keeps the counters, in the account's own document. */
export interface LimitStore {
  /** Admits as many of `calls` as window and quota allow, in one atomic update. @returns null for an unknown account */
  admit(accountId: string, calls: number): Promise<Usage | null>;
  /** Where the account stands, nothing written. @returns null for an unknown account */
  read(accountId: string): Promise<Usage | null>;
  /** Takes back one call of the month that `month` lies in: an answer of 5xx does not count. */
  refund(accountId: string, month: Date): Promise<void>;
}

/** Length of the burst window (api-spec, "Limits"). */
export const WINDOW_MS = 60_000;

/** An account's document with its counters, as `admission` leaves it. */
interface CountedAccount {
  readonly _id: string;
  readonly tier: string;
  readonly endpoints_version: number;
  readonly limits: {
    readonly decided_at: Date;
    readonly window_started_at: Date;
    readonly window_used: number;
    readonly month: Date;
    readonly quota_used: number;
    readonly admitted: number;
  };
}

/**
 * @param tiers by id; an account whose tier is not among them is limited as `free`
 */
export function createLimitStore(db: Db, tiers: ReadonlyMap<string, Tier>): LimitStore {
  const accounts: Collection<CountedAccount> = db.collection(ACCOUNTS_COLLECTION);
  const fallback = tiers.get('free')!;
  const usageOf = (account: CountedAccount): Usage => ({
    tier: tiers.get(account.tier) ?? fallback,
    endpointsVersion: account.endpoints_version,
    now: account.limits.decided_at,
    windowStartedAt: account.limits.window_started_at,
    windowUsed: account.limits.window_used,
    quotaUsed: account.limits.quota_used,
    quotaResetsAt: nextMonth(account.limits.month),
    admitted: account.limits.admitted,
  });
  return {
    async admit(accountId, calls) {
      const after = await accounts.findOneAndUpdate({ _id: accountId }, admission(tiers, fallback, calls), {
        returnDocument: 'after',
        projection: { tier: 1, endpoints_version: 1, limits: 1 },
        writeConcern: FAST,
      });
      return after && usageOf(after);
    },
    async read(accountId) {
      const pipeline = [{ $match: { _id: accountId } }, ...admission(tiers, fallback, 0)];
      const [account] = await accounts.aggregate<CountedAccount>(pipeline).toArray();
      return account ? usageOf(account) : null;
    },
    async refund(accountId, month) {
      await accounts.updateOne(
        { _id: accountId, 'limits.month': startOfMonth(month), 'limits.quota_used': { $gt: 0 } },
        { $inc: { 'limits.quota_used': -1 } },
        { writeConcern: FAST },
      );
    },
  };
}

/** The update that decides: reset what is over, count what fits. Only `$$NOW`, the database's clock, is asked. */
function admission(tiers: ReadonlyMap<string, Tier>, fallback: Tier, calls: number): Document[] {
  const windowIsOver = {
    $gte: [{ $subtract: ['$$NOW', { $ifNull: ['$limits.window_started_at', new Date(0)] }] }, WINDOW_MS],
  };
  const month = { $dateTrunc: { date: '$$NOW', unit: 'month' } };
  return [
    {
      $set: {
        limits: {
          decided_at: '$$NOW',
          window_started_at: { $cond: [windowIsOver, '$$NOW', '$limits.window_started_at'] },
          window_used: { $cond: [windowIsOver, 0, '$limits.window_used'] },
          quota_used: { $cond: [{ $eq: ['$limits.month', month] }, '$limits.quota_used', 0] },
          month,
        },
      },
    },
    {
      $set: {
        'limits.admitted': {
          $max: [
            0,
            {
              $min: [
                calls,
                { $subtract: [byTier(tiers, fallback, ({ perMinute }) => perMinute), '$limits.window_used'] },
                {
                  $subtract: [
                    byTier(tiers, fallback, ({ monthlyQuota }) => monthlyQuota ?? Number.MAX_SAFE_INTEGER),
                    '$limits.quota_used',
                  ],
                },
              ],
            },
          ],
        },
      },
    },
    {
      $set: {
        'limits.window_used': { $add: ['$limits.window_used', '$limits.admitted'] },
        'limits.quota_used': { $add: ['$limits.quota_used', '$limits.admitted'] },
      },
    },
  ];
}

/** The account's tier is read inside the update, so a changed tier holds at once and costs no extra look-up. */
function byTier(tiers: ReadonlyMap<string, Tier>, fallback: Tier, of: (tier: Tier) => number): Document {
  return {
    $switch: {
      branches: [...tiers.values()].map((tier) => ({ case: { $eq: ['$tier', tier.id] }, then: of(tier) })),
      default: of(fallback),
    },
  };
}

function startOfMonth(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
}

function nextMonth(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));
}
