import type { TooManyRequestsError } from '../domain/errors';
import { createDeliveryLedger } from './delivery-ledger';
import {
  MIN_BETWEEN_COUNTS_MS,
  type DeliveryBudgetStore,
  type DeliveryCharge,
  type DeliveryStanding,
} from './delivery-budget-store';
import { deliveryBudgetExceeded, pendingBudgetExceeded } from './refusals';
import { WINDOW_MS } from './windows';

/** The other half stays free for live events, however much is replayed. */
const REPLAY_SHARE = { sharePercent: 50 };
const NOTHING: DeliveryCharge = { count: 0, of: 'whole', areNew: false };

export type DeliveryBudget = ReturnType<typeof createDeliveryBudget>;

/**
 * How many deliveries an account may have in a minute, over everything that creates or sends deliveries, and how many
 * may be unfinished.
 *
 * A window accepts deliveries as long as any of it is left, and the last call may exceed it. So an event with more
 * destinations than the budget is accepted, and uses up the rest of the minute.
 */
export function createDeliveryBudget(store: DeliveryBudgetStore) {
  const ledger = createDeliveryLedger();
  const chargeOnce = async (accountId: string, how: DeliveryCharge) => {
    const told = await ledger.flushWith(accountId, async (report) => {
      const standing = await store.charge(accountId, how, report);
      return standing && { deliveries: standing };
    });
    return told?.deliveries;
  };
  /** Counts under way in this process, by account. */
  const counting = new Map<string, Promise<boolean>>();
  const countPending = (accountId: string, limit: number): Promise<boolean> => {
    const begun =
      counting.get(accountId) ??
      // Reports first: otherwise deliveries not reported yet would be counted twice, in the index now and when they are
      // reported.
      chargeOnce(accountId, NOTHING)
        .then(() => store.countPending(accountId, limit))
        .finally(() => counting.delete(accountId));
    counting.set(accountId, begun);
    return begun;
  };
  const charge: typeof chargeOnce = async (accountId, how) => {
    const standing = await chargeOnce(accountId, how);
    if (!standing || standing.granted > 0 || !how.areNew || !isFull(standing)) return standing;
    const isCounted = await countPending(accountId, standing.pendingLimit!).catch(() => false);
    return isCounted ? chargeOnce(accountId, how) : standing;
  };
  /** Like `take`, but counted in the database at once. @throws TooManyRequestsError */
  const takeNow = async (accountId: string, count: number): Promise<void> => {
    if (count === 0) return;
    const standing = await charge(accountId, { count, of: 'whole', areNew: true });
    if (standing?.granted === 0) throw isFull(standing) ? tooManyPending(standing) : exceeded(standing);
  };
  const giveBack = (accountId: string, count: number): void => {
    if (count > 0) ledger.giveBack(accountId, count);
  };
  /** Counts again before the upper bound gets too high, so that no call has to wait for a count. */
  const countInTime = (accountId: string): void => {
    const { pendingLimit: limit, pendingAtMost } = ledger.pending(accountId);
    if (limit === null || pendingAtMost < limit / 2) return;
    countPending(accountId, limit).catch(() => undefined);
  };
  return {
    /** The deliveries that the limiter's updates report. */
    ledger,
    /**
     * Counts deliveries of an ingest whose call was already counted, like `DeliveryLedger`.
     *
     * @throws TooManyRequestsError `delivery_budget_exceeded`, or `pending_budget_exceeded` while too many are
     *   unfinished
     */
    async take(accountId: string, count: number): Promise<void> {
      // The database decides: a call is never refused only because of what a process remembers.
      if (count === 0) return;
      countInTime(accountId);
      if (!ledger.take(accountId, count)) await takeNow(accountId, count);
    },
    takeNow,
    /**
     * Counts a retry. It creates nothing new, so it is allowed however many are unfinished. @throws
     * TooManyRequestsError
     */
    async takeRetry(accountId: string): Promise<void> {
      const standing = await charge(accountId, { count: 1, of: 'whole', areNew: false });
      if (standing?.granted === 0) throw exceeded(standing);
    },
    /**
     * Counts up to `most` deliveries of a bulk replay, which leaves half of each minute to everything else.
     *
     * @returns `nextInMs`: milliseconds until more are available
     */
    async takeForReplay(accountId: string, most: number) {
      const standing = await charge(accountId, { count: most, of: REPLAY_SHARE, areNew: true });
      if (!standing) return { granted: most, nextInMs: 0 };
      return { granted: standing.granted, nextInMs: isFull(standing) ? untilCountOf(standing) : leftOf(standing) };
    },
    /** Deliveries that were counted and then not created. */
    giveBack,
    /**
     * Like `giveBack`, but written at once: the process of a bulk replay may get no call that would report it. If this
     * fails, the account's next update reports it.
     */
    async giveBackNow(accountId: string, count: number): Promise<void> {
      giveBack(accountId, count);
      if (count > 0) await chargeOnce(accountId, NOTHING).catch(() => undefined);
    },
  };
}

/** For deliveries that Everpost itself or its operator sends. */
export const UNCOUNTED: Pick<DeliveryBudget, 'take' | 'takeNow' | 'takeRetry' | 'giveBack'> = {
  take: () => Promise.resolve(),
  takeNow: () => Promise.resolve(),
  takeRetry: () => Promise.resolve(),
  giveBack: () => undefined,
};

function leftOf({ now, windowStartedAt }: DeliveryStanding): number {
  return (windowStartedAt ?? now).getTime() + WINDOW_MS - now.getTime();
}

function isFull({ pendingLimit, pendingAtMost }: DeliveryStanding): boolean {
  return pendingLimit !== null && pendingAtMost >= pendingLimit;
}

function untilCountOf({ now, countAgainAt }: DeliveryStanding): number {
  return countAgainAt ? countAgainAt.getTime() - now.getTime() : MIN_BETWEEN_COUNTS_MS;
}

function tooManyPending(standing: DeliveryStanding): TooManyRequestsError {
  return pendingBudgetExceeded(standing.pendingLimit ?? 0, Math.max(1, Math.ceil(untilCountOf(standing) / 1_000)));
}

function exceeded(standing: DeliveryStanding): TooManyRequestsError {
  const waitMs = leftOf(standing);
  return deliveryBudgetExceeded(standing.perMinute, {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
    resetsAt: new Date(standing.now.getTime() + waitMs),
  });
}
