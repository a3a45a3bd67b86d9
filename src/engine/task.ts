import type { AttemptAnswer, DeliveryRef } from '../domain/delivery-contract';
import type { RetrySchedule } from '../domain/retry-schedule';
import type { KnownDelivery } from '../stores/delivery-store';
import type { DueDelivery } from '../stores/dispatch-store';

/** A delivery in a queue of this process. */
export interface QueuedDelivery {
  readonly ref: DeliveryRef;
  readonly accountId: string;
  readonly eventType: string;
  readonly url: string;
  /** The trace of the event. */
  readonly traceparent?: string | undefined;
  /** The destination's own schedule; undefined for the default one. */
  readonly schedule?: RetrySchedule | undefined;
  /**
   * Names the execution that gave it back to the gate, if no other was started since: it is about to end, if it still
   * runs. As stored in `look_at`.
   */
  readonly givenBack?: Date | undefined;
}

/** Where an attempt of this process gets its delivery from. */
export type AttemptSource =
  /** The call that accepted it. This process's claim is part of the event's insert. */
  | { readonly kind: 'memory'; readonly known: KnownDelivery; readonly readAtMs: number }
  /** MongoDB, because the data has become old. This process's claim is part of the event's insert. */
  | { readonly kind: 'claimed' }
  /** MongoDB. The attempt has to be claimed first: a claim of the gate's release only keeps the sweeper away. */
  | { readonly kind: 'unclaimed' };

export const CLAIMED: AttemptSource = { kind: 'claimed' };
export const UNCLAIMED: AttemptSource = { kind: 'unclaimed' };

/** This process makes an attempt. */
export interface AttemptTask extends QueuedDelivery {
  readonly number: number;
  readonly source: AttemptSource;
  /** `running`: the delivery has an execution, which joins the attempt, or gets its answer. */
  readonly execution: 'none' | 'running';
}

/** An execution starts, and makes what is left to do. */
export interface StartTask extends QueuedDelivery {
  /** 1, or the attempt to continue from. */
  readonly firstAttempt: number;
  /** The wait before that attempt, in milliseconds. */
  readonly firstDelayMs: number;
  /** The answer to the attempt before, if this process made it. */
  readonly last?: AttemptAnswer | undefined;
  /** Set if this process has claimed the attempt: it makes it as soon as the execution exists. */
  readonly beside?: AttemptSource | undefined;
}

/** An execution starts only to show a finished delivery in Temporal's Web UI. */
export interface ShowTask extends QueuedDelivery {
  readonly last: AttemptAnswer;
}

/**
 * The start of a destination as MongoDB has it: from its next attempt, after the rest of its wait.
 *
 * @param now the database's clock
 */
export function startOf({ event, destination }: DueDelivery, now: Date): StartTask {
  return {
    ref: { eventId: event._id, endpointId: destination.endpoint_id, run: destination.run },
    accountId: event.account_id,
    eventType: event.type,
    url: destination.url,
    traceparent: event.traceparent,
    // A failed delivery that is due repeats its last attempt, which only does what follows from its answer.
    firstAttempt: destination.attempt_count + (destination.state === 'failed' ? 0 : 1),
    firstDelayMs: Math.max(0, (destination.next_attempt_at?.getTime() ?? 0) - now.getTime()),
    schedule: destination.schedule_ms,
    ...(destination.dispatch === 'due' && destination.look_at && { givenBack: destination.look_at }),
  };
}

/** The attempt that a start would have an execution make, made by this process. */
export function attemptOf(
  { firstAttempt: number, firstDelayMs: _now, last: _last, beside: _beside, ...delivery }: StartTask,
  source: AttemptSource,
  execution: AttemptTask['execution'] = 'none',
): AttemptTask {
  return { ...delivery, number, source, execution };
}
