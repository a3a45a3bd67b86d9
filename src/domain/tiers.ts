/** The most endpoints that a tier can allow: one event may go to all of them, and is one document. */
export const MAX_ENDPOINTS = 1_000;

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
  /** The most endpoints at a time; at most `MAX_ENDPOINTS`. */
  readonly endpoints: number;
  /**
   * Attempts in a minute to one receiver (host and port) from each process, over all accounts whose tier bounds them;
   * `null` is unlimited.
   */
  readonly attemptsPerReceiver: number | null;
  /** Bytes of `data` stored in a UTC day; `null` is unlimited. */
  readonly storedBytesPerDay: number | null;
  /** The price of a thousand calls in dollars, as a decimal: `0.40`. Absent for a tier without a price. */
  readonly pricePer1000?: string | undefined;
}

/** Limits that have defaults. */
type Budgets = Pick<
  Tier,
  'deliveriesPerMinute' | 'pendingDeliveries' | 'endpoints' | 'attemptsPerReceiver' | 'storedBytesPerDay'
>;

/** A tier as an operator configures it. */
export type TierSetting = Omit<Tier, keyof Budgets> & { readonly [K in keyof Budgets]?: Budgets[K] | undefined };

/** Deliveries for each call of a minute: as if every call were an event with this many destinations. */
const DELIVERIES_PER_CALL = 10;
const DEFAULT_ENDPOINTS = 100;
/** The tier of whoever signs up: it is unknown whether its receivers are its own. */
const STRANGERS_TIER = 'free';
/** Three times the deliveries of such an account, for its retries. */
const STRANGERS_ATTEMPTS_PER_RECEIVER = 300;
/** The most that a call stores. */
const BYTES_PER_CALL = 262_144;

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
 * calls create with ten destinations each. Receivers that are down for the whole schedule don't use that up. A day may
 * store what a month's calls could, so only test events can exceed it.
 */
function withBudget(tier: TierSetting): Tier {
  const { id, monthlyQuota, pendingDeliveries: pending, attemptsPerReceiver, storedBytesPerDay } = tier;
  return {
    ...tier,
    deliveriesPerMinute: tier.deliveriesPerMinute ?? tier.perMinute * DELIVERIES_PER_CALL,
    pendingDeliveries: pending === undefined ? monthlyQuota && monthlyQuota * DELIVERIES_PER_CALL : pending,
    endpoints: tier.endpoints ?? DEFAULT_ENDPOINTS,
    attemptsPerReceiver:
      attemptsPerReceiver === undefined
        ? id === STRANGERS_TIER
          ? STRANGERS_ATTEMPTS_PER_RECEIVER
          : null
        : attemptsPerReceiver,
    storedBytesPerDay:
      storedBytesPerDay === undefined ? monthlyQuota && monthlyQuota * BYTES_PER_CALL : storedBytesPerDay,
  };
}
