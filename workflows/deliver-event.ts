import {
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  CANCEL_SIGNAL,
  RETRY_NOW_SIGNAL,
  SLOW_TASK_QUEUE,
  WAKE_SIGNAL,
  type AttemptAnswer,
  type AttemptInput,
  type AttemptOutcome,
  type DeliverEventInput,
  type DeliverEventResult,
  type DeliveryActivities,
} from '../src/domain/delivery-contract';
import { attemptDetails, busyDetails, heldDetails, waitingDetails } from './current-details';
import { showState } from './search-attributes';

/** Pulls attempt `number` forward. A number that was made already changes nothing. */
export const retryNow = defineSignal<[number]>(RETRY_NOW_SIGNAL);
/** Ends the wait and the delivery. The record in MongoDB, which the API changes first, decides: a 2xx under way wins. */
export const cancel = defineSignal(CANCEL_SIGNAL);
/** A held delivery looks at once whether it may go on. */
export const wake = defineSignal(WAKE_SIGNAL);

/** 30 s for the receiver, and margin to write its answer down: a later try waits for what is under way. */
const ATTEMPT_TIMEOUT = '35s';
/** An infrastructure failure is not an answer: Temporal tries on under the same attempt number. */
const PATIENT_RETRY = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '30s' } as const;

const inline = proxyLocalActivities<DeliveryActivities>({
  startToCloseTimeout: ATTEMPT_TIMEOUT,
  // One try: what goes wrong here goes on as a normal activity, which does not hold a workflow task.
  retry: { maximumAttempts: 1 },
});
const queued = proxyActivities<DeliveryActivities>({
  startToCloseTimeout: ATTEMPT_TIMEOUT,
  retry: PATIENT_RETRY,
});
const slow = proxyActivities<DeliveryActivities>({
  taskQueue: SLOW_TASK_QUEUE,
  startToCloseTimeout: ATTEMPT_TIMEOUT,
  retry: PATIENT_RETRY,
});

/**
 * A held delivery looks again by itself, should the signal that wakes it get lost: ever more patiently, since a
 * hundred thousand may be held at a time.
 */
const HELD_FIRST_MS = 60_000;
const HELD_MOST_MS = 900_000;
const BUSY_FIRST_MS = 1_000;
const BUSY_MOST_MS = 15_000;

/** A receiver that took this long may do so again: its next attempt keeps out of the way of the fast ones. */
const SLOW_ANSWER_MS = 5_000;
/** Attempts from this one on come minutes and hours after the event: others that wait for a slot go first. */
const FIRST_LATE_ATTEMPT = 5;
const LATE = { priority: { priorityKey: 4 } } as const;

/**
 * Keeps the promise for one event and one destination: attempt, wait, attempt …, until a 2xx answer, the end of
 * the schedule, or a cancel. Ends as Completed, as Failed after the last attempt, or as Canceled.
 */
export async function deliverEvent(input: DeliverEventInput): Promise<DeliverEventResult> {
  const wish = { retryFor: 0, cancelled: false, woken: false, isOver: false };
  setHandler(retryNow, (number) => void (wish.retryFor = Math.max(wish.retryFor, number)));
  setHandler(cancel, () => void (wish.cancelled = true));
  setHandler(wake, () => void (wish.woken = true));

  try {
    return await followSchedule(input, wish);
  } catch (error) {
    // Cancelled in Temporal's Web UI or CLI: the record must say so as well.
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(async () => {
        await queued.recordCancelled(refOf(input));
        showState('cancelled');
      });
    }
    throw error;
  }
}

interface Wish {
  retryFor: number;
  cancelled: boolean;
  woken: boolean;
  /** A cancel was heeded: the record has nothing more to wait for. */
  isOver: boolean;
}

async function followSchedule(input: DeliverEventInput, wish: Wish): Promise<DeliverEventResult> {
  const { schedule } = input;
  let delayMs = input.firstDelayMs + (input.firstAttempt === 1 ? (schedule[0] ?? 0) : 0);
  let last: AttemptAnswer | undefined;

  for (let number = input.firstAttempt; number <= schedule.length; number += 1) {
    // Cancelled while a request was under way that failed: the next attempt finds the end in the record.
    if (delayMs > 0 && !wish.isOver) {
      setCurrentDetails(waitingDetails(number, schedule.length, last, Date.now() + delayMs));
      const summary = `wait for attempt ${number} of ${schedule.length}`;
      await condition(() => wish.retryFor >= number || wish.cancelled, delayMs, { summary });
    }
    await recordWishedCancel(input, wish);
    const nextDelayMs = schedule[number] ?? null;
    const trigger = wish.retryFor >= number ? 'manual' : 'scheduled';
    const attempt: AttemptInput = { ...refOf(input), number, nextDelayMs, trigger };
    const outcome = await makeAttempt(input, attempt, wish, last);

    if (outcome.kind === 'ended') return end(outcome.state, number - 1);
    if (outcome.succeeded) return end('delivered', number);
    last = outcome;
    setCurrentDetails(attemptDetails(number, schedule.length, outcome));
    if (nextDelayMs !== null && number === 1) showState('retrying');
    delayMs = outcome.nextDelayMs ?? nextDelayMs ?? 0;
  }
  showState('failed');
  throw ApplicationFailure.nonRetryable(attemptDetails(schedule.length, schedule.length, last), 'DeliveryFailed');
}

