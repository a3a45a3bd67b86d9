import { DELIVERY_WORKFLOW, deliveryOfWorkflowId } from '../domain/delivery-contract';
import type { DeliveryStore } from '../record/delivery-store';
import { isFinished } from '../domain/delivery-state';
import { inParallel } from '../platform/turns';
import type { Logger } from '../platform/logger';
import { recordEndOfExecution } from './executions';
import { runPeriodically, type Periodic } from '../platform/periodic';
import type { TemporalLink } from '../platform/temporal';
import type { Gate } from './gate';

interface TerminationDeps {
  readonly deliveries: Pick<DeliveryStore, 'cancel' | 'load'>;
  readonly gate: Pick<Gate, 'look'>;
  readonly logger: Logger;
  readonly temporal: TemporalLink;
}

/** Temporal keeps closed executions for at least a day: many looks happen within that time. */
const EVERY_MS = 600_000;
/** For all pages of the list. */
const LIST_TIMEOUT_MS = 30_000;
const LOOKS_IN_FLIGHT = 32;
const QUERY = `WorkflowType = '${DELIVERY_WORKFLOW}' AND ExecutionStatus = 'Terminated'`;

/**
 * Records executions that were terminated in Temporal's Web UI as cancelled. A terminated execution can't do that
 * itself, and its next attempt may be due only after Temporal has forgotten it: an execution unknown to Temporal is
 * started again. Part of the worker role; safe in any number of workers.
 *
 * @param everyMs from one look to the next
 */
export function createTerminationRecorder(deps: TerminationDeps, everyMs = EVERY_MS): Periodic {
  const failure = 'terminated executions could not be searched for; the next round tries again';
  return runPeriodically({ intervalMs: everyMs, logger: deps.logger, failure }, async (stop) => {
    if (!(await deps.temporal.isHealthy())) return;
    const ids = await terminatedExecutions(deps.temporal);
    await inParallel(ids, LOOKS_IN_FLIGHT, async (id) => !stop.aborted && recordTermination(deps, id));
  });
}

async function recordTermination(deps: TerminationDeps, workflowId: string): Promise<boolean> {
  const ref = deliveryOfWorkflowId(workflowId);
  const found = ref && (await deps.deliveries.load(ref));
  if (!found || found.destination.run !== ref.run || isFinished(found.destination.state)) return false;
  // If one id has several executions, the last one counts.
  const status = await deps.temporal.statusOf(workflowId);
  if (status !== 'TERMINATED' || !(await recordEndOfExecution(deps, ref, status))) return false;
  // Its workflow no longer exists to do that.
  deps.gate.look(ref.endpointId);
  return true;
}

function terminatedExecutions(temporal: TemporalLink): Promise<string[]> {
  return temporal.call(async ({ workflow }) => {
    const ids = new Set<string>();
    for await (const { workflowId } of workflow.list({ query: QUERY })) ids.add(workflowId);
    return [...ids];
  }, LIST_TIMEOUT_MS);
}
