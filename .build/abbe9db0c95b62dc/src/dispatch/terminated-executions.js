"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createTerminationRecorder = createTerminationRecorder;
exports.recordEndOfExecution = recordEndOfExecution;
const delivery_contract_1 = require("../domain/delivery-contract");
const delivery_state_1 = require("../domain/delivery-state");
const in_parallel_1 = require("../platform/in-parallel");
const periodic_1 = require("../platform/periodic");
/** Temporal keeps closed executions for a day at least: several looks fall into that. */
const TIMING = { tryMs: 60_000, everyMs: 3_600_000 };
/** For all pages of the list. */
const LIST_TIMEOUT_MS = 30_000;
const LOOKS_IN_FLIGHT = 32;
const QUERY = `WorkflowType = '${delivery_contract_1.DELIVERY_WORKFLOW}' AND ExecutionStatus = 'Terminated'`;
/**
 * Records as cancelled what somebody terminated in Temporal's Web UI. An execution that is terminated can't say so
 * itself, and its next attempt may be due after Temporal has forgotten it: an execution that Temporal does not know is
 * started again. Part of the worker role; one worker at a time.
 */
function createTerminationRecorder(deps) {
    const { tryMs, everyMs } = deps.timing ?? TIMING;
    const failure = 'terminated executions could not be looked for; the next look tries again';
    let nextAt = 0;
    return (0, periodic_1.runPeriodically)({ intervalMs: tryMs, logger: deps.logger, failure }, async (stop) => {
        if (performance.now() < nextAt || !(await deps.temporal.isHealthy()))
            return;
        if (!(await deps.dispatch.holdLease('terminated-executions', deps.owner, everyMs)))
            return;
        const ids = await terminatedExecutions(deps.temporal);
        await (0, in_parallel_1.inParallel)(ids, LOOKS_IN_FLIGHT, async (id) => !stop.aborted && recordTermination(deps, id));
        nextAt = performance.now() + everyMs;
    });
}
/** Ends a delivery whose execution somebody ended in Temporal. @returns false when it was finished */
async function recordEndOfExecution({ deliveries, gate, logger }, ref, status) {
    if (!(await deliveries.cancel(ref)))
        return false;
    logger.info({ ...ref, status }, 'recorded a cancel made in Temporal');
    // Its workflow is not there any more to do so.
    gate.look(ref.endpointId);
    return true;
}
async function recordTermination(deps, workflowId) {
    const ref = (0, delivery_contract_1.deliveryOfWorkflowId)(workflowId);
    const found = ref && (await deps.deliveries.load(ref));
    if (!found || found.destination.run !== ref.run || (0, delivery_state_1.isFinished)(found.destination.state))
        return false;
    // Of several executions of one id the last one counts: the gate's start terminates one that has given its delivery back.
    const status = await deps.temporal.statusOf(workflowId);
    return status === 'TERMINATED' && recordEndOfExecution(deps, ref, status);
}
function terminatedExecutions(temporal) {
    return temporal.call(async ({ workflow }) => {
        const ids = new Set();
        for await (const { workflowId } of workflow.list({ query: QUERY }))
            ids.add(workflowId);
        return [...ids];
    }, LIST_TIMEOUT_MS);
}
//# sourceMappingURL=terminated-executions.js.map