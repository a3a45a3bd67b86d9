import { nice, ticks } from 'd3-array';

const MAX_TICKS = 4;

/** An axis of numbers that begins with 0. */
export interface Scale {
  readonly ticks: readonly number[];
  /** The number at its end. */
  readonly end: number;
  /** How many pixels a number is away from 0. */
  readonly of: (value: number) => number;
}

/**
 * Makes an axis with round numbers.
 *
 * @param most the greatest number that is drawn
 * @param length in pixels
 * @param isWhole whether fractions have no meaning
 */
export function createScale(most: number, length: number, isWhole: boolean): Scale {
  const [, end] = nice(0, most || 1, MAX_TICKS);
  return {
    end,
    ticks: ticks(0, end, MAX_TICKS).filter((tick) => !isWhole || Number.isInteger(tick)),
    of: (value) => (value / end) * length,
  };
}
