"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.GIVE_BACK_MS = void 0;
exports.answerUpdate = answerUpdate;
exports.holdUpdate = holdUpdate;
exports.letGoUpdate = letGoUpdate;
exports.cancelUpdate = cancelUpdate;
exports.cancelAnyRunUpdate = cancelAnyRunUpdate;
exports.replayUpdate = replayUpdate;
const delivery_state_1 = require("../domain/delivery-state");
const IS_UNFINISHED = { $in: ['$$it.state', delivery_state_1.UNFINISHED_STATES] };
const NOT_HELD = { held_for: null, held_at: null };
const OVER = { ...NOT_HELD, dispatch: 'done', next_attempt_at: null };
const CANCELLED = { ...OVER, state: 'cancelled', completed_at: '$$NOW' };
/** The execution that gives a delivery back ends within this time: a new one of the same id can't begin before. */
exports.GIVE_BACK_MS = 1_000;
/**
 * The update that moves a delivery after an answered attempt. It may be applied again at any later time:
 *
 * - a 2xx always delivers, also when a cancel came while it was under way;
 * - a failure counts once, and never moves a finished delivery;
 * - times come from the database's clock.
 */
function answerUpdate(input, succeeded) {
    const counted = { attempt_count: { $max: ['$$it.attempt_count', input.number] }, claimed_until: null, look_at: null };
    const finish = (state) => ({
        ...counted,
        ...OVER,
        state,
        completed_at: { $cond: [{ $eq: ['$$it.state', state] }, '$$it.completed_at', '$$NOW'] },
    });
    const isNews = { $and: [IS_UNFINISHED, { $lt: ['$$it.attempt_count', input.number] }] };
    const failure = input.nextDelayMs === null
        ? finish('failed')
        : {
            ...counted,
            state: 'retrying',
            next_attempt_at: { $add: ['$$NOW', input.nextDelayMs] },
            // An execution that somebody started made the attempt, and makes the next one.
            dispatch: { $cond: [{ $eq: ['$$it.dispatch', 'held'] }, 'done', '$$it.dispatch'] },
            ...NOT_HELD,
        };
    return changeDestination(input, succeeded ? finish('delivered') : { $cond: [isNews, failure, counted] });
}
/** The update that has an unfinished delivery wait for its endpoint's gate. */
function holdUpdate(ref, reason) {
    const held = {
        dispatch: 'held',
        held_for: reason,
        // One that is held again by a second attempt waits since the first.
        held_at: { $cond: [{ $eq: ['$$it.dispatch', 'held'] }, { $ifNull: ['$$it.held_at', '$$NOW'] }, '$$NOW'] },
        look_at: { $add: ['$$NOW', exports.GIVE_BACK_MS] },
        next_attempt_at: null,
        claimed_until: null,
    };
    return changeDestination(ref, { $cond: [IS_UNFINISHED, held, {}] });
}
/**
 * The update that lets a held delivery go: its next attempt is due. Of two processes that do it at once, one has it.
 *
 * @param leaseMs how long `owner` has to make the attempt itself; 0 leaves it to an execution
 */
function letGoUpdate(ref, owner, leaseMs) {
    const due = {
        ...NOT_HELD,
        dispatch: 'due',
        next_attempt_at: '$$NOW',
        claimed_by: { $literal: owner },
        claimed_until: leaseMs > 0 ? { $add: ['$$NOW', leaseMs] } : null,
    };
    return changeDestination(ref, { $cond: [{ $eq: ['$$it.dispatch', 'held'] }, due, {}] });
}
/** The update that ends an unfinished delivery as cancelled. */
function cancelUpdate(ref) {
    return changeDestination(ref, { $cond: [IS_UNFINISHED, CANCELLED, {}] });
}
/** The update that ends every unfinished delivery of an event to one endpoint as cancelled, whatever its run. */
function cancelAnyRunUpdate(endpointId) {
    return changeWhere(isTo(endpointId), { $cond: [IS_UNFINISHED, CANCELLED, {}] });
}
/**
 * The update that sends a finished delivery again: run + 1 with all its attempts ahead. To be used with a filter on
 * the finished run, so that of two replays at once one comes too late.
 *
 * @param jobId the bulk replay that does it, if one does
 */
function replayUpdate(ref, jobId) {
    const fresh = {
        run: ref.run + 1,
        state: 'pending',
        attempt_count: 0,
        next_attempt_at: '$$NOW',
        completed_at: null,
        dispatch: 'due',
        look_at: null,
        claimed_by: null,
        claimed_until: null,
        replay_job: { $literal: jobId },
    };
    return changeDestination(ref, { $cond: [{ $not: IS_UNFINISHED }, fresh, {}] });
}
/** Lays `fields` over the run's destination, and notes how many are left and when the event's last one finished. */
function changeDestination({ endpointId, run }, fields) {
    return changeWhere({ $and: [isTo(endpointId), { $eq: ['$$it.run', run] }] }, fields);
}
function isTo(endpointId) {
    return { $eq: ['$$it.endpoint_id', { $literal: endpointId }] };
}
function changeWhere(isIt, fields) {
    return [
        {
            $set: {
                destinations: {
                    $map: {
                        input: '$destinations',
                        as: 'it',
                        in: { $cond: [isIt, { $mergeObjects: ['$$it', fields] }, '$$it'] },
                    },
                },
            },
        },
        { $set: { unfinished: { $size: { $filter: { input: '$destinations', as: 'it', cond: IS_UNFINISHED } } } } },
        {
            $set: {
                finished_at: { $cond: [{ $gt: ['$unfinished', 0] }, null, { $ifNull: ['$finished_at', '$$NOW'] }] },
            },
        },
    ];
}
//# sourceMappingURL=state-updates.js.map