import type { ChartRow } from './chart-part';

/** Distances between times on an axis, in minutes. */
const ROUND_DISTANCES = [5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440];

/**
 * Chooses the rows that an axis of times names: those at round times of the reader's day, as many as have room. Rows
 * without a time of day are named at equal distances, from the last one on.
 *
 * @param rows at equal distances in time, the oldest first
 * @param step how many rows a name takes; may be a fraction
 * @returns indices of rows
 */
export function namedRows(rows: readonly Pick<ChartRow, 'minuteOfDay'>[], step: number): number[] {
  const all = rows.map((_, index) => index);
  const choices = ROUND_DISTANCES.map((distance) =>
    all.filter((index) => (rows[index]?.minuteOfDay ?? NaN) % distance === 0),
  ).filter(({ length }) => length > 0);
  const chosen = choices.find((choice) => spacingOf(choice) >= step) ?? choices.at(-1) ?? all;
  const every = Math.max(1, Math.ceil(step / spacingOf(chosen)));
  return chosen.filter((_, place) => (chosen.length - 1 - place) % every === 0);
}

/** How many rows two neighbours are apart. */
function spacingOf([first, second]: readonly number[]): number {
  return first === undefined || second === undefined ? Infinity : second - first;
}
