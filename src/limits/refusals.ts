import { TooManyRequestsError } from '../domain/errors';
import type { LimitView } from './limiter';

/** The specification's body of a burst 429. A batch can need more calls than are left. */
export function burstExceeded(
  { perMinute, remaining }: Pick<LimitView, 'perMinute' | 'remaining'>,
  retryAfterSeconds: number,
  calls = 1,
): TooManyRequestsError {
  const why =
    calls === 1
      ? `More than ${perMinute} calls in a minute.`
      : `${calls} events count as ${calls} calls; ${remaining} of ${perMinute} are left in this minute.`;
  return new TooManyRequestsError(
    `${why} Wait ${retryAfterSeconds} s, then double the wait with each try.`,
    'rate_limit_exceeded',
    retryAfterSeconds,
  );
}

/** The 429 of an address that tried too many keys: the specification's body of a burst, with its own message. */
export function tooManyFailures(
  { perMinute }: Pick<LimitView, 'perMinute'>,
  retryAfterSeconds: number,
): TooManyRequestsError {
  return new TooManyRequestsError(
    `More than ${perMinute} calls without a valid API key came from this address in a minute. Wait ${retryAfterSeconds} s; ` +
      'a valid key is accepted at once.',
    'rate_limit_exceeded',
    retryAfterSeconds,
  );
}

/** The specification's body of a used-up quota. A batch can need more calls than are left. */
export function quotaExceeded(
  { quotaLimit, quotaUsed }: Pick<LimitView, 'quotaLimit' | 'quotaUsed'>,
  { retryAfterSeconds, resetsAt }: { readonly retryAfterSeconds: number; readonly resetsAt: Date },
  calls = 1,
): TooManyRequestsError {
  const why =
    calls === 1
      ? `The monthly quota of ${quotaLimit} calls is used up.`
      : `${calls} events count as ${calls} calls; ${(quotaLimit ?? 0) - quotaUsed} of the monthly quota of ${quotaLimit} are left.`;
  return new TooManyRequestsError(
    `${why} It resets at ${resetsAt.toISOString()}.`,
    'quota_exceeded',
    retryAfterSeconds,
    { quota_limit: quotaLimit ?? 0, quota_used: quotaUsed, reset_at: resetsAt.toISOString() },
  );
}

/** The deliveries of the minute are used up. */
export function deliveryBudgetExceeded(
  perMinute: number,
  { retryAfterSeconds, resetsAt }: { readonly retryAfterSeconds: number; readonly resetsAt: Date },
): TooManyRequestsError {
  const at = resetsAt.toISOString();
  return new TooManyRequestsError(
    `The budget of ${perMinute} deliveries a minute is used up: each matching endpoint, test event, retry and ` +
      `replay counts as one. It resets at ${at}, in ${retryAfterSeconds} s.`,
    'delivery_budget_exceeded',
    retryAfterSeconds,
    { retry_after: retryAfterSeconds, remaining: 0, delivery_limit: perMinute, reset_at: at },
  );
}

/** Too many deliveries are unfinished. */
export function pendingBudgetExceeded(limit: number, retryAfterSeconds: number): TooManyRequestsError {
  return new TooManyRequestsError(
    `The budget of ${limit} pending deliveries is used up: this many of the account are unfinished. New ones are accepted ` +
      `once some are delivered, failed or cancelled. Try again in ${retryAfterSeconds} s.`,
    'pending_budget_exceeded',
    retryAfterSeconds,
    { retry_after: retryAfterSeconds, remaining: 0, pending_limit: limit },
  );
}

/** The account stored as much as its tier allows in a day. */
export function storageBudgetExceeded(
  limit: number,
  { retryAfterSeconds, resetsAt }: { readonly retryAfterSeconds: number; readonly resetsAt: Date },
): TooManyRequestsError {
  const at = resetsAt.toISOString();
  return new TooManyRequestsError(
    `The budget of ${limit} bytes of data a day is used up: events and test events count. It resets at ${at}. Smaller ` +
      'events may still fit.',
    'storage_budget_exceeded',
    retryAfterSeconds,
    { retry_after: retryAfterSeconds, remaining: 0, storage_limit: limit, reset_at: at },
  );
}

/** The filters of the account would do too much work at a time, or did in this minute. */
export function filterBudgetExceeded(of: 'moment' | 'minute', retryAfterSeconds: number): TooManyRequestsError {
  const why =
    of === 'moment'
      ? "Comparing this account's events with the filters of its endpoints takes too long at a time. Send this event again"
      : "Comparing this account's events with the filters of its endpoints took too long in this minute. Send this event again";
  return new TooManyRequestsError(
    `${why} in ${retryAfterSeconds} s, send shorter lists in the data, or simplify the filters.`,
    'filter_budget_exceeded',
    retryAfterSeconds,
  );
}
