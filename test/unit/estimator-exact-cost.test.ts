import fc from 'fast-check';
import { exactly, inCents, plus, times, type Exact } from '../../src/domain/exact-cost';
import { centsHalfUp, fraction, product, sum } from '../support/estimator-exact';

/** Numbers with few digits, which are whole doubles inside, and with many, which are decimals. */
const number = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000_000 }),
  fc.tuple(fc.nat(10_000_000), fc.nat(12)).map(([units, places]) => Number(`${units}e-${places}`)),
  fc.double({ min: 0, max: 1e9, noNaN: true }),
  fc.constantFrom(0, -0, 5e-324, 1e-12, 1e-13, 0.1, 999_999_999_999_999, 9_007_199_254_740_991, 1e15, 1e300),
);
const centsOf = (exact: Exact): bigint => BigInt(Math.round(inCents(exact) * 100));
/** Above this, a number of cents is not a whole double. */
const isExact = (cents: bigint): boolean => cents <= 1_000_000_000_000_000n;

it('sums of products are exact with any number of digits', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number, number), { minLength: 1, maxLength: 8 }), (terms) => {
      const exact = terms
        .map(([a, b, c]) => times(times(exactly(a), exactly(b)), exactly(c)))
        .reduce((one, other) => plus(one, other));
      const expected = centsHalfUp(sum(terms.map((factors) => product(...factors.map(fraction)))));
      fc.pre(isExact(expected));
      expect(centsOf(exact)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

it('a number counts as the decimal that JavaScript prints for it', () => {
  fc.assert(
    fc.property(number, (value) => {
      const exact = exactly(value);
      const printed = fraction(value);
      const held = 'units' in exact ? fraction(`${Math.abs(exact.units)}e-${exact.places}`) : fraction(exact.toFixed());
      expect(held.numerator * printed.denominator).toBe(printed.numerator * held.denominator);
    }),
    { numRuns: 2_000 },
  );
});

it.each([
  [1.005, 1.01],
  [1.004_999_999_999, 1],
  [0.005, 0.01],
  [0.004_999, 0],
  [2.675, 2.68],
  [1.015, 1.02],
  [10.075, 10.08],
  [999_999_999.995, 1_000_000_000],
])('%d is %d in cents', (value, cents) => {
  expect(inCents(exactly(value))).toBe(cents);
});
