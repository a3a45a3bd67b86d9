import type { Collection, Db, Document } from 'mongodb';
import { ACCOUNTS_COLLECTION } from '../accounts/account-store';
import type { Tier } from '../domain/tiers';
import { FAST } from '../platform/mongo';
import { byTier, tierOf, WINDOW_MS, windowIsOver } from './windows';

/** Where an account stands with its deliveries of the minute. */
export interface DeliveryStanding {
  /** The tier's budget. */
  readonly perMinute: number;
  /** The database's clock. */
  readonly now: Date;
  /** Null when no window is open. */
  readonly windowStartedAt: Date | null;
  /** Deliveries counted in the window. */
  readonly used: number;
  /** The tier's budget of unfinished deliveries; null is unlimited. */
  readonly pendingLimit: number | null;
  /** What was unfinished at the last count, and all that was counted since: there are not more. */
  readonly pendingAtMost: number;
  /** When they may be counted again, by the database's clock; null for now. */
  readonly countAgainAt: Date | null;
}

/** Deliveries that a process has created and not told of yet. */
export interface DeliveryReport {
  /** The window in which they were created. One that is over by now takes nothing more. */
  readonly windowStartedAt: Date;
  /** Below 0 for deliveries that were told of, and then were not created. */
  readonly count: number;
}

/** Deliveries to be counted now. */
export interface DeliveryCharge {
  readonly count: number;
  /**
   * All of them, as long as anything of the budget is left; or as many as are left of a share of it, in percent.
   */
  readonly of: 'whole' | { readonly sharePercent: number };
  /** Whether they are new: those are refused also when too many are unfinished. */
  readonly areNew: boolean;
}

/** Counts deliveries at once, in the account's document. `LimitStore` takes reports along with calls. */
export interface DeliveryBudgetStore {
  /** @returns null for an unknown account */
  charge(
    accountId: string,
    charge: DeliveryCharge,
    report?: DeliveryReport,
  ): Promise<(DeliveryStanding & { readonly granted: number }) | null>;
}

/** As it is stored. */
export interface DeliveryCounters {
  readonly window_started_at: Date;
  readonly window_used: number;
  /** All that were ever counted. */
  readonly total?: number;
  /** How many were unfinished at the last count, less `total` at that moment; absent before it. */
  readonly pending_base?: number;
  readonly count_again_at?: Date;
}

type CountedAccount = {
  readonly _id: string;
  readonly tier: string;
  readonly deliveries: DeliveryCounters & { readonly decided_at: Date; readonly granted: number };
};

const STARTED_AT = '$deliveries.window_started_at';
const USED = '$deliveries.window_used';
const GRANTED = '$deliveries.granted';
const TOTAL = { $ifNull: ['$deliveries.total', 0] };
const PENDING_AT_MOST = { $add: [TOTAL, { $ifNull: ['$deliveries.pending_base', 0] }] };

/** @param tiers by id */
export function createDeliveryBudgetStore(db: Db, tiers: ReadonlyMap<string, Tier>): DeliveryBudgetStore {
  const accounts: Collection<CountedAccount> = db.collection(ACCOUNTS_COLLECTION);
  return {
    async charge(accountId, charge, report) {
      const update = [...reportStages(report), ...chargeStages(tiers, charge)];
      const account = await accounts.findOneAndUpdate({ _id: accountId }, update, {
        returnDocument: 'after',
        projection: { tier: 1, deliveries: 1 },
        writeConcern: FAST,
      });
      if (!account) return null;
      const { deliveries } = account;
      return {
        ...standingOf(tierOf(tiers, account.tier), deliveries.decided_at, deliveries),
        granted: deliveries.granted,
      };
    },
  };
}

/** Where an account with these counters stands. */
export function standingOf(tier: Tier, now: Date, counters: DeliveryCounters | undefined): DeliveryStanding {
  const isOpen = counters !== undefined && now.getTime() - counters.window_started_at.getTime() < WINDOW_MS;
  return {
    perMinute: tier.deliveriesPerMinute,
    now,
    windowStartedAt: isOpen ? counters.window_started_at : null,
    used: isOpen ? counters.window_used : 0,
    pendingLimit: tier.pendingDeliveries,
    pendingAtMost: (counters?.total ?? 0) + (counters?.pending_base ?? 0),
    countAgainAt: counters?.count_again_at && counters.count_again_at > now ? counters.count_again_at : null,
  };
}

/** The stages of an update that count what a process tells of. */
export function reportStages(report: DeliveryReport | undefined): Document[] {
  if (!report) return [];
  const { windowStartedAt, count } = report;
  const isOver = windowIsOver(STARTED_AT);
  const counted = { $cond: [windowIsOver(windowStartedAt), 0, count] };
  return [
    {
      $set: {
        deliveries: {
          window_started_at: { $cond: [isOver, windowStartedAt, STARTED_AT] },
          window_used: { $max: [0, { $add: [{ $cond: [isOver, 0, USED] }, counted] }] },
          total: { $add: [TOTAL, count] },
        },
      },
    },
  ];
}

function chargeStages(tiers: ReadonlyMap<string, Tier>, { count, of, areNew }: DeliveryCharge): Document[] {
  const isOver = windowIsOver(STARTED_AT);
  const budget = byTier(tiers, ({ deliveriesPerMinute }) => deliveriesPerMinute);
  const granted =
    of === 'whole'
      ? { $cond: [{ $lt: [USED, budget] }, count, 0] }
      : {
          $max: [0, { $min: [count, { $subtract: [byTier(tiers, (tier) => shareOf(tier, of.sharePercent)), USED] }] }],
        };
  const pendingLimit = byTier(tiers, ({ pendingDeliveries }) => pendingDeliveries ?? Number.MAX_SAFE_INTEGER);
  const mayBegin = areNew ? { $lt: [PENDING_AT_MOST, pendingLimit] } : true;
  return [
    {
      $set: {
        deliveries: {
          decided_at: '$$NOW',
          window_started_at: { $cond: [isOver, '$$NOW', STARTED_AT] },
          window_used: { $cond: [isOver, 0, USED] },
        },
      },
    },
    { $set: { 'deliveries.granted': { $cond: [mayBegin, granted, 0] } } },
    { $set: { deliveries: { window_used: { $add: [USED, GRANTED] }, total: { $add: [TOTAL, GRANTED] } } } },
  ];
}

/** At least one: a share of a budget of 1 would be none. */
function shareOf({ deliveriesPerMinute }: Tier, percent: number): number {
  return Math.max(1, Math.floor((deliveriesPerMinute * percent) / 100));
}
