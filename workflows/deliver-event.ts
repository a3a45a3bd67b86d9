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
import { attemptDetails, heldDetails, waitingDetails } from './current-details';
import { showState } from './search-attributes';

/** Pulls attempt `number` forward. A number that was made already changes nothing. */
export const retryNow = defineSignal<[number]>(RETRY_NOW_SIGNAL);
/** Ends the wait and the delivery. The record in MongoDB, which the API changes first, decides: a 2xx under way wins. */
export const cancel = defineSignal(CANCEL_SIGNAL);
/** A held delivery looks at once whether it may go on. */
export const wake = defineSignal(WAKE_SIGNAL);

/** 30 s for the receiver, and margin to write its answer down. */
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

/** The endpoint's flag is read again this often while a delivery is held. */
const HELD_RECHECK_MS = 60_000;
const BUSY_FIRST_MS = 1_000;
const BUSY_MOST_MS = 15_000;

/**
 * Keeps the promise for one event and one destination: attempt, wait, attempt …, until a 2xx answer, the end of
 * the schedule, or a cancel. Ends as Completed, as Failed after the last attempt, or as Canceled.
 */
export async function deliverEvent(input: DeliverEventInput): Promise<DeliverEventResult> {
  const wish = { retryFor: 0, cancelled: false, woken: false };
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
}

async function followSchedule(input: DeliverEventInput, wish: Wish): Promise<DeliverEventResult> {
  const { schedule } = input;
  let delayMs = input.firstDelayMs + (input.firstAttempt === 1 ? (schedule[0] ?? 0) : 0);
  let last: AttemptAnswer | undefined;

  for (let number = input.firstAttempt; number <= schedule.length; number += 1) {
    if (delayMs > 0) {
      setCurrentDetails(waitingDetails(number, schedule.length, last, Date.now() + delayMs));
      const summary = `wait for attempt ${number} of ${schedule.length}`;
      await condition(() => wish.retryFor >= number || wish.cancelled, delayMs, { summary });
    }
    await recordWishedCancel(input, wish);
    const nextDelayMs = schedule[number] ?? null;
    const trigger = wish.retryFor >= number ? 'manual' : 'scheduled';
    const attempt: AttemptInput = { ...refOf(input), number, nextDelayMs, trigger };
    const outcome = await makeAttempt(input, attempt, wish);

    if (outcome.kind === 'ended') return end(outcome.state, number - 1);
    if (outcome.succeeded) return end('delivered', number);
    last = outcome;
    setCurrentDetails(attemptDetails(number, schedule.length, outcome));
    if (nextDelayMs !== null && number === 1) showState('retrying');
    delayMs = nextDelayMs ?? 0;
  }
  showState('failed');
  throw ApplicationFailure.nonRetryable(attemptDetails(schedule.length, schedule.length, last), 'DeliveryFailed');
}

type Settled = Exclude<AttemptOutcome, { kind: 'busy' } | { kind: 'held' }>;

/** One attempt, through all the reasons why it may not be made yet. None of them consumes an attempt. */
async function makeAttempt(input: DeliverEventInput, attempt: AttemptInput, wish: Wish): Promise<Settled> {
  let busyMs = BUSY_FIRST_MS;
  let outcome = await firstTry(input, attempt);
  for (;;) {
    if (outcome.kind === 'busy') {
      setCurrentDetails(`attempt ${attempt.number}: the destination has as many requests as it may; next try soon`);
      await condition(() => wish.cancelled, busyMs);
      busyMs = Math.min(busyMs * 2, BUSY_MOST_MS);
    } else if (outcome.kind === 'held') {
      setCurrentDetails(heldDetails(attempt.number));
      await condition(() => wish.woken || wish.cancelled, HELD_RECHECK_MS);
      wish.woken = false;
    } else {
      return recorded(attempt, outcome);
    }
    await recordWishedCancel(input, wish);
    await startAfreshWhenHistoryIsLong(input, attempt.number);
    outcome = await slow.attemptDelivery(attempt);
  }
}

/**
 * The API writes a cancel down before it signals; somebody who signals by hand, in the Web UI, does not.
 * The wish is heeded once: while the record still lets the delivery go on, it keeps its pace.
 */
async function recordWishedCancel(input: DeliverEventInput, wish: Wish): Promise<void> {
  if (!wish.cancelled) return;
  wish.cancelled = false;
  await queued.recordCancelled(refOf(input));
}

async function firstTry(input: DeliverEventInput, attempt: AttemptInput): Promise<AttemptOutcome> {
  const label = { summary: `attempt ${attempt.number} of ${input.schedule.length}` };
  if (input.route === 'queued') return slow.attemptDelivery.executeWithOptions(label, [attempt]);
  if (attempt.number === input.firstAttempt) {
    try {
      return await inline.attemptDelivery.executeWithOptions(label, [attempt]);
    } catch (error) {
      if (isCancellation(error)) throw error;
    }
  }
  return queued.attemptDelivery.executeWithOptions(label, [attempt]);
}

/** The outcome outlives a failed write: an answer that could not be written down is written down now. */
async function recorded(attempt: AttemptInput, outcome: Settled): Promise<Settled> {
  if (outcome.kind === 'answered' && !outcome.recorded) {
    await CancellationScope.nonCancellable(() => queued.recordAttempt(attempt, outcome));
  }
  return outcome;
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
