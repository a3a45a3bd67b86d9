/** A billing tier: what an account may call (api-spec, "Limits"). */
export interface Tier {
  /** Lower-case id, as `account.tier` stores it. */
  readonly id: string;
  readonly name: string;
  /** Calls a UTC calendar month; `null` is unlimited. */
  readonly monthlyQuota: number | null;
  /** Calls in a 60-second window. */
  readonly perMinute: number;
}

/** The specification's six tiers. */
export const DEFAULT_TIERS: readonly Tier[] = [
  { id: 'free', name: 'Free', monthlyQuota: 500, perMinute: 10 },
  { id: 'developer', name: 'Developer', monthlyQuota: 10_000, perMinute: 60 },
  { id: 'starter', name: 'Starter', monthlyQuota: 50_000, perMinute: 120 },
  { id: 'team', name: 'Team', monthlyQuota: 200_000, perMinute: 300 },
  { id: 'business', name: 'Business', monthlyQuota: 1_000_000, perMinute: 600 },
  { id: 'enterprise', name: 'Enterprise', monthlyQuota: null, perMinute: 3_000 },
];

/** The tiers of this installation: the defaults, with an operator's changes and additions laid over them. */
export function mergeTiers(changes: readonly Tier[]): ReadonlyMap<string, Tier> {
  return new Map([...DEFAULT_TIERS, ...changes].map((tier) => [tier.id, tier]));
}
