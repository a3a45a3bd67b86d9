import { DELIVERY_WORKFLOW, deliveryOfWorkflowId, type DeliveryRef } from '../domain/delivery-contract';
import type { DeliveryStore } from '../record/delivery-store';
import { isFinished } from '../domain/delivery-state';
import { inParallel } from '../platform/in-parallel';
import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import type { TemporalLink } from '../platform/temporal';
import type { Gate } from './gate';
import type { DispatchStore } from './dispatch-store';

interface CancelDeps {
  readonly deliveries: Pick<DeliveryStore, 'cancel'>;
  readonly gate: Pick<Gate, 'look'>;
  readonly logger: Logger;
}

interface TerminationDeps extends CancelDeps {
  readonly deliveries: Pick<DeliveryStore, 'cancel' | 'load'>;
  readonly dispatch: Pick<DispatchStore, 'holdLease'>;
  readonly temporal: TemporalLink;
  /** Names this process in the lease. */
  readonly owner: string;
  readonly timing?: TerminationTiming;
}

/** In milliseconds. */
export interface TerminationTiming {
  /** How often it tries, where Temporal was away or another process has the lease. */
  readonly tryMs: number;
  /** From one look at everything to the next one. */
  readonly everyMs: number;
}

/** Temporal keeps closed executions for a day at least: several looks fall into that. */
const TIMING: TerminationTiming = { tryMs: 60_000, everyMs: 3_600_000 };
/** For all pages of the list. */
const LIST_TIMEOUT_MS = 30_000;
const LOOKS_IN_FLIGHT = 32;
const QUERY = `WorkflowType = '${DELIVERY_WORKFLOW}' AND ExecutionStatus = 'Terminated'`;

/**
 * Records as cancelled what somebody terminated in Temporal's Web UI. An execution that is terminated can't say so
 * itself, and its next attempt may be due after Temporal has forgotten it: an execution that Temporal does not know is
 * started again. Part of the worker role; one worker at a time.
 */
export function createTerminationRecorder(deps: TerminationDeps): Periodic {
  const { tryMs, everyMs } = deps.timing ?? TIMING;
  const failure = 'terminated executions could not be looked for; the next look tries again';
  let nextAt = 0;
  return runPeriodically({ intervalMs: tryMs, logger: deps.logger, failure }, async (stop) => {
    if (performance.now() < nextAt || !(await deps.temporal.isHealthy())) return;
    if (!(await deps.dispatch.holdLease('terminated-executions', deps.owner, everyMs))) return;
    const ids = await terminatedExecutions(deps.temporal);
    await inParallel(ids, LOOKS_IN_FLIGHT, async (id) => !stop.aborted && recordTermination(deps, id));
    nextAt = performance.now() + everyMs;
  });
}

/** Ends a delivery whose execution somebody ended in Temporal. @returns false when it was finished */
export async function recordEndOfExecution(
  { deliveries, gate, logger }: CancelDeps,
  ref: DeliveryRef,
  status: string,
): Promise<boolean> {
  if (!(await deliveries.cancel(ref))) return false;
  logger.info({ ...ref, status }, 'recorded a cancel made in Temporal');
  // Its workflow is not there any more to do so.
  gate.look(ref.endpointId);
  return true;
}

async function recordTermination(deps: TerminationDeps, workflowId: string): Promise<boolean> {
  const ref = deliveryOfWorkflowId(workflowId);
  const found = ref && (await deps.deliveries.load(ref));
  if (!found || found.destination.run !== ref.run || isFinished(found.destination.state)) return false;
  // Of several executions of one id the last one counts: the gate's start terminates one that has given its delivery back.
  const status = await deps.temporal.statusOf(workflowId);
  return status === 'TERMINATED' && recordEndOfExecution(deps, ref, status);
}

function terminatedExecutions(temporal: TemporalLink): Promise<string[]> {
  return temporal.call(async ({ workflow }) => {
    const ids = new Set<string>();
    for await (const { workflowId } of workflow.list({ query: QUERY })) ids.add(workflowId);
    return [...ids];
  }, LIST_TIMEOUT_MS);
}
