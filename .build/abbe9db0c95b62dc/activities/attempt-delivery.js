"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createAttemptDelivery = createAttemptDelivery;
const attempt_store_1 = require("../src/record/attempt-store");
const delivery_state_1 = require("../src/domain/delivery-state");
const event_store_1 = require("../src/record/event-store");
const endpoint_store_1 = require("../src/record/endpoint-store");
const sleep_1 = require("../src/platform/sleep");
const delivery_request_1 = require("./delivery-request");
const settle_answer_1 = require("./settle-answer");
const take_turn_1 = require("./take-turn");
/** Between two tries to write an answer down. */
const RECORD_AGAIN_MS = 100;
/** Nothing holds a workflow task for longer: not a receiver, nor a turn that is to come, nor MongoDB. */
const INLINE_MOST_MS = 2_000;
/** Another process, or another call, makes the attempt; whoever asks again later gets its answer. */
class AttemptUnderWay extends Error {
    name = 'AttemptUnderWay';
}
/** The receiver takes long, or we do. The attempt may go on, by itself. */
class SlowReceiver extends Error {
    name = 'SlowReceiver';
}
/**
 * Makes one attempt: claim, load, take its turn, sign, POST, record. At most one POST for each (delivery, run, number),
 * however often Temporal runs it:
 *
 * - inside this process a second execution joins the first;
 * - another process finds the claim in MongoDB and comes again for its answer, or for the end of its lease;
 * - a recorded answer is returned, never asked for again;
 * - an answer that MongoDB can't take is kept until it can. Should the process die before that, the attempt is made again.
 *
 * The receiver's answer is a value. Only what is no answer (MongoDB away, no sockets left) is thrown.
 */
function createAttemptDelivery(deps) {
    const underWay = new Map();
    const stop = new AbortController();
    const running = { ...deps, stop: stop.signal };
    const attempt = async (input, known, onSlow) => {
        const { endpointId } = input;
        const call = { input, known, onSlow };
        try {
            const made = await deps.load.run(endpointId, (request) => attemptOnce(running, { ...call, room: request }));
            if (made)
                return made.value;
            return await attemptOnce(running, { ...call, room: deps.load.hangs(endpointId) ? 'hanging' : 'at_cap' });
        }
        finally {
            underWay.delete((0, attempt_store_1.attemptId)(input));
            deps.onEnd(endpointId);
        }
    };
    const make = (input, ...about) => {
        const id = (0, attempt_store_1.attemptId)(input);
        const begun = underWay.get(id) ?? attempt(input, ...about);
        underWay.set(id, begun);
        return begun;
    };
    return {
        make,
        async makeInline(input) {
            if (deps.load.isSlow(input.endpointId))
                throw new SlowReceiver();
            return new Promise((resolve, reject) => {
                // The attempt goes on by itself.
                const leave = () => reject(new SlowReceiver());
                const timer = setTimeout(leave, INLINE_MOST_MS);
                make(input, undefined, leave)
                    .then(resolve, reject)
                    .finally(() => clearTimeout(timer));
            });
        },
        async close() {
            stop.abort();
            while (underWay.size > 0)
                await Promise.allSettled(underWay.values());
        },
    };
}
/** Claims the attempt and makes it. Where nothing is sent the claim is given back. */
async function attemptOnce(deps, call) {
    const { input, known } = call;
    const release = () => deps.deliveries.release(input, deps.owner);
    // Also what a gate let go is claimed: a retry may have started an execution while it was held.
    if (!known?.isNew) {
        const claim = await deps.deliveries.claim(input, deps.owner);
        if (claim.kind === 'taken')
            throw new AttemptUnderWay('another process makes the attempt, or died while it did');
        if (claim.kind === 'answered')
            return settleAgain(deps, call, claim.answer);
    }
    try {
        const outcome = await sendClaimed(deps, call);
        if (outcome.kind !== 'answered')
            await release();
        return outcome;
    }
    catch (error) {
        await release().catch(() => undefined);
        throw error;
    }
}
/** Sends, unless the delivery, its endpoint or its turn is against it; then does what follows from the answer. */
async function sendClaimed(deps, { input, known, onSlow, room }) {
    // After the claim: whoever cancelled or paused before it was answered that nothing is under way.
    let found = known ?? (await loadOpen(deps, input));
    if ('kind' in found)
        return found;
    if (typeof room === 'string')
        return hold(deps, input, room);
    const turn = await (0, take_turn_1.takeTurn)(deps, input, found.endpoint);
    if (turn.kind === 'later')
        return hold(deps, input, turn.reason);
    let answer;
    try {
        // While it waited for its turn it may have been cancelled, or its endpoint paused.
        if (turn.waitedMs > 0)
            found = await loadOpen(deps, input);
        if ('kind' in found)
            return found;
        const { delivery, endpoint } = found;
        answer = await room(() => (0, delivery_request_1.sendDelivery)(deps, input, delivery, endpoint), onSlow);
        deps.onAnswer(outcomeOf(input, answer));
        await writeDown(deps, input, answer);
    }
    finally {
        await turn.giveBack();
    }
    await (0, settle_answer_1.settleAnswer)(deps, input, found, answer);
    return outcomeOf(input, answer);
}
/** The history has the answer; the state may not have followed it yet. */
async function settleAgain(deps, { input, known }, answer) {
    const { delivery, endpoint } = known ?? (await load(deps, input));
    await deps.deliveries.applyAnswer(input, answer);
    if (delivery)
        await (0, settle_answer_1.settleAnswer)(deps, input, { delivery, endpoint }, answer);
    return outcomeOf(input, answer);
}
async function load({ deliveries, endpoints }, input) {
    const [delivery, endpoint] = await Promise.all([deliveries.load(input), endpoints.find(input.endpointId)]);
    return { delivery, endpoint };
}
/**
 * Loads what may be sent now. The record decides: it is changed before any signal.
 *
 * @returns else why nothing may be sent now, or ever
 * @throws AttemptUnderWay when a process has the attempt by a claim in the event
 */
