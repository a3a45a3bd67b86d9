import fc from 'fast-check';
import { namedRows } from '../../dashboard/src/charts/axis-times';

const DAY_MINUTES = 1_440;

/** Rows of spans: `first` and `grain` in minutes. */
function rowsFrom(first: number, grain: number, count: number) {
  return Array.from({ length: count }, (_, index) => ({ minuteOfDay: (first + index * grain) % DAY_MINUTES }));
}

/** The times of day that an axis names, in minutes. */
function namedTimes(rows: ReturnType<typeof rowsFrom>, step: number): number[] {
  return namedRows(rows, step).map((index) => rows[index]!.minuteOfDay);
}

it('names round times in an hour of 5-minute spans', () => {
  expect(namedTimes(rowsFrom(14 * 60 + 35, 5, 12), 3)).toEqual([14 * 60 + 45, 15 * 60, 15 * 60 + 15, 15 * 60 + 30]);
});

it('names every third hour of a day, where one hour has no room', () => {
  expect(namedTimes(rowsFrom(16 * 60, 60, 24), 2.5)).toEqual([18, 21, 0, 3, 6, 9, 12, 15].map((hour) => hour * 60));
});

it('names each day of a week once, at its midnight', () => {
  expect(namedTimes(rowsFrom(17 * 60, 60, 168), 16)).toEqual(Array(7).fill(0));
});

it('names days at equal distances where not each has room', () => {
  const named = namedRows(rowsFrom(17 * 60, 60, 720), 66);

  expect(new Set(named.slice(1).map((index, place) => index - named[place]!))).toEqual(new Set([72]));
});

it('names rows without a time of day from the last one on', () => {
  expect(
    namedRows(
      Array.from({ length: 10 }, () => ({})),
      4,
    ),
  ).toEqual([1, 5, 9]);
});

it('names something wherever the day begins, and no two that have no room beside each other', () => {
  const grains = fc.constantFrom(5, 60);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: DAY_MINUTES - 1 }),
      grains,
      fc.integer({ min: 1, max: 720 }),
      fc.integer({ min: 1, max: 80 }),
      (first, grain, count, step) => {
        const named = namedRows(rowsFrom(first, grain, count), step);

        expect(named.length).toBeGreaterThan(0);
        for (const [place, index] of named.slice(1).entries())
          expect(index - named[place]!).toBeGreaterThanOrEqual(step);
      },
    ),
  );
});
