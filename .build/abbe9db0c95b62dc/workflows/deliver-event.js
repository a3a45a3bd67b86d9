"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.cancel = exports.retryNow = void 0;
exports.deliverEvent = deliverEvent;
const workflow_1 = require("@temporalio/workflow");
const delivery_contract_1 = require("../src/domain/delivery-contract");
const current_details_1 = require("./current-details");
/** Pulls attempt `number` forward. A number that was made already changes nothing. */
exports.retryNow = (0, workflow_1.defineSignal)(delivery_contract_1.RETRY_NOW_SIGNAL);
/** Ends the wait and the delivery. The record in MongoDB, which the API changes first, decides: a 2xx under way wins. */
exports.cancel = (0, workflow_1.defineSignal)(delivery_contract_1.CANCEL_SIGNAL);
/** 30 s for the receiver, 5 s for a turn in the endpoint's rate, and margin to write the answer down. */
const ATTEMPT_TIMEOUT = '40s';
/** Neither a failure of our own nor an attempt that another process makes is an answer: Temporal asks for it again. */
const PATIENT_RETRY = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15s' };
const inline = (0, workflow_1.proxyLocalActivities)({
    startToCloseTimeout: ATTEMPT_TIMEOUT,
    // One try: what goes wrong here goes on as a normal activity, which does not hold a workflow task.
    retry: { maximumAttempts: 1 },
});
const queued = (0, workflow_1.proxyActivities)({
    startToCloseTimeout: ATTEMPT_TIMEOUT,
    retry: PATIENT_RETRY,
});
const slow = (0, workflow_1.proxyActivities)({
    taskQueue: delivery_contract_1.SLOW_TASK_QUEUE,
    startToCloseTimeout: ATTEMPT_TIMEOUT,
    retry: PATIENT_RETRY,
});
/** A receiver that took this long may do so again: its next attempt keeps out of the way of the fast ones. */
const SLOW_ANSWER_MS = 5_000;
/** Attempts from this one on come minutes and hours after the event: others that wait for a slot go first. */
const FIRST_LATE_ATTEMPT = 5;
const LATE = { priority: { priorityKey: 4 } };
/**
 * Keeps the promise for one event and one destination: attempt, wait, attempt …, until a 2xx answer, the end of the
 * schedule, or a cancel. Ends as Completed, as Failed after the last attempt, or as Canceled.
 *
 * Where the endpoint's gate is closed it ends too: the record holds the delivery, and a new execution goes on from there.
 */
async function deliverEvent(input) {
    const wish = { retryFor: 0, cancelled: false };
    (0, workflow_1.setHandler)(exports.retryNow, (number) => void (wish.retryFor = Math.max(wish.retryFor, number)));
    (0, workflow_1.setHandler)(exports.cancel, () => void (wish.cancelled = true));
    try {
        return await followSchedule(input, wish);
    }
    catch (error) {
        // Cancelled in Temporal's Web UI or CLI: the record must say so as well.
        if ((0, workflow_1.isCancellation)(error))
            await workflow_1.CancellationScope.nonCancellable(() => queued.recordCancelled(refOf(input)));
        throw error;
    }
}
async function followSchedule(input, wish) {
    const { schedule } = input;
    let delayMs = input.firstDelayMs;
    let last;
    for (let number = input.firstAttempt; number <= schedule.length; number += 1) {
        if (delayMs > 0 && !wish.cancelled) {
            (0, workflow_1.setCurrentDetails)((0, current_details_1.waitingDetails)(number, schedule.length, last, Date.now() + delayMs));
            const summary = `wait for attempt ${number} of ${schedule.length}`;
            await (0, workflow_1.condition)(() => wish.retryFor >= number || wish.cancelled, delayMs, { summary });
        }
        // The API records a cancel before it signals; somebody who signals by hand, in the Web UI, does not.
        if (wish.cancelled)
            await queued.recordCancelled(refOf(input));
        const nextDelayMs = schedule[number] ?? null;
        const trigger = wish.retryFor >= number ? 'manual' : 'scheduled';
        const outcome = await makeAttempt(input, { ...refOf(input), number, nextDelayMs, trigger }, last);
        if (outcome.kind === 'held')
            return endAtGate(outcome.reason, number);
        if (outcome.kind === 'ended')
            return end(outcome.state, number - 1);
        if (outcome.succeeded)
            return end('delivered', number);
        last = outcome;
        (0, workflow_1.setCurrentDetails)((0, current_details_1.attemptDetails)(number, schedule.length, outcome));
        delayMs = outcome.nextDelayMs ?? nextDelayMs ?? 0;
    }
    throw workflow_1.ApplicationFailure.nonRetryable((0, current_details_1.attemptDetails)(schedule.length, schedule.length, last), 'DeliveryFailed');
}
async function makeAttempt(input, attempt, last) {
    const { number } = attempt;
    const label = { summary: `attempt ${number} of ${input.schedule.length}`, ...(number >= FIRST_LATE_ATTEMPT && LATE) };
    if (number === input.firstAttempt) {
        try {
            return await inline.attemptDelivery.executeWithOptions({ summary: label.summary }, [
                { ...attempt, inline: true },
            ]);
        }
        catch (error) {
            if ((0, workflow_1.isCancellation)(error))
                throw error;
            return slow.attemptDelivery.executeWithOptions(label, [attempt]);
        }
    }
    const wasSlow = last !== undefined && last.latencyMs >= SLOW_ANSWER_MS;
    return (wasSlow ? slow : queued).attemptDelivery.executeWithOptions(label, [attempt]);
}
function endAtGate(reason, number) {
    (0, workflow_1.setCurrentDetails)((0, current_details_1.heldDetails)(number, reason));
    return { state: 'held', reason, attempts: number - 1 };
}
function end(state, attempts) {
    if (state === 'failed') {
        throw workflow_1.ApplicationFailure.nonRetryable('the delivery is recorded as failed', 'DeliveryFailed');
    }
    (0, workflow_1.setCurrentDetails)(state === 'delivered' ? `delivered by attempt ${attempts}` : 'cancelled');
    return { state, attempts };
}
function refOf({ eventId, endpointId, run }) {
    return { eventId, endpointId, run };
}
//# sourceMappingURL=deliver-event.js.map