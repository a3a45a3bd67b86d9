import { readTime } from '../../src/cli/command-line';
import { timeParam } from '../../src/http/list-query';

/** The message for a value that is no time; the time otherwise. */
function read(value: unknown): string {
  const { success, data, error } = timeParam.safeParse(value);
  return success ? data.toISOString() : error.issues[0]!.message;
}

const RULE = 'must be a time such as 2026-11-21T12:00:00Z';

it.each([
  ['2026-11-21T12:00:00Z', '2026-11-21T12:00:00.000Z'],
  ['2026-11-21T12:00:00+02:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T12:00:00.123-05:30', '2026-11-21T17:30:00.123Z'],
])('%s is a time', (text, time) => {
  expect(read(text)).toBe(time);
});

it.each<[unknown, string]>([
  ['2026-11-21T12:00:00 02:00', `${RULE}; in a URL, write the + of its offset as %2B`],
  ['2026-11-21T12:00:00.5 0200', `${RULE}; in a URL, write the + of its offset as %2B`],
  ['1795818955', `${RULE}; 1795818955 seconds since 1970 are 2026-11-27T22:35:55Z`],
  [1_795_818_955, `${RULE}; 1795818955 seconds since 1970 are 2026-11-27T22:35:55Z`],
  ['1795818955123', `${RULE}; 1795818955123 milliseconds since 1970 are 2026-11-27T22:35:55.123Z`],
  ['2026-11-21', `${RULE}; for the begin of the day in UTC, write 2026-11-21T00:00:00Z`],
  ['2026-11-21T12:00:00', `${RULE}; it has no offset from UTC, such as Z or +02:00`],
  ['2026-11-21 12:00', `${RULE}; it has no offset from UTC, such as Z or +02:00`],
  ['1795818955.5', `${RULE}; 1795818955.5 seconds since 1970 are 2026-11-27T22:35:55.500Z`],
  ['1795818955123456', `${RULE}; 1795818955123456 microseconds since 1970 are 2026-11-27T22:35:55.123Z`],
  ['2026-11-21T12:00:00+0200', `${RULE}; write 2026-11-21T12:00:00+02:00`],
  ['2026-11-21T12:00:00-05', `${RULE}; write 2026-11-21T12:00:00-05:00`],
  ['2026-11-21 12:00:00+02:00', `${RULE}; write 2026-11-21T12:00:00+02:00`],
  ['2026-11-21 12:00:00 -0500', `${RULE}; write 2026-11-21T12:00:00-05:00`],
  ['2026-11-21t12:00:00z', `${RULE}; write 2026-11-21T12:00:00Z`],
  ['2026-11-21T12:00:00,5Z', `${RULE}; write 2026-11-21T12:00:00.5Z`],
  ['2026-11-21T12:00Z', `${RULE}; write 2026-11-21T12:00:00Z`],
  ['2026-11-21T12:00:00 02', `${RULE}; in a URL, write the + of its offset as %2B`],
  ['2026-11-21 12:00:00 02:00', `${RULE}; in a URL, write the + of its offset as %2B`],
  ['2026-02-30', RULE],
  ['2026-02-30T12:00:00z', RULE],
  ['2026-11-21T25:00:00z', RULE],
  ['yesterday', RULE],
  ['', RULE],
  [null, RULE],
  [{}, RULE],
])('%j gets a message that says what to do', (value, message) => {
  expect(read(value)).toBe(message);
});

it('commands say it too', () => {
  expect(() => readTime('--since', '2026-11-21')).toThrow(
    `--since ${RULE}; for the begin of the day in UTC, write 2026-11-21T00:00:00Z.`,
  );
});
