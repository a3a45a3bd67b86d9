import type { Collection, Db, Document } from 'mongodb';
import { ACCOUNTS_COLLECTION } from '../accounts/account-store';
import { isTimeOver, timeIsOver } from '../domain/clock-set-back';
import type { Tier } from '../domain/tiers';
import { EVENTS_COLLECTION, sumUnfinished, type StoredEvent } from '../stores/event-store';
import { FAST } from '../platform/mongo';
import { byAccount, isWindowOver, limitsOf, windowIsOver, type LimitedAccount } from './windows';

/** How much of its deliveries of the minute an account has used. */
export interface DeliveryStanding {
  /** The account's budget. */
  readonly perMinute: number;
  /** The database's clock. */
  readonly now: Date;
  /** Null when no window is open. */
  readonly windowStartedAt: Date | null;
  /** Deliveries counted in the window. */
  readonly used: number;
  /** The account's budget of unfinished deliveries; null is unlimited. */
  readonly pendingLimit: number | null;
  /** The number of unfinished deliveries at the last count plus all counted since: an upper bound. */
  readonly pendingAtMost: number;
  /** When they may be counted again, by the database's clock; null means now. */
  readonly countAgainAt: Date | null;
}

/** Deliveries that a process has created and not reported yet. */
export interface DeliveryReport {
  /** The window in which they were created. A window that has ended counts nothing more. */
  readonly windowStartedAt: Date;
  /** Below 0 for deliveries that were reported and then not created. */
  readonly count: number;
}

/** Deliveries to count now. */
export interface DeliveryCharge {
  readonly count: number;
  /** All of them, as long as any budget is left; or as many as are left of a share of it, in percent. */
  readonly of: 'whole' | { readonly sharePercent: number };
  /** Whether they are new: new ones are also refused while too many are unfinished. */
  readonly areNew: boolean;
}

/** As often as the sweeper looks at gates. */
export const MIN_BETWEEN_COUNTS_MS = 1_000;
/** So counting takes at most a tenth of the time. */
const RESTS_PER_COUNT = 10;
/** If the process dies during a count, another one counts after this. */
const COUNT_LEASE_MS = 30_000;
/** The longest pause after a count: a time further ahead is from before the clock was set back. */
const MAX_BETWEEN_COUNTS_MS = COUNT_LEASE_MS * RESTS_PER_COUNT;

/** As stored. */
export interface DeliveryCounters {
  readonly window_started_at: Date;
  readonly window_used: number;
  /** All deliveries ever counted. */
  readonly total?: number;
  /**
   * The number of unfinished deliveries at the last count, minus `total` at that moment; absent before the first count.
   */
  readonly pending_base?: number;
  readonly count_again_at?: Date;
}

type CountedAccount = LimitedAccount & {
  readonly _id: string;
  readonly deliveries: DeliveryCounters & { readonly decided_at: Date; readonly granted: number };
};

const STARTED_AT = '$deliveries.window_started_at';
const USED = '$deliveries.window_used';
const GRANTED = '$deliveries.granted';
const TOTAL = { $ifNull: ['$deliveries.total', 0] };
const PENDING_AT_MOST = { $add: [TOTAL, { $ifNull: ['$deliveries.pending_base', 0] }] };

export type DeliveryBudgetStore = ReturnType<typeof createDeliveryBudgetStore>;

/**
 * Counts deliveries in the account's document. `LimitStore` adds reports to its updates of calls.
 *
 * @param tiers by id
 */
