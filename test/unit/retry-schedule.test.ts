import fc from 'fast-check';
import { formatDuration, parseDurationMs } from '../../src/domain/duration';
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from '../../src/domain/retry-schedule';

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const unit = fc.constantFrom(...(Object.keys(UNITS) as (keyof typeof UNITS)[]));

describe('the retry schedule', () => {
  it('has eight attempts over 26 h 35 min 36 s by default', () => {
    const schedule = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE);
    expect(schedule).toEqual([0, 1_000, 5_000, 30_000, 300_000, 1_800_000, 7_200_000, 86_400_000]);
    expect(schedule.reduce((sum, delayMs) => sum + delayMs)).toBe(((26 * 60 + 35) * 60 + 36) * 1_000);
  });

  it('has one delay for each attempt, in the written order, with any spacing', () => {
    const delay = fc.record({ count: fc.integer({ min: 0, max: 7 }), unit });
    const gap = fc.constantFrom('', ' ', '  ');
    fc.assert(
      fc.property(fc.array(fc.tuple(delay, gap, gap), { minLength: 1, maxLength: 20 }), (delays) => {
        const text = delays
          .map(([{ count, unit: name }, before, after]) => `${before}${count}${name}${after}`)
          .join(',');
        expect(parseRetrySchedule(text)).toEqual(delays.map(([{ count, unit: name }]) => count * UNITS[name]));
      }),
    );
  });

  it.each(['', ',', '0s,', '1', '1s;2s', '1 s', '-1s', '1e3s', 'soon', '1S', '0s,,1s', '١s', 'NaNs', '1.s', '.5s'])(
    '%j is refused, and the message names the unreadable part',
    (text) => {
      expect(() => parseRetrySchedule(text)).toThrow(RangeError);
      expect(() => parseRetrySchedule(text)).toThrow('is not a duration');
    },
  );

  it('more than 20 attempts or a delay of more than 7 days is refused', () => {
    expect(parseRetrySchedule(Array(20).fill('1s').join(','))).toHaveLength(20);
    expect(() => parseRetrySchedule(Array(21).fill('1s').join(','))).toThrow('at most 20');
    expect(parseRetrySchedule('7d')).toEqual([7 * UNITS.d]);
    expect(() => parseRetrySchedule('169h')).toThrow('at most 7d');
  });
});

describe('durations', () => {
  it('are read in every unit, also with a fraction', () => {
    expect(['100ms', '30s', '5m', '2h', '1d', '1.5s', '0.25h', '0s'].map(parseDurationMs)).toEqual([
      100, 30_000, 300_000, 7_200_000, 86_400_000, 1_500, 900_000, 0,
    ]);
  });

  it('read back as they were written', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.nat(),
          fc.nat({ max: 10_000 }).map((n) => n * 1_000),
          fc.nat({ max: 200 }).map((n) => n * UNITS.h),
        ),
        (ms) => {
          expect(parseDurationMs(formatDuration(ms))).toBe(ms);
        },
      ),
    );
  });

  it('are written the way people say them', () => {
    const schedule = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE);
    expect(schedule.map(formatDuration).join(',')).toBe(DEFAULT_RETRY_SCHEDULE);
  });
});

it('any text is refused or gives a schedule of whole milliseconds, none above 7 days', () => {
  const nearly = fc.tuple(
    fc.oneof(fc.string({ maxLength: 4 }), fc.float().map(String)),
    fc.oneof(unit, fc.string({ maxLength: 2 })),
  );
  fc.assert(
    fc.property(
      nearly.map((parts) => parts.join('')),
      (text) => {
        let schedule: readonly number[] = [];
        try {
          schedule = parseRetrySchedule(text);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
        expect(schedule.every((ms) => Number.isInteger(ms) && ms >= 0 && ms <= 7 * UNITS.d)).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
});
