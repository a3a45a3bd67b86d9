import { UnprocessableError } from './errors';
import { MAX_RETRY_JITTER } from './retry-jitter';
import { DEFAULT_RETRY_SCHEDULE, parseRetrySchedule } from './retry-schedule';

const DEFAULT_TOTAL_MS = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE).reduce((sum, delayMs) => sum + delayMs, 0);

/**
 * How long after its acceptance an event is on time: as long as the default schedule takes with the most jitter, 39 h
 * 53 min. Its attempts are kept this much longer, so an event that finishes on time costs no write for them. A
 * constant, so that every process and every version counts alike.
 */
export const ON_TIME_MS = DEFAULT_TOTAL_MS * (1 + MAX_RETRY_JITTER);

/** Clocks of processes differ, and an answer is recorded a while after it came. */
const MARGIN_MS = 3_600_000;

const DAY_MS = 86_400_000;

/** An idempotency key restores a missing event for 24 hours, and must not bring back a delivered one. */
export const MIN_RETENTION_DAYS = 2;
/** As many as `RETENTION` allows. */
export const MAX_RETENTION_DAYS = 3_650;

/**
 * @param days that an account or an event wants to be kept
 * @throws UnprocessableError for more than the installation keeps events
 */
export function requireRetention(days: number | null | undefined, installationMs: number): void {
  if (!days || days * DAY_MS <= installationMs) return;
  const most = Math.floor(installationMs / DAY_MS);
  const message = `must be at most ${most}: this installation keeps no event longer`;
  throw new UnprocessableError(`"retention_days" ${message}.`, 'retention_too_long', [
    { path: 'retention_days', message },
  ]);
}

/**
 * How long an event is kept, in milliseconds: as its caller or its account says, and never longer than the installation
 * keeps events, also if its `RETENTION` was made shorter since.
 */
export function retentionOf(days: number | undefined, installationMs: number): number {
  return days === undefined ? installationMs : Math.min(days * DAY_MS, installationMs);
}

/** What an event says about how long it is kept. */
export interface Kept {
  /** Unix seconds of acceptance. */
  readonly timestamp: number;
  /** How long it is kept after its last destination finished. */
  readonly retentionMs: number;
}

/** When an event's attempts expire. */
export interface AttemptExpiry {
  readonly expiresAt: Date;
  /** Attempts that expire before this must be kept longer, before the event can finish. Absent if there are none. */
  readonly neededUntil?: Date;
}

/**
 * When the attempts of an event expire that may finish at a time: not before the event would.
 *
 * @param finishesMs in Unix milliseconds; for an attempt that fails, when the next one is due
 */
export function attemptExpiry({ timestamp, retentionMs }: Kept, finishesMs: number): AttemptExpiry {
  const onTimeUntil = timestamp * 1_000 + ON_TIME_MS;
  if (finishesMs + MARGIN_MS > onTimeUntil) return lateExpiry(retentionMs, finishesMs);
  return { expiresAt: new Date(onTimeUntil + retentionMs) };
}

/** The same for an event that is late. */
export function lateExpiry(retentionMs: number, finishesMs: number): Required<AttemptExpiry> {
  return {
    expiresAt: new Date(finishesMs + ON_TIME_MS + retentionMs),
    neededUntil: new Date(finishesMs + MARGIN_MS + retentionMs),
  };
}

/** Events that were accepted before this are late: by `attemptExpiry`, if they finish now. @returns Unix seconds */
export function lateBefore(nowMs: number): number {
  return (nowMs + MARGIN_MS - ON_TIME_MS) / 1_000;
}
