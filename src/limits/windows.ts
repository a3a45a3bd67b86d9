import { isTimeOver, timeIsOver } from '../domain/clock-set-back';
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
 * An expression: the value of `of` for the account's tier; an account whose tier is not among them is limited as
 * `free`. The update itself reads the tier, so a changed tier applies at once and costs no extra look-up.
 */
export function byTier(tiers: ReadonlyMap<string, Tier>, of: (tier: Tier) => number): Expression {
  return {
    $switch: {
      branches: [...tiers.values()].map((tier) => ({ case: { $eq: ['$tier', tier.id] }, then: of(tier) })),
      default: of(tierOf(tiers, 'free')),
    },
  };
}

/** The tier of an account; one that is not configured counts as `free`. */
export function tierOf(tiers: ReadonlyMap<string, Tier>, id: string): Tier {
  return tiers.get(id) ?? tiers.get('free')!;
}
