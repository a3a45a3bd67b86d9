import { parseDurationMs } from './duration';

/**
 * Delays before each attempt, in milliseconds: `schedule[0]` before attempt 1, and so on.
 * Its length is the number of attempts.
 */
export type RetrySchedule = readonly number[];

/** The specification's eight attempts over 26 h 35 min 36 s (docs/spec.md, "Retry schedule"). */
export const DEFAULT_RETRY_SCHEDULE = '0s,1s,5s,30s,5m,30m,2h,24h';

/** The most attempts in a schedule: each attempt costs history in Temporal. */
export const MAX_ATTEMPTS = 20;
export const MAX_DELAY_MS = 7 * 86_400_000;

/** The minimum delay after a failure in an endpoint's own schedule, so that a receiver is never hammered. */
export const MIN_RETRY_DELAY_S = 1;

/** An endpoint's own schedule in milliseconds, as deliveries use it. @param seconds before each attempt */
export function ownSchedule(seconds: readonly number[]): RetrySchedule {
  return seconds.map((delay) => Math.round(delay * 1_000));
}

/**
 * Parses `RETRY_SCHEDULE`: comma-separated delays, one for each attempt.
 *
 * @throws RangeError naming the delay that can't be parsed
 */
export function parseRetrySchedule(text: string): RetrySchedule {
  const schedule = text.split(',').map((part) => parseDurationMs(part));
  if (schedule.length > MAX_ATTEMPTS) throw new RangeError(`a retry schedule has at most ${MAX_ATTEMPTS} delays`);
  if (schedule.some((delayMs) => delayMs > MAX_DELAY_MS)) throw new RangeError('a delay is at most 7d');
  return schedule;
}
