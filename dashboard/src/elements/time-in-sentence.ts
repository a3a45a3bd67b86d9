const CLOCK = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const DAY_AND_CLOCK = new Intl.DateTimeFormat('en', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** A time to the minute, with its day if that is not today's: `at 10:19 PM`, `on Nov 23, 11:55 PM`. */
export function timeInSentence(atMs: number, nowMs: number): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)];
  return at.toDateString() === now.toDateString() ? `at ${CLOCK.format(at)}` : `on ${DAY_AND_CLOCK.format(at)}`;
}