export function createDeliveryBudgetStore(db: Db, tiers: ReadonlyMap<string, Tier>) {
  const accounts: Collection<CountedAccount> = db.collection(ACCOUNTS_COLLECTION);
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  return {
    /** @returns null for an unknown account */
    async charge(
      accountId: string,
      charge: DeliveryCharge,
      report?: DeliveryReport,
    ): Promise<(DeliveryStanding & { readonly granted: number }) | null> {
      const update = [...reportStages(report), ...chargeStages(tiers, charge)];
      const account = await accounts.findOneAndUpdate({ _id: accountId }, update, {
        returnDocument: 'after',
        projection: { tier: 1, own_limits: 1, deliveries: 1 },
        writeConcern: FAST,
      });
      if (!account) return null;
      const { deliveries } = account;
      return {
        ...standingOf(limitsOf(tiers, account), deliveries.decided_at, deliveries),
        granted: deliveries.granted,
      };
    },
    /**
     * Counts an account's unfinished deliveries in the index, over at most `limit` events, and stores the number for
     * all processes. One count of an account runs at a time, followed by a pause of ten times its duration.
     *
     * @returns false when the account was counted a moment ago, or another process is counting it
     */
    async countPending(accountId: string, limit: number): Promise<boolean> {
      const isTime = timeIsOver('$deliveries.count_again_at', MAX_BETWEEN_COUNTS_MS);
      // Reads the total first: a delivery created during the count is counted twice rather than not at all. So until
      // the next count the number is off by what is being accepted at this moment.
      const begun = await accounts.findOneAndUpdate(
        { _id: accountId, $expr: isTime },
        [{ $set: { 'deliveries.count_again_at': { $add: ['$$NOW', COUNT_LEASE_MS] } } }],
        { returnDocument: 'after', projection: { deliveries: 1 }, writeConcern: FAST },
      );
      if (!begun) return false;
      const startedAtMs = performance.now();
      const pending = await sumUnfinished(events, accountId, limit);
      const restMs = restAfter(performance.now() - startedAtMs);
      const base = pending - (begun.deliveries?.total ?? 0);
      await accounts.updateOne(
        { _id: accountId },
        [{ $set: { 'deliveries.pending_base': base, 'deliveries.count_again_at': { $add: ['$$NOW', restMs] } } }],
        { writeConcern: FAST },
      );
      return true;
    },
  };
}

function restAfter(countMs: number): number {
  return Math.min(Math.max(MIN_BETWEEN_COUNTS_MS, countMs * RESTS_PER_COUNT), MAX_BETWEEN_COUNTS_MS);
}

/** The standing of an account with these counters. */
export function standingOf(tier: Tier, now: Date, counters: DeliveryCounters | undefined): DeliveryStanding {
  const countAgainAt = counters?.count_again_at;
  const mayCount = !countAgainAt || isTimeOver(countAgainAt.getTime() - now.getTime(), MAX_BETWEEN_COUNTS_MS);
  const isOpen = counters !== undefined && !isWindowOver(counters.window_started_at, now.getTime());
  return {
    perMinute: tier.deliveriesPerMinute,
    now,
    windowStartedAt: isOpen ? counters.window_started_at : null,
    used: isOpen ? counters.window_used : 0,
    pendingLimit: tier.pendingDeliveries,
    pendingAtMost: (counters?.total ?? 0) + (counters?.pending_base ?? 0),
    countAgainAt: mayCount ? null : countAgainAt,
  };
}

/** The update stages that count what a process reports. */
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
  const budget = byAccount(tiers, 'deliveries_per_minute', ({ deliveriesPerMinute }) => deliveriesPerMinute);
  const granted =
    of === 'whole'
      ? { $cond: [{ $lt: [USED, budget] }, count, 0] }
      : { $max: [0, { $min: [count, { $subtract: [shareOf(budget, of.sharePercent), USED] }] }] };
  const pendingLimit = byAccount(
    tiers,
    'pending_deliveries',
    ({ pendingDeliveries }) => pendingDeliveries ?? Number.MAX_SAFE_INTEGER,
  );
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

/** At least one: a share of a budget of 1 would otherwise be zero. */
function shareOf(budget: Document, percent: number): Document {
  return { $max: [1, { $floor: { $divide: [{ $multiply: [budget, percent] }, 100] } }] };
}
