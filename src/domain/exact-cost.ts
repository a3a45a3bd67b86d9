import Big from 'big.js';

/** An exact decimal as a whole number of its last place: 0.0416 is 416 with 4 places. */
export interface Units {
  /** At most 2^53 - 1, so that a double holds it exactly. */
  readonly units: number;
  readonly places: number;
}

/** An exact number. Nearly all fit into whole doubles, which are ten times faster than decimals. */
export type Exact = Units | Big;

/** A double holds every decimal of 15 digits, and no two of them share a double. */
const MAX_UNITS = 999_999_999_999_999;
const MAX_PLACES_OF_NUMBER = 12;
/** The largest power of ten that a double holds exactly is 10^22. */
const MAX_PLACES = 22;
const POWERS_OF_TEN = Array.from({ length: MAX_PLACES + 1 }, (_, places) => Number(`1e${places}`));
const CENTS_PLACES = 2;

/** The decimal that JavaScript prints for a number that is not negative. */
export function exactly(number: number): Exact {
  for (let places = 0; places <= MAX_PLACES_OF_NUMBER; places += 1) {
    const power = POWERS_OF_TEN[places]!;
    const units = Math.round(number * power);
    if (units > MAX_UNITS) break;
    // The quotient of two whole doubles is the nearest double: if it equals the number, this is its decimal.
    if (units / power === number) return { units, places };
  }
  return Big(number);
}

/** The exact product. */
export function times(one: Exact, other: Exact): Exact {
  if ('units' in one && 'units' in other) {
    const units = one.units * other.units;
    const places = one.places + other.places;
    if (units <= Number.MAX_SAFE_INTEGER && places <= MAX_PLACES) return { units, places };
  }
  return decimalOf(one).times(decimalOf(other));
}

/** The exact sum. */
export function plus(one: Exact, other: Exact): Exact {
  if ('units' in one && 'units' in other) {
    const places = Math.max(one.places, other.places);
    const units = one.units * POWERS_OF_TEN[places - one.places]! + other.units * POWERS_OF_TEN[places - other.places]!;
    if (units <= Number.MAX_SAFE_INTEGER) return { units, places };
  }
  return decimalOf(one).plus(decimalOf(other));
}

/** The exact difference; `other` must not be larger. */
export function minus(one: Exact, other: Exact): Exact {
  return decimalOf(one).minus(decimalOf(other));
}

/** Rounded half up to cents, as the nearest number. */
export function inCents(exact: Exact): number {
  if (!('units' in exact)) return exact.round(CENTS_PLACES, Big.roundHalfUp).toNumber();
  const { units, places } = exact;
  if (places <= CENTS_PLACES) return units / POWERS_OF_TEN[places]!;
  const divisor = POWERS_OF_TEN[places - CENTS_PLACES]!;
  const rest = units % divisor;
  const cents = (units - rest) / divisor + (rest * 2 >= divisor ? 1 : 0);
  return cents / 100;
}

/**
 * What so many calls cost, in cents half up.
 *
 * @param price of a thousand, as a decimal: `0.40`
 */
export function costOfCalls(calls: number, price: string): number {
  return inCents(times(times(exactly(calls), Big(price)), exactly(0.001)));
}

/** The same number as a decimal. */
export function decimalOf(exact: Exact): Big {
  return 'units' in exact ? Big(`${exact.units}e-${exact.places}`) : exact;
}
