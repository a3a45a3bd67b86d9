/** A billing tier: what an account may call (docs/spec.md, "Limits"). */
export interface Tier {
  /** Lower-case id, as `account.tier` stores it. */
  readonly id: string;
  readonly name: string;
  /** Calls a UTC calendar month; `null` is unlimited. */
  readonly monthlyQuota: number | null;
  /** Calls in a 60-second window. */
  readonly perMinute: number;
  /** Deliveries in a 60-second window, over all that creates or sends them. */
  readonly deliveriesPerMinute: number;
  /** Deliveries that are not finished at a time; `null` is unlimited. */
  readonly pendingDeliveries: number | null;
}

/** A tier as an operator names it. */
export type TierSetting = Omit<Tier, 'deliveriesPerMinute' | 'pendingDeliveries'> & {
  readonly deliveriesPerMinute?: number | undefined;
  readonly pendingDeliveries?: number | null | undefined;
};

/** Deliveries for each call of a minute: every call an event with so many destinations. */
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

/** The tiers of this installation: the defaults, with an operator's changes and additions laid over them. */
export function mergeTiers(changes: readonly TierSetting[]): ReadonlyMap<string, Tier> {
  return new Map([...DEFAULT_TIERS, ...changes.map(withBudget)].map((tier) => [tier.id, tier]));
}

/**
 * A tier whose budgets are not named has ten deliveries for each call of its minute, and as many pending ones as a month's
 * calls begin with ten destinations each: receivers that are down for the whole schedule fill none.
 */
function withBudget(tier: TierSetting): Tier {
  const { monthlyQuota, pendingDeliveries: pending } = tier;
  return {
    ...tier,
    deliveriesPerMinute: tier.deliveriesPerMinute ?? tier.perMinute * DELIVERIES_PER_CALL,
    pendingDeliveries: pending === undefined ? monthlyQuota && monthlyQuota * DELIVERIES_PER_CALL : pending,
  };
}