type Settled = Exclude<AttemptOutcome, { kind: 'busy' } | { kind: 'held' }>;

/** One attempt, through all the reasons why it may not be made yet. None of them consumes an attempt. */
async function makeAttempt(
  input: DeliverEventInput,
  attempt: AttemptInput,
  wish: Wish,
  last: AttemptAnswer | undefined,
): Promise<Settled> {
  let busyMs = BUSY_FIRST_MS;
  let heldMs = HELD_FIRST_MS;
  let again = attempt;
  let outcome = await firstTry(input, attempt, last);
  for (;;) {
    if (outcome.kind === 'busy') {
      const waitMs = outcome.waitMs ?? busyMs;
      setCurrentDetails(busyDetails(attempt.number, Date.now() + waitMs));
      await condition(() => wish.cancelled, waitMs);
      busyMs = Math.min(busyMs * 2, BUSY_MOST_MS);
      if (outcome.placeAtMs !== undefined) again = { ...attempt, placeAtMs: outcome.placeAtMs };
    } else if (outcome.kind === 'held') {
      setCurrentDetails(heldDetails(attempt.number, outcome.reason));
      const isWoken = await condition(() => wish.woken || wish.cancelled, heldMs);
      heldMs = isWoken ? HELD_FIRST_MS : Math.min(heldMs * 2, HELD_MOST_MS);
      wish.woken = false;
    } else {
      return outcome;
    }
    await recordWishedCancel(input, wish);
    await startAfreshWhenHistoryIsLong(input, attempt.number);
    outcome = await slow.attemptDelivery(again);
  }
}

/**
 * The API writes a cancel down before it signals; somebody who signals by hand, in the Web UI, does not.
 * The wish is heeded once: where an earlier worker wrote it down, and did not say that the run is over, the delivery
 * keeps its pace.
 */
async function recordWishedCancel(input: DeliverEventInput, wish: Wish): Promise<void> {
  if (!wish.cancelled) return;
  wish.cancelled = false;
  if (await queued.recordCancelled(refOf(input))) wish.isOver = true;
}

async function firstTry(
  input: DeliverEventInput,
  attempt: AttemptInput,
  last: AttemptAnswer | undefined,
): Promise<AttemptOutcome> {
  const { number } = attempt;
  const label = { summary: `attempt ${number} of ${input.schedule.length}`, ...(number >= FIRST_LATE_ATTEMPT && LATE) };
  if (input.route === 'queued') return slow.attemptDelivery.executeWithOptions(label, [attempt]);
  if (number === input.firstAttempt) {
    try {
      return await inline.attemptDelivery.executeWithOptions({ summary: label.summary }, [
        { ...attempt, inline: true },
      ]);
    } catch (error) {
      if (isCancellation(error)) throw error;
    }
  }
  const wasSlow = last !== undefined && last.latencyMs >= SLOW_ANSWER_MS;
  return (wasSlow ? slow : queued).attemptDelivery.executeWithOptions(label, [attempt]);
}

function end(state: 'delivered' | 'cancelled' | 'failed', attempts: number): DeliverEventResult {
  showState(state);
  if (state === 'failed') {
    throw ApplicationFailure.nonRetryable('the delivery is recorded as failed', 'DeliveryFailed');
  }
  setCurrentDetails(state === 'delivered' ? `delivered by attempt ${attempts}` : 'cancelled');
  return { state, attempts };
}

async function startAfreshWhenHistoryIsLong(input: DeliverEventInput, number: number): Promise<void> {
  if (!workflowInfo().continueAsNewSuggested) return;
  await continueAsNew<typeof deliverEvent>({ ...input, firstAttempt: number, firstDelayMs: 0, route: 'queued' });
}

function refOf({ eventId, endpointId, run }: DeliverEventInput) {
  return { eventId, endpointId, run };
}
