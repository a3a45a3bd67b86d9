/** Within English sentences, dates of scripts that run from right to left would change places with the words around them. */
const LOCALE = /^(ar|dv|fa|he|ks|ku|ps|sd|ug|ur|yi)\b/.test(Intl.DateTimeFormat().resolvedOptions().locale)
  ? 'en'
  : undefined;

/**
 * Formats every day and time of day on the pages in the browser's locale: `2:02 PM` for one reader, `14:02` for another, and
 * never both on one page.
 */
const CLOCK = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric' });
const UTC_DAY = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const DAY_AND_CLOCK = new Intl.DateTimeFormat(LOCALE, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});
const CLOCK_TO_SECOND = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });
const EXACT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time down to the second, with its day and year: `Jan 3, 2026, 1:34:05 AM`. */
export function exactTime(at: string): string {
  return EXACT.format(new Date(at));
}

/** A time of day alone, down to the second: `2:02:07 PM`. */
export function exactClock(at: string): string {
  return CLOCK_TO_SECOND.format(new Date(at));
}

/** A time to the minute, with its day if that is not today's: `2:02 PM`, `Nov 23, 2:02 PM`. */
export function clockTime(at: string): string {
  const date = new Date(at);
  return isSameDay(date, new Date()) ? CLOCK.format(date) : DAY_AND_CLOCK.format(date);
}

/** A time of day alone: `2:02 PM`. */
export function timeOfDay(at: string): string {
  return CLOCK.format(new Date(at));
}

/** A time to the minute, always with its day: `Nov 23, 2:02 PM`. */
export function dayAndTime(at: string): string {
  return DAY_AND_CLOCK.format(new Date(at));
}

/** Minutes from the reader's midnight to a time. */
export function minuteOfDay(at: string): number {
  const date = new Date(at);
  return date.getHours() * 60 + date.getMinutes();
}

/** The reader's day of a time: `Nov 23`. */
export function dayOf(at: string): string {
  return DAY.format(new Date(at));
}

/** The day in UTC, by which calls are counted: `Nov 23`. */
export function utcDay(at: string): string {
  return UTC_DAY.format(new Date(at));
}

/** The same as `clockTime` within a sentence: `at 10:19 PM`, `on Nov 23, 11:55 PM`. */
export function timeInSentence(atMs: number, nowMs: number): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)];
  return isSameDay(at, now) ? `at ${CLOCK.format(at)}` : `on ${DAY_AND_CLOCK.format(at)}`;
}

function isSameDay(one: Date, other: Date): boolean {
  return one.toDateString() === other.toDateString();
}
