import { latencyBucket, sumByName, type AttemptCounts } from './attempt-counts';
import type { DeliveryState } from './delivery-state';

/** What is counted of deliveries. */
export interface DeliveryCounts {
  /** New deliveries: one for each event and endpoint. */
  readonly accepted: number;
  /** Deliveries that were delivered. */
  readonly delivered: number;
  /** Deliveries that were given up after their last attempt. */
  readonly failed: number;
  /** Deliveries that had been given up, and that a replay delivered. They stay among `failed`. */
  readonly recovered: number;
  /** Delivered ones by bucket of the time from acceptance (`latencyBucket`), except those of replays. */
  readonly times: AttemptCounts['latencies'];
}

export const NO_DELIVERIES: DeliveryCounts = { accepted: 0, delivered: 0, failed: 0, recovered: 0, times: {} };

/** What else an account does on a day. */
export interface DayActivity {
  /** Accepted events. */
  readonly events: number;
  /** Answered attempts, and those of them that failed. */
  readonly attempts: number;
  readonly failed_attempts: number;
}

export const NO_ACTIVITY: DayActivity = { events: 0, attempts: 0, failed_attempts: 0 };

/** The sum of what was done. */
export function sumActivity(one: DayActivity, other: DayActivity): DayActivity {
  return {
    events: one.events + other.events,
    attempts: one.attempts + other.attempts,
    failed_attempts: one.failed_attempts + other.failed_attempts,
  };
}

/** The sum of two counts. */
export function sumDeliveries(one: DeliveryCounts, other: DeliveryCounts): DeliveryCounts {
  return {
    accepted: one.accepted + other.accepted,
    delivered: one.delivered + other.delivered,
    failed: one.failed + other.failed,
    recovered: one.recovered + other.recovered,
    times: sumByName(one.times, other.times),
  };
}

/** What is left of a whole without some of its parts. Never below 0: a crash may lose the whole's count of a second alone. */
export function deliveriesWithout(whole: DeliveryCounts, part: DeliveryCounts): DeliveryCounts {
  const rest = (one: number, other = 0): number => Math.max(0, one - other);
  return {
    accepted: rest(whole.accepted, part.accepted),
    delivered: rest(whole.delivered, part.delivered),
    failed: rest(whole.failed, part.failed),
    recovered: rest(whole.recovered, part.recovered),
    times: Object.fromEntries(
      Object.entries(whole.times)
        .map(([bucket, count]) => [bucket, rest(count, part.times[bucket])] as const)
        .filter(([, count]) => count > 0),
    ),
  };
}

/** The last answer of a run. */
export interface LastAnswer {
  readonly succeeded: boolean;
  /** How the runs before ended, if this is a replay; `cancelled` is no end. */
  readonly replayedFrom: DeliveryState | undefined;
  /** Null in a replay. */
  readonly timeToDeliveredMs: number | null;
}

/**
 * How a run that ends counts. A delivery counts once as delivered or failed, by its first run that was not cancelled; a replay
 * that delivers what had failed counts as recovered, and any other replay as nothing.
 */
export function countOfEnd({ succeeded, replayedFrom, timeToDeliveredMs }: LastAnswer): DeliveryCounts {
  if (replayedFrom !== undefined && replayedFrom !== 'cancelled') {
    return { ...NO_DELIVERIES, recovered: succeeded && replayedFrom === 'failed' ? 1 : 0 };
  }
  if (!succeeded) return { ...NO_DELIVERIES, failed: 1 };
  const times = timeToDeliveredMs === null ? {} : { [latencyBucket(timeToDeliveredMs)]: 1 };
  return { ...NO_DELIVERIES, delivered: 1, times };
}

const SECOND_MS = 1_000;

/** An attempt that delivered. Its clock and that of the acceptance may differ by a little. */
export interface DeliveringAttempt {
  readonly startedAtMs: number;
  readonly latencyMs: number;
  /** From when it was due until it started; undefined for one by hand. */
  readonly queuedMs: number | undefined;
  /** Unix seconds of acceptance, rounded down. */
  readonly acceptedAt: number;
}

/**
 * The time from acceptance to delivery, in milliseconds. It is exact if the attempt was due at acceptance. Otherwise it is
 * exact to half a second, because events have their acceptance to the second.
 */
export function timeToDelivered({ startedAtMs, latencyMs, queuedMs, acceptedAt }: DeliveringAttempt): number {
  const secondMs = acceptedAt * SECOND_MS;
  const wasDueAtOnce = queuedMs !== undefined && startedAtMs - queuedMs < secondMs + SECOND_MS;
  if (wasDueAtOnce) return queuedMs + latencyMs;
  return Math.max(0, startedAtMs + latencyMs - secondMs - SECOND_MS / 2);
}
