"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.SWEEPER_TIMING = void 0;
exports.createSweeper = createSweeper;
exports.sweepOnce = sweepOnce;
const delivery_contract_1 = require("../domain/delivery-contract");
const due_store_1 = require("../record/due-store");
const delivery_state_1 = require("../domain/delivery-state");
const in_parallel_1 = require("../platform/in-parallel");
const periodic_1 = require("../platform/periodic");
const sleep_1 = require("../platform/sleep");
const start_delivery_1 = require("./start-delivery");
const terminated_executions_1 = require("./terminated-executions");
exports.SWEEPER_TIMING = {
    intervalMs: 1_000,
    startGraceMs: 5_000,
    overdueMs: 120_000,
    overdueIntervalMs: 10_000,
    leaseMs: 15_000,
};
const BATCH = 500;
/** Endpoints whose gates are looked at in one pass. */
const GATES = 100;
const RECONCILES_IN_FLIGHT = 32;
/** Where they begin. */
function beginningOfSweep() {
    return { backlog: (0, due_store_1.beginningOfBacklog)(), endpointId: '', overdue: new Date(0), isUrgent: false };
}
/**
 * Heals what a crash left undone: sends or starts what is due, looks at the gates of endpoints that hold deliveries, and
 * restarts, from its recorded attempt, an unfinished delivery that is overdue and has no running workflow: Temporal's
 * store lost its last second, or is new and empty. An execution that somebody cancelled or terminated in Temporal's Web UI
 * is recorded as `cancelled`. Part of the worker role; safe in any number of workers.
 */
function createSweeper(deps) {
    const timing = deps.timing ?? exports.SWEEPER_TIMING;
    const place = beginningOfSweep();
    let overdueAt = 0;
    let isReady = false;
    let wasAway = false;
    void deps.indexesReady.then(() => (isReady = true));
    const failure = 'a sweep failed; the next one tries again';
    return (0, periodic_1.runPeriodically)({ intervalMs: timing.intervalMs, logger: deps.logger, failure }, async (stop) => {
        if (!isReady)
            return;
        if (wasAway) {
            await deps.dispatch.now();
            // After an outage of MongoDB, everybody has the usual time for what is theirs: to write an answer down, to start.
            await (0, sleep_1.sleep)(timing.startGraceMs, stop);
        }
        wasAway = true;
        for (let isUrgent = true; isUrgent && !stop.aborted;) {
            const found = await sweepOnce(deps, timing, place, performance.now() >= overdueAt);
            isUrgent = found !== null && place.isUrgent;
            if (found !== null && !isUrgent)
                overdueAt = performance.now() + timing.overdueIntervalMs;
        }
        wasAway = false;
    });
}
/**
 * One pass, which goes on at `place` and moves it.
 *
 * @param withOverdue whether it checks overdue deliveries too
 * @returns how many overdue deliveries it looked at; null when it did not look
 */
async function sweepOnce(deps, timing, place = beginningOfSweep(), withOverdue = true) {
    const isTemporalUp = (deps.needsTemporal || withOverdue) && (await deps.temporal.isHealthy());
    if (!isTemporalUp && deps.needsTemporal)
        return null;
    if (!(await deps.dispatch.holdLease('sweeper', deps.owner, timing.leaseMs)))
        return null;
    const clocks = await deps.dispatch.clocks();
    const { now } = clocks;
    const before = (ms) => new Date(now.getTime() - ms);
    const due = await deps.dispatch.findDue(before(timing.startGraceMs), clocks, BATCH, place.backlog);
    // Through the queues: what they have already is not sent twice, and a neighbour's thousands don't hold up the others.
    const missed = due.filter((it) => deps.dispatcher.dispatch((0, start_delivery_1.startOf)(it, now))).length;
    if (missed > 0)
        deps.logger.info({ found: missed }, 'sending deliveries that were missed');
    await lookAtGates(deps, place);
    if (!withOverdue || !isTemporalUp)
        return null;
    const overdue = await deps.dispatch.findOverdue(place.overdue, before(timing.overdueMs), BATCH);
    place.overdue = overdue.next ?? new Date(0);
    const restarted = await (0, in_parallel_1.inParallel)(overdue.found, RECONCILES_IN_FLIGHT, (it) => reconcile(deps, it, now));
    // Otherwise Temporal is late, and asking for thousands at once would make it later.
    place.isUrgent = overdue.next !== null && restarted > 0;
    return overdue.found.length;
}
async function lookAtGates({ deliveries, gate }, place) {
    const endpointIds = await deliveries.endpointsThatHold(place.endpointId, GATES);
    place.endpointId = endpointIds.length < GATES ? '' : endpointIds.at(-1);
    for (const endpointId of endpointIds)
        gate.look(endpointId);
}
/** Holds one overdue delivery against what Temporal knows of it. @returns whether it restarted the delivery */
async function reconcile(deps, due, now) {
    const { ref } = (0, start_delivery_1.startOf)(due, now);
    const status = await deps.temporal.statusOf((0, delivery_contract_1.deliveryWorkflowId)(ref));
    if (status === 'RUNNING')
        return false;
    if (status === 'TERMINATED' || status === 'CANCELLED') {
        await (0, terminated_executions_1.recordEndOfExecution)(deps, ref, status);
        return false;
    }
    // It may have come to its end since it was found overdue: then nothing is missing.
    const current = await deps.deliveries.load(ref);
    if (!current || current.destination.run !== ref.run || (0, delivery_state_1.isFinished)(current.destination.state))
        return false;
    if (current.destination.dispatch !== 'done')
        return false;
    deps.logger.warn({ ...ref, status }, 'an unfinished delivery had no running workflow; it goes on');
    await deps.starter.start((0, start_delivery_1.startOf)(current, now));
    return true;
}
//# sourceMappingURL=sweeper.js.map