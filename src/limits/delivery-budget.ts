import { TooManyRequestsError } from '../domain/errors';
import { createDeliveryLedger, type DeliveryLedger } from './delivery-ledger';
import type { DeliveryBudgetStore, DeliveryCharge, DeliveryStanding } from './delivery-store';
import { WINDOW_MS } from './windows';

/**
 * What an account may have delivered in a minute, over everything that creates or sends deliveries.
 *
 * A window takes deliveries as long as anything of it is left: what was begun last may go beyond it. So an event whose
 * destinations are more than the budget is accepted, at the price of the rest of the minute.
 */
export interface DeliveryBudget {
  /** What the limiter's updates tell of. */
  readonly ledger: DeliveryLedger;
  /**
   * Counts deliveries of an ingest, whose call was counted before: as `DeliveryLedger` does.
   *
   * @throws TooManyRequestsError `delivery_budget_exceeded`
   */
  take(accountId: string, count: number): Promise<void>;
  /** The same, counted in the database at once. @throws TooManyRequestsError */
  takeNow(accountId: string, count: number): Promise<void>;
  /** Counts up to `most` deliveries of a bulk replay, which leaves half of each minute to everything else. */
  takeForReplay(accountId: string, most: number): Promise<ReplayShare>;
  /** Deliveries that were counted, and then were not created. */
  giveBack(accountId: string, count: number): void;
}

export interface ReplayShare {
  readonly granted: number;
  /** Milliseconds until the window ends. */
  readonly nextInMs: number;
}

/** Live events find the other half free, however much is replayed. */
const REPLAY_SHARE = { sharePercent: 50 };

export function createDeliveryBudget(store: DeliveryBudgetStore): DeliveryBudget {
  const ledger = createDeliveryLedger();
  const charge = async (accountId: string, how: DeliveryCharge) => {
    const told = await ledger.tellWith(accountId, async (report) => {
      const standing = await store.charge(accountId, how, report);
      return standing && { deliveries: standing };
    });
    return told?.deliveries;
  };
  const takeNow: DeliveryBudget['takeNow'] = async (accountId, count) => {
    if (count === 0) return;
    const standing = await charge(accountId, { count, of: 'whole' });
    if (standing?.granted === 0) throw exceeded(standing);
  };
  return {
    ledger,
    async take(accountId, count) {
      // The database has the last word: nobody is refused for what a process only believes.
      if (count > 0 && !ledger.take(accountId, count)) await takeNow(accountId, count);
    },
    takeNow,
    async takeForReplay(accountId, most) {
      const standing = await charge(accountId, { count: most, of: REPLAY_SHARE });
      return standing ? { granted: standing.granted, nextInMs: leftOf(standing) } : { granted: most, nextInMs: 0 };
    },
    giveBack: (accountId, count) => {
      if (count > 0) ledger.giveBack(accountId, count);
    },
  };
}

/** For what Everpost itself or its operator sends. */
export const UNCOUNTED: Pick<DeliveryBudget, 'take' | 'takeNow' | 'giveBack'> = {
  take: () => Promise.resolve(),
  takeNow: () => Promise.resolve(),
  giveBack: () => undefined,
};

function leftOf({ now, windowStartedAt }: DeliveryStanding): number {
  return (windowStartedAt ?? now).getTime() + WINDOW_MS - now.getTime();
}

function exceeded(standing: DeliveryStanding): TooManyRequestsError {
  const waitMs = leftOf(standing);
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  const resetAt = new Date(standing.now.getTime() + waitMs).toISOString();
  return new TooManyRequestsError(
    `The budget of ${standing.perMinute} deliveries a minute is used up: each matching endpoint, test event, retry and ` +
      `replay counts as one. It is open again at ${resetAt}, in ${retryAfterSeconds} s.`,
    'delivery_budget_exceeded',
    retryAfterSeconds,
    { retry_after: retryAfterSeconds, remaining: 0, delivery_limit: standing.perMinute, reset_at: resetAt },
  );
}
