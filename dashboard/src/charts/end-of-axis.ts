/** Of the columns that are not empty, this part is shown as a whole. */
const WHOLE_SHARE = 0.95;
/** Up to this many times the height of those, nothing is cut: they still have half of the height. */
const TIMES = 2;

/**
 * The greatest number that an axis of columns needs. A burst in one of twenty columns would flatten all others, so its column
 * is cut: at twice what 95 % of the columns with a number stay below (nearest rank). Below 20 columns nothing is cut.
 */
export function endOfAxis(numbers: readonly number[]): number {
  const ordered = numbers.filter((number) => number > 0).sort((one, other) => one - other);
  const high = ordered[Math.ceil(ordered.length * WHOLE_SHARE) - 1] ?? 0;
  return Math.min(ordered.at(-1) ?? 0, TIMES * high);
}
