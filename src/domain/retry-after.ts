/** The longest `Retry-After` that is honoured: one of years would lose the delivery. */
export const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

const DELTA_SECONDS = /^[0-9]{1,15}$/;

/** The three forms of RFC 9110, 5.6.7; all of them are in GMT, although the last does not say so. */
const IMF_FIXDATE = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;
const RFC_850_DATE = /^[A-Z][a-z]{5,8}, [0-9]{2}-[A-Z][a-z]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2} [0-9]{4}$/;

/**
 * Parses a `Retry-After` header (RFC 9110, 10.2.3): seconds, or a date.
 *
 * @param nowMs the time to compare a date with, in Unix milliseconds
 * @returns milliseconds to wait, from 0 to 24 hours; undefined if it is neither
 */
export function parseRetryAfter(header: string, nowMs: number): number | undefined {
  const text = header.trim();
  const waitMs = DELTA_SECONDS.test(text) ? Number(text) * 1_000 : parseHttpDate(text) - nowMs;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}

/** @returns Unix milliseconds; NaN if it is not a date */
function parseHttpDate(text: string): number {
  if (IMF_FIXDATE.test(text) || RFC_850_DATE.test(text)) return Date.parse(text);
  return ASCTIME_DATE.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
