import { isTimeOver, timeIsOver } from '../domain/clock-set-back';
import type { Account, OwnLimits } from '../accounts/account-store';
import type { Tier } from '../domain/tiers';

/** An aggregation expression of MongoDB. */
type Expression = Record<string, unknown>;

/** Length of the burst window (docs/spec.md, "Limits") and of the window of deliveries. */
export const WINDOW_MS = 60_000;

/**
 * An expression: whether the window that began at `startedAt` has ended, by the database's clock. A missing one has
 * ended, and so has one from before the clock was set back.
 */
export function windowIsOver(startedAt: string | Date): Expression {
  return timeIsOver({ $add: [startedAt, WINDOW_MS] }, WINDOW_MS);
}

/** The same for a known time of the database's clock. */
export function isWindowOver(startedAt: Date, nowMs: number): boolean {
  return isTimeOver(startedAt.getTime() + WINDOW_MS - nowMs, WINDOW_MS);
}

/**
 * An expression: the account's own limit, or else the value of `of` for its tier; an account whose tier is not among
 * them is limited as `free`. The update itself reads both, so a change applies at once and costs no extra look-up.
 *
 * @param own the account's field; null in it is unlimited
 */
export function byAccount(
  tiers: ReadonlyMap<string, Tier>,
  own: keyof OwnLimits,
  of: (tier: Tier) => number,
): Expression {
  const ofTier = {
    $switch: {
      branches: [...tiers.values()].map((tier) => ({ case: { $eq: ['$tier', tier.id] }, then: of(tier) })),
      default: of(tierOf(tiers, 'free')),
    },
  };
  const field = `$own_limits.${own}`;
  // A missing field does not equal null here.
  return { $cond: [{ $eq: [field, null] }, Number.MAX_SAFE_INTEGER, { $ifNull: [field, ofTier] }] };
}

/** The limits of an account: those of its tier, except its own. */
export function limitsOf(tiers: ReadonlyMap<string, Tier>, { tier: id, own_limits: own = {} }: LimitedAccount): Tier {
  const tier = tierOf(tiers, id);
  return {
    ...tier,
    perMinute: own.per_minute ?? tier.perMinute,
    monthlyQuota: own.monthly_quota === undefined ? tier.monthlyQuota : own.monthly_quota,
    endpoints: own.endpoints ?? tier.endpoints,
    deliveriesPerMinute: own.deliveries_per_minute ?? tier.deliveriesPerMinute,
    pendingDeliveries: own.pending_deliveries ?? tier.pendingDeliveries,
  };
}

/** The part of an account that says how much it may do. */
export type LimitedAccount = Pick<Account, 'tier' | 'own_limits'>;

/** The tier of an account; one that is not configured counts as `free`. */
function tierOf(tiers: ReadonlyMap<string, Tier>, id: string): Tier {
  return tiers.get(id) ?? tiers.get('free')!;
}
