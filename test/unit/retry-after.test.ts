import fc from 'fast-check';
import { MAX_RETRY_AFTER_MS, parseRetryAfter } from '../../src/domain/retry-after';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

describe('values of Retry-After (RFC 9110, 10.2.3)', () => {
  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Sat, 21 Nov 2026 12:00:30 GMT', 30_000],
    ['Saturday, 21-Nov-26 12:00:30 GMT', 30_000],
    ['Sat Nov 21 12:00:30 2026', 30_000],
    // A date in the past means no wait; one in the distant future is cut to 24 hours.
    ['Sun, 06 Nov 1994 08:49:37 GMT', 0],
    ['86401', MAX_RETRY_AFTER_MS],
    ['999999999999', MAX_RETRY_AFTER_MS],
    ['Sat, 21 Nov 2037 12:00:00 GMT', MAX_RETRY_AFTER_MS],
  ])('%j means %i ms', (header, expected) => {
    expect(parseRetryAfter(header, NOW)).toBe(expected);
  });

  it.each(['', 'soon', '-5', '1.5', '1e3', '0x10', '2026-11-21T12:00:30Z', 'Sat, 21 Nov 2026 12:00:30', '5, 6'])(
    '%j is neither seconds nor a date',
    (header) => {
      expect(parseRetryAfter(header, NOW)).toBeUndefined();
    },
  );
});

it('any value gives a wait from 0 to 24 hours, or none', () => {
  const header = fc.oneof(
    fc.string(),
    fc.integer().map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
  );
  fc.assert(
    fc.property(header, fc.integer({ min: 0, max: 4e12 }), (text, nowMs) => {
      const waitMs = parseRetryAfter(text, nowMs);
      return waitMs === undefined || (waitMs >= 0 && waitMs <= MAX_RETRY_AFTER_MS);
    }),
  );
});

it('every second of the next day is understood in each of the three date formats', () => {
  const second = fc.integer({ min: 0, max: 86_400 }).map((seconds) => NOW + seconds * 1_000);
  fc.assert(
    fc.property(second, (atMs) => {
      for (const form of dateForms(new Date(atMs))) expect(parseRetryAfter(form, NOW)).toBe(atMs - NOW);
    }),
  );
});

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** IMF-fixdate, RFC 850 and asctime. */
function dateForms(date: Date): string[] {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/.exec(date.toUTCString())!;
  const name = DAYS[date.getUTCDay()]!;
  const short = name.slice(0, 3);
  return [
    date.toUTCString(),
    `${name}, ${day}-${month}-${year!.slice(2)} ${time} GMT`,
    `${short} ${month} ${String(Number(day)).padStart(2)} ${time} ${year}`,
  ];
}
