/** A billing tier: how much an account may call (docs/spec.md, "Limits"). */
export interface Tier {
  /** Lower-case id, as in `account.tier`. */
  readonly id: string;
  readonly name: string;
  /** Calls a UTC calendar month; `null` is unlimited. */
  readonly monthlyQuota: number | null;
  /** Calls in a 60-second window. */
  readonly perMinute: number;
  /** Deliveries in a 60-second window, over everything that creates or sends them. */
  readonly deliveriesPerMinute: number;
  /** The most unfinished deliveries at a time; `null` is unlimited. */
  readonly pendingDeliveries: number | null;
}

/** A tier as an operator configures it. */
export type TierSetting = Omit<Tier, 'deliveriesPerMinute' | 'pendingDeliveries'> & {
  readonly deliveriesPerMinute?: number | undefined;
  readonly pendingDeliveries?: number | null | undefined;
};

/** Deliveries for each call of a minute: as if every call were an event with this many destinations. */
const DELIVERIES_PER_CALL = 10;

/** The specification's six tiers. */
export const DEFAULT_TIERS: readonly Tier[] = (
  [
    { id: 'free', name: 'Free', monthlyQuota: 500, perMinute: 10 },
    { id: 'developer', name: 'Developer', monthlyQuota: 10_000, perMinute: 60 },
    { id: 'starter', name: 'Starter', monthlyQuota: 50_000, perMinute: 120 },
    { id: 'team', name: 'Team', monthlyQuota: 200_000, perMinute: 300 },
    { id: 'business', name: 'Business', monthlyQuota: 1_000_000, perMinute: 600 },
    { id: 'enterprise', name: 'Enterprise', monthlyQuota: null, perMinute: 3_000 },
  ] satisfies TierSetting[]
).map(withBudget);

/** The tiers of this installation: the defaults, with an operator's changes and additions. */
export function mergeTiers(changes: readonly TierSetting[]): ReadonlyMap<string, Tier> {
  return new Map([...DEFAULT_TIERS, ...changes.map(withBudget)].map((tier) => [tier.id, tier]));
}

/**
 * The default budgets of a tier: ten deliveries for each call of its minute, and as many unfinished ones as a month's
 * calls create with ten destinations each. Receivers that are down for the whole schedule don't use that up.
 */
function withBudget(tier: TierSetting): Tier {
  const { monthlyQuota, pendingDeliveries: pending } = tier;
  return {
    ...tier,
    deliveriesPerMinute: tier.deliveriesPerMinute ?? tier.perMinute * DELIVERIES_PER_CALL,
    pendingDeliveries: pending === undefined ? monthlyQuota && monthlyQuota * DELIVERIES_PER_CALL : pending,
  };
}