async function loadOpen(deps, input) {
    const { delivery, endpoint } = await load(deps, input);
    if (!delivery || delivery.destination.run !== input.run)
        return { kind: 'ended', state: 'cancelled' };
    const { state } = delivery.destination;
    if ((0, delivery_state_1.isFinished)(state)) {
        if (endpoint && (0, endpoint_store_1.standsInLine)(endpoint, input))
            deps.lookAt(endpoint._id);
        return { kind: 'ended', state: state };
    }
    if (delivery.destination.claimed_by !== deps.owner && (0, event_store_1.isClaimed)(delivery.destination, delivery.event.now))
        throw new AttemptUnderWay('another process has it');
    if (!endpoint) {
        await deps.deliveries.cancel(input);
        return { kind: 'ended', state: 'cancelled' };
    }
    const closed = (0, endpoint_store_1.closedBy)(endpoint);
    return closed ? hold(deps, input, closed) : { delivery, endpoint };
}
/** Has the delivery wait for its endpoint's gate. */
async function hold({ deliveries }, input, reason) {
    await deliveries.hold(input, reason);
    return { kind: 'held', reason };
}
/**
 * Writes an answer down, however long MongoDB is away: whoever asks for the attempt meanwhile waits for it too.
 *
 * @throws what MongoDB says, once the process ends
 */
async function writeDown(deps, input, answer) {
    for (let tries = 1;; tries += 1) {
        try {
            return await deps.deliveries.record(input, answer);
        }
        catch (error) {
            if (deps.stop.aborted)
                throw error;
            if (tries === 1)
                deps.logger.warn({ err: error, attempt: (0, attempt_store_1.attemptId)(input) }, 'an answer is not written down yet');
            await (0, sleep_1.sleep)(RECORD_AGAIN_MS, deps.stop);
        }
    }
}
function outcomeOf(input, answer) {
    return {
        kind: 'answered',
        number: input.number,
        succeeded: answer.succeeded,
        startedAtMs: answer.started_at.getTime(),
        latencyMs: answer.latency_ms,
        statusCode: answer.status_code,
        errorCode: answer.error_code,
        ...(answer.next_delay_ms !== undefined && { nextDelayMs: answer.next_delay_ms }),
    };
}
//# sourceMappingURL=attempt-delivery.js.map