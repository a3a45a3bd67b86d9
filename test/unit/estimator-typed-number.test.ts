import fc from 'fast-check';
import { readNumber } from '../../dashboard/src/estimator/typed-number';

const plain = (number: number): string =>
  number.toLocaleString('en-US', { maximumFractionDigits: 15, useGrouping: false });

describe('a number field of the estimator', () => {
  it.each([
    ['0', 0],
    ['2.5', 2.5],
    ['.5', 0.5],
    ['5.', 5],
    [' 730 ', 730],
    ['007', 7],
    ['1,000', 1_000],
    ['1,234,567.25', 1_234_567.25],
    ['100000000000000000000', 1e20],
    ['0.100000000000000000000', 0.1],
  ])('reads %j', (text, value) => {
    expect(readNumber(text)).toEqual({ value });
  });

  it.each(['', '   ', '-3', '−3', '-0'])('leaves %j to the range of the field', (text) => {
    expect(readNumber(text)).toEqual({ value: Number.NaN });
  });

  it.each([
    ['1e6', 'Write all its digits: 1000000'],
    ['2.5E-3', 'Write all its digits: 0.0025'],
    ['0,5', 'Write decimals with a point: 0.5'],
    ['1,5', 'Write decimals with a point: 1.5'],
    ['1.000,5', 'Write decimals with a point: 1000.5'],
    ['1 000 000', 'Write it without spaces or marks: 1000000'],
    ["1'000", 'Write it without spaces or marks: 1000'],
    ['0.1234567890123456', 'Must have at most 15 digits'],
    ['5k', '“5k” is not a number; type one such as 1500 or 0.5'],
    ['1.000.000', '“1.000.000” is not a number; type one such as 1500 or 0.5'],
    ['10,00', 'Write decimals with a point: 10.00'],
    ['1e999', '“1e999” is not a number; type one such as 1500 or 0.5'],
    ['0x10', '“0x10” is not a number; type one such as 1500 or 0.5'],
    ['Infinity', '“Infinity” is not a number; type one such as 1500 or 0.5'],
    ['٣', '“٣” is not a number; type one such as 1500 or 0.5'],
    ['x'.repeat(99), `“${'x'.repeat(20)}…” is not a number; type one such as 1500 or 0.5`],
  ])('refuses %j, and says what to type', (text, problem) => {
    expect(readNumber(text)).toEqual({ value: Number.NaN, problem });
  });

  it('reads every decimal of at most 15 digits as it was typed, with commas too', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999_999_999 }),
        fc.integer({ min: 0, max: 12 }),
        (units, places) => {
          const number = Number(`${units}e-${places}`);
          expect(readNumber(plain(number))).toEqual({ value: number });
          const grouped = number.toLocaleString('en-US', { maximumFractionDigits: 15 });
          expect(readNumber(grouped)).toEqual({ value: number });
        },
      ),
    );
  });

  it('never calculates with a text that says something else, and gives advice that it takes', () => {
    const nearly = fc
      .array(fc.constantFrom('0', '1', '5', '00', '000', ',', '.', 'e', '-', '+', ' ', "'"), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(nearly, fc.string()), (text) => {
        const { value, problem } = readNumber(text);
        if (!Number.isNaN(value)) {
          expect(problem).toBeUndefined();
          expect(text.trim()).toMatch(/^[\d,]*\.?\d*$/);
          expect(value).toBe(Number(text.replaceAll(',', '')));
        }
        const advised = /: ([\d.]+)$/.exec(problem ?? '')?.[1];
        if (advised !== undefined) expect(readNumber(advised).value).not.toBeNaN();
      }),
      { numRuns: 1_000 },
    );
  });
});
