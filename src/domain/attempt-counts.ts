import type { AttemptErrorCode } from './delivery-state';
import { failureName, type FailuresByName } from './failure-causes';

/** What is counted of answered attempts. */
export interface AttemptCounts {
  readonly attempts: number;
  readonly succeeded: number;
  /** Attempts with a number above 1. */
  readonly retries: number;
  /** Failed attempts by cause (`failureName`); a cause without any is absent. */
  readonly failedBy: FailuresByName;
  /** Answered attempts by bucket of their latency (`latencyBucket`); an empty bucket is absent. */
  readonly latencies: Readonly<Record<string, number>>;
}

export const NO_ATTEMPTS: AttemptCounts = { attempts: 0, succeeded: 0, retries: 0, failedBy: {}, latencies: {} };

/** An answered attempt, as far as it is counted. */
export interface CountedAttempt {
  /** From 1. */
  readonly number: number;
  readonly succeeded: boolean;
  readonly errorCode: AttemptErrorCode | null;
  /** The receiver's status; null if there was none. */
  readonly statusCode: number | null;
  readonly latencyMs: number;
}

/** The counts of one attempt. */
export function countOf({ number, succeeded, errorCode, statusCode, latencyMs }: CountedAttempt): AttemptCounts {
  return {
    attempts: 1,
    succeeded: succeeded ? 1 : 0,
    retries: number > 1 ? 1 : 0,
    failedBy: succeeded ? {} : { [failureName({ code: errorCode ?? 'http_status', statusCode })]: 1 },
    latencies: { [latencyBucket(latencyMs)]: 1 },
  };
}

/** The sum of two counts. */
export function sumCounts(one: AttemptCounts, other: AttemptCounts): AttemptCounts {
  return {
    attempts: one.attempts + other.attempts,
    succeeded: one.succeeded + other.succeeded,
    retries: one.retries + other.retries,
    failedBy: sumByName(one.failedBy, other.failedBy),
    latencies: sumByName(one.latencies, other.latencies),
  };
}

/** The sums of two counts by name. */
export function sumByName<Name extends string>(
  one: Readonly<Partial<Record<Name, number>>>,
  other: Readonly<Partial<Record<Name, number>>>,
): Record<Name, number> {
  const sums = { ...one } as Record<Name, number>;
  for (const [name, count] of Object.entries(other) as [Name, number][]) sums[name] = (sums[name] ?? 0) + count;
  return sums;
}

/** Buckets for each doubling of a latency: a bucket's middle is at most 9.1 % from any latency in it (2^(1/8)). */
const BUCKETS_PER_DOUBLING = 4;

/**
 * The bucket of a latency: 0 up to a millisecond, 60 at 30 s, the longest that an attempt takes, and 107 at the 27 hours of the
 * default schedule.
 */
export function latencyBucket(latencyMs: number): number {
  return latencyMs <= 1 ? 0 : Math.ceil(BUCKETS_PER_DOUBLING * Math.log2(latencyMs));
}

/** The middle of a bucket, in whole milliseconds. */
function middleOf(bucket: number): number {
  return bucket === 0 ? 1 : Math.round(2 ** ((bucket - 0.5) / BUCKETS_PER_DOUBLING));
}

/**
 * The latency that this share of the attempts does not exceed (nearest rank), in milliseconds. It is at most 9.1 % and
 * half a millisecond from the exact value; up to a millisecond it is 1.
 *
 * @param share from 0 to 1
 * @returns null without attempts
 */
export function latencyQuantile(latencies: AttemptCounts['latencies'], share: number): number | null {
  const buckets = Object.entries(latencies)
    .map(([bucket, count]) => ({ bucket: Number(bucket), count }))
    .sort((one, other) => one.bucket - other.bucket);
  const total = buckets.reduce((sum, { count }) => sum + count, 0);
  let left = Math.ceil(total * share);
  for (const { bucket, count } of buckets) {
    left -= count;
    if (left <= 0) return middleOf(bucket);
  }
  return null;
}
