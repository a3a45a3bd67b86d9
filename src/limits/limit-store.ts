import type { Collection, Db, Document } from 'mongodb';
import { ACCOUNTS_COLLECTION, eventSettingsOf, named, type Account } from '../accounts/account-store';
import type { BodyShape } from '../domain/body-form';
import type { EventTypeMode } from '../domain/event-type-modes';
import type { Tier } from '../domain/tiers';
import { FAST } from '../platform/mongo';
import {
  reportStages,
  standingOf,
  type DeliveryCounters,
  type DeliveryReport,
  type DeliveryStanding,
} from './delivery-budget-store';
import { byAccount, limitsOf, windowIsOver } from './windows';

/** An account's counters after a decision, all by the database's clock. */
export interface Usage {
  readonly accountId: string;
  /** The id that the account's owner chose; absent if there is none. */
  readonly externalId: string | undefined;
  /** With the account's own limits. */
  readonly tier: Tier;
  readonly endpointsVersion: number;
  readonly searchFields: readonly string[];
  /** The shape of bodies of endpoints without their own; absent: the envelope. */
  readonly defaultBody: BodyShape | undefined;
  /** What an ingest does with types that the catalog does not know; absent: as the installation says. */
  readonly eventTypes: EventTypeMode | undefined;
  /** How many days finished events are kept; absent: as long as the installation keeps them. */
  readonly retentionDays: number | undefined;
  /** A suspended account may make no call. */
  readonly isSuspended: boolean;
  /** The database's clock at the decision. */
  readonly now: Date;
  readonly windowStartedAt: Date;
  /** Calls admitted in the window, these included. */
  readonly windowUsed: number;
  /** Calls counted in the calendar month, these included. */
  readonly quotaUsed: number;
  /** Start of the next UTC month. */
  readonly quotaResetsAt: Date;
  /** How many of the requested calls were admitted. */
  readonly admitted: number;
  readonly deliveries: DeliveryStanding;
}

/** Calls that were counted at one time. */
export interface Refund {
  readonly admittedAt: Date;
  readonly calls: number;
}

/** Which counters of an account: those of the APIs with keys, or the estimator's. */
export type LimitScope = 'limits' | 'estimator_limits';

interface Counters {
  readonly decided_at: Date;
  readonly window_started_at: Date;
  readonly window_used: number;
  readonly month: Date;
  readonly quota_used: number;
  readonly admitted: number;
}

/** An account's document with its counters, after `admission`. */
type CountedAccount = Readonly<Record<LimitScope, Counters>> &
  Pick<
    Account,
    | '_id'
    | 'external_id'
    | 'tier'
    | 'own_limits'
    | 'endpoints_version'
    | 'search_fields'
    | 'defaults'
    | 'event_types'
    | 'retention_days'
    | 'suspended_at'
  > & {
    /** Present once a delivery was counted. */
    readonly deliveries?: DeliveryCounters;
  };

/** The fields of an account that a decision returns, beside its counters. */
const READ = {
  ...{ external_id: 1, tier: 1, own_limits: 1, endpoints_version: 1, search_fields: 1, suspended_at: 1 },
  ...{ defaults: 1, event_types: 1, retention_days: 1, deliveries: 1 },
};

export type LimitStore = ReturnType<typeof createLimitStore>;

/**
 * Decides on calls and keeps the counters, in the account's own document.
 *
 * @param tiers by id; an account whose tier is not among them is limited as `free`
 * @param scope counters of different scopes are independent
 */
