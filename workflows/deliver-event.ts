import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  defineSignal,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import {
  CANCEL_SIGNAL,
  RETRY_NOW_SIGNAL,
  SLOW_TASK_QUEUE,
  type AttemptAnswer,
  type AttemptInput,
  type AttemptOutcome,
  type DeliverEventInput,
  type DeliverEventResult,
  type DeliveryActivities,
  type HeldReason,
} from '../src/domain/delivery-contract';
import { attemptDetails, heldDetails, waitingDetails } from './current-details';

/** Makes attempt `number` now. A number that was already made changes nothing. */
export const retryNow = defineSignal<[number]>(RETRY_NOW_SIGNAL);
/**
 * Ends the wait and the delivery. The record in MongoDB, which the API changes first, decides: a 2xx under way wins.
 */
export const cancel = defineSignal(CANCEL_SIGNAL);

/** 30 s for the receiver, 5 s for a turn in the endpoint's rate, and a margin to record the answer. */
const ATTEMPT_TIMEOUT = '40s';
/** Our own failures, and attempts that another process is making, are not answers: Temporal retries the activity. */
const PATIENT = {
  startToCloseTimeout: ATTEMPT_TIMEOUT,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' },
} as const;

const inline = proxyLocalActivities<DeliveryActivities>({
  startToCloseTimeout: ATTEMPT_TIMEOUT,
  // One try: if it fails, it continues as a normal activity, which does not hold a workflow task.
  retry: { maximumAttempts: 1 },
});
const queued = proxyActivities<DeliveryActivities>(PATIENT);
const slow = proxyActivities<DeliveryActivities>({ ...PATIENT, taskQueue: SLOW_TASK_QUEUE });

/**
 * A receiver that took this long may be slow again: its next attempt goes to the slow queue, out of the way of fast
 * ones.
 */
const SLOW_ANSWER_MS = 5_000;
/** Attempts from this one on come minutes or hours after the event: others that wait for a slot go first. */
const FIRST_LATE_ATTEMPT = 5;
const LATE = { priority: { priorityKey: 4 } } as const;

/**
 * Keeps the promise for one event and one destination: attempt, wait, attempt …, until a 2xx answer, the end of the
 * schedule, or a cancel. Ends as Completed, as Failed after the last attempt, or as Canceled.
 *
 * It also ends if the endpoint's gate is closed: the record then holds the delivery, and a new execution continues from
 * there.
 */
export async function deliverEvent(input: DeliverEventInput): Promise<DeliverEventResult> {
  /** What the signals have requested so far. */
  const signals: Signals = { retryFor: 0, cancelled: false };
  setHandler(retryNow, (number) => void (signals.retryFor = Math.max(signals.retryFor, number)));
  setHandler(cancel, () => void (signals.cancelled = true));

  try {
    return await followSchedule(input, signals);
  } catch (error) {
    // Cancelled in Temporal's Web UI or CLI: the record must show it too.
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => queued.recordCancelled(refOf(input)));
    throw error;
  }
}

type Signals = { retryFor: number; cancelled: boolean };

async function followSchedule(input: DeliverEventInput, signals: Signals): Promise<DeliverEventResult> {
  const { schedule } = input;
  let delayMs = input.firstDelayMs;
  let last = input.last;
  if (last?.succeeded) return end('delivered', last.number);

  for (let number = input.firstAttempt; number <= schedule.length; number += 1) {
    if (delayMs > 0 && !signals.cancelled) {
      setCurrentDetails(waitingDetails(number, schedule.length, last, Date.now() + delayMs));
      const summary = `wait for attempt ${number} of ${schedule.length}`;
      await condition(() => signals.retryFor >= number || signals.cancelled, delayMs, { summary });
    }
    // The API records a cancel before it signals; a signal sent by hand, in the Web UI, does not.
    if (signals.cancelled) await queued.recordCancelled(refOf(input));
    const nextDelayMs = schedule[number] ?? null;
    const trigger = signals.retryFor >= number ? 'manual' : 'scheduled';
    const outcome = await makeAttempt(input, { ...refOf(input), number, nextDelayMs, trigger }, last);

    if (outcome.kind === 'held') return endAtGate(outcome.reason, number);
    if (outcome.kind === 'ended') return end(outcome.state, number - 1);
    if (outcome.succeeded) return end('delivered', number);
    last = outcome;
    setCurrentDetails(attemptDetails(number, schedule.length, outcome));
    delayMs = outcome.nextDelayMs ?? nextDelayMs ?? 0;
  }
  throw ApplicationFailure.nonRetryable(attemptDetails(schedule.length, schedule.length, last), 'DeliveryFailed');
}

async function makeAttempt(
  input: DeliverEventInput,
  attempt: AttemptInput,
  last: AttemptAnswer | undefined,
): Promise<AttemptOutcome> {
  const { number } = attempt;
  const label = { summary: `attempt ${number} of ${input.schedule.length}`, ...(number >= FIRST_LATE_ATTEMPT && LATE) };
  if (number === input.firstAttempt) {
    try {
      return await inline.attemptDelivery.executeWithOptions({ summary: label.summary }, [
        { ...attempt, inline: true },
      ]);
    } catch (error) {
      if (isCancellation(error)) throw error;
      return slow.attemptDelivery.executeWithOptions(label, [attempt]);
    }
  }
  const wasSlow = last !== undefined && last.latencyMs >= SLOW_ANSWER_MS;
  return (wasSlow ? slow : queued).attemptDelivery.executeWithOptions(label, [attempt]);
}

function endAtGate(reason: HeldReason, number: number): DeliverEventResult {
  // Cancelled in the Web UI while its result was on the way: nothing that it still awaits would notice.
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('cancelled before it was held');
  setCurrentDetails(heldDetails(number, reason));
  return { state: 'held', reason, attempts: number - 1 };
}

function end(state: 'delivered' | 'cancelled' | 'failed', attempts: number): DeliverEventResult {
  if (state === 'failed') {
    throw ApplicationFailure.nonRetryable('the delivery is recorded as failed', 'DeliveryFailed');
  }
  setCurrentDetails(state === 'delivered' ? `delivered by attempt ${attempts}` : 'cancelled');
  return { state, attempts };
}

function refOf({ eventId, endpointId, run }: DeliverEventInput) {
  return { eventId, endpointId, run };
}
