/** Part of the monthly quota, in percent, that is announced when it is reached. */
export type QuotaLevel = 80 | 100;

/** An account that reached a level of its monthly quota, as it is stored and announced. */
export interface ReachedQuota {
  readonly account_id: string;
  readonly level: QuotaLevel;
  /** Calls counted in the month when it was found, and how many the tier allows. */
  readonly used: number;
  readonly limit: number;
  /** By the database's clock, like all its times. */
  readonly reached_at: Date;
  /** Start of the next month. */
  readonly resets_at: Date;
}

const ALMOST: QuotaLevel = 80;

/**
 * The highest level that this many calls reach.
 *
 * @param limit null is unlimited
 * @returns null below the lowest level
 */
export function quotaLevel(used: number, limit: number | null): QuotaLevel | null {
  if (limit === null) return null;
  if (used >= limit) return 100;
  return used * 100 >= limit * ALMOST ? ALMOST : null;
}