export function createLimitStore(db: Db, tiers: ReadonlyMap<string, Tier>, scope: LimitScope = 'limits') {
  const accounts: Collection<CountedAccount> = db.collection(ACCOUNTS_COLLECTION);
  const usageOf = (account: CountedAccount): Usage => {
    const limits = limitsOf(tiers, account);
    // The estimator has no quota.
    const tier = scope === 'limits' ? limits : { ...limits, monthlyQuota: null };
    const counters = account[scope];
    return {
      accountId: account._id,
      externalId: account.external_id,
      tier,
      ...eventSettingsOf(account),
      isSuspended: account.suspended_at !== undefined,
      now: counters.decided_at,
      windowStartedAt: counters.window_started_at,
      windowUsed: counters.window_used,
      quotaUsed: counters.quota_used,
      quotaResetsAt: nextMonth(counters.month),
      admitted: counters.admitted,
      deliveries: standingOf(tier, counters.decided_at, account.deliveries),
    };
  };
  const decide = async (
    account: string,
    report: DeliveryReport | undefined,
    admitted: (left: Document) => Document,
  ): Promise<Usage | null> => {
    const update = [...admission(tiers, admitted, scope), ...reportStages(report)];
    const after = await accounts.findOneAndUpdate(named(account), update, {
      returnDocument: 'after',
      projection: { ...READ, [scope]: 1 },
      writeConcern: FAST,
    });
    return after && usageOf(after);
  };
  return {
    /**
     * Admits as many of `calls` as window and quota allow, in one atomic update.
     *
     * @param account its id, or its `external_id`
     * @param report deliveries to count in the same update
     * @returns null for an unknown account
     */
    admit: (account: string, calls: number, report?: DeliveryReport) =>
      decide(account, report, (left) => ({ $max: [0, { $min: [calls, left] }] })),
    /** Admits all of the calls if window and quota allow; otherwise counts one, if that fits. */
    admitWhole: (account: string, calls: number, report?: DeliveryReport) =>
      decide(account, report, (left) => ({
        $cond: [{ $lte: [calls, left] }, calls, { $max: [0, { $min: [1, left] }] }],
      })),
    /** Reads the account's counters without a write. @returns null for an unknown account */
    async read(account: string): Promise<Usage | null> {
      const pipeline = [{ $match: named(account) }, ...admission(tiers, () => ({ $literal: 0 }), scope)];
      const [found] = await accounts.aggregate<CountedAccount>(pipeline).toArray();
      return found ? usageOf(found) : null;
    },
    /** Returns calls to the quotas of their months: a 5xx answer does not count. */
    async refund(accountId: string, refunds: readonly Refund[]): Promise<void> {
      // Of the current month: earlier ones no longer count.
      const month = Math.max(...refunds.map(({ admittedAt }) => startOfMonth(admittedAt)));
      const calls = refunds
        .filter(({ admittedAt }) => startOfMonth(admittedAt) === month)
        .reduce((sum, refund) => sum + refund.calls, 0);
      await accounts.updateOne(
        { _id: accountId, [`${scope}.month`]: new Date(month), [`${scope}.quota_used`]: { $gte: calls } },
        { $inc: { [`${scope}.quota_used`]: -calls } },
        { writeConcern: FAST },
      );
    },
  };
}

/**
 * The update that decides: reset what has ended, count what fits. It uses only `$$NOW`, the database's clock.
 *
 * @param admitted how many calls to count, as an expression, of those left
 */
function admission(
  tiers: ReadonlyMap<string, Tier>,
  admitted: (left: Document) => Document,
  scope: LimitScope,
): Document[] {
  const counter = (name: keyof Counters): string => `$${scope}.${name}`;
  const isOver = windowIsOver(counter('window_started_at'));
  const month = { $dateTrunc: { date: '$$NOW', unit: 'month' } };
  const left = {
    $min: [
      { $subtract: [byAccount(tiers, 'per_minute', ({ perMinute }) => perMinute), counter('window_used')] },
      ...(scope === 'limits' ? [{ $subtract: [quotaOf(tiers), counter('quota_used')] }] : []),
    ],
  };
  return [
    {
      $set: {
        [scope]: {
          decided_at: '$$NOW',
          window_started_at: { $cond: [isOver, '$$NOW', counter('window_started_at')] },
          window_used: { $cond: [isOver, 0, counter('window_used')] },
          quota_used: { $cond: [{ $eq: [counter('month'), month] }, counter('quota_used'), 0] },
          month,
        },
      },
    },
    { $set: { [`${scope}.admitted`]: { $cond: [{ $gt: ['$suspended_at', null] }, 0, admitted(left)] } } },
    {
      $set: {
        [`${scope}.window_used`]: { $add: [counter('window_used'), counter('admitted')] },
        [`${scope}.quota_used`]: { $add: [counter('quota_used'), counter('admitted')] },
      },
    },
  ];
}

function quotaOf(tiers: ReadonlyMap<string, Tier>): Document {
  return byAccount(tiers, 'monthly_quota', ({ monthlyQuota }) => monthlyQuota ?? Number.MAX_SAFE_INTEGER);
}

function startOfMonth(date: Date): number {
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function nextMonth(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));
}
