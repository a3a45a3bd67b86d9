/** Part of the monthly quota, in percent, that is announced when it is reached. */
export type QuotaLevel = 80 | 100;

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
