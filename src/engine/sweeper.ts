import {
  logFieldsOf,
  DELIVERY_WORKFLOW,
  deliveryOfWorkflowId,
  closedBy,
  deliveryWorkflowId,
  type DeliveryRef,
} from '../domain/delivery-contract';
import { BEGINNING_OF_OVERDUE, newBacklogCursor, type DispatchStore } from '../stores/dispatch-store';
import type { DeliveryStore } from '../stores/delivery-store';
import { isFinished } from '../domain/delivery-state';
import type { EndpointStore } from '../stores/endpoint-store';
import type { GateStore } from '../stores/gate-store';
import type { Logger } from '../platform/logger';
import { inParallel } from '../platform/concurrency-limit';
import { runPeriodically, type Periodic } from '../platform/periodic';
import type { TemporalLink } from '../platform/temporal';
import type { Dispatcher } from './dispatcher';
import type { Executions } from './executions';
import type { Gate } from './gate';
import { startOf } from './task';

/** The intervals of the sweeper, in milliseconds. */
export const SWEEPER_TIMING = {
  intervalMs: 1_000,
  /** Deliveries accepted more recently are left to the process that accepted them. */
  startGraceMs: 5_000,
  /** An unfinished delivery that is this late is compared with Temporal. */
  overdueMs: 120_000,
  /** How often it searches for overdue deliveries, and for held ones whose next look was lost. */
  repairIntervalMs: 10_000,
  leaseMs: 15_000,
};
export type SweeperTiming = Readonly<typeof SWEEPER_TIMING>;

interface SweeperDeps {
  readonly dispatch: DispatchStore;
  readonly deliveries: Pick<DeliveryStore, 'load' | 'endpointsThatHold'>;
  readonly endpoints: Pick<EndpointStore, 'findGates'>;
  readonly gates: Pick<GateStore, 'takeDue'>;
  /** Sends what is due. If that fails, a later sweep finds it again. */
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly executions: Pick<Executions, 'start'>;
  readonly gate: Pick<Gate, 'look' | 'lookTaken'>;
  readonly temporal: TemporalLink;
  /** The sweeper's queries need indexes, which a new database does not have at once. */
  readonly indexesReady: Promise<void>;
  /** Whether first attempts wait for Temporal. */
  readonly needsTemporal: boolean;
  readonly logger: Logger;
  /** Names this process in the lease. */
  readonly owner: string;
}

/** What a comparison with Temporal needs. */
type ReconcileDeps = Pick<SweeperDeps, 'dispatch' | 'executions' | 'logger' | 'temporal'> & {
  readonly deliveries: Pick<DeliveryStore, 'load'>;
  readonly gate: Pick<Gate, 'look'>;
};

const BATCH = 500;
/** Endpoints that hold, found in one pass: a query for each, one after the other, while gates wait for the next pass. */
const HOLDING = 50;
const LOOKS_IN_FLIGHT = 32;
/** Temporal keeps closed executions for at least a day: many looks happen within that time. */
const TERMINATED_EVERY_MS = 600_000;
/** For all pages of the list. */
const LIST_TIMEOUT_MS = 30_000;
const TERMINATED = `WorkflowType = '${DELIVERY_WORKFLOW}' AND ExecutionStatus = 'Terminated'`;

/** The cursors of the passes, at the start. */
function beginningOfSweep() {
  return {
    backlog: newBacklogCursor(),
    /** The search for endpoints that hold continues after this one. */
    endpointId: '',
    /** The search for overdue deliveries continues here. */
    overdue: BEGINNING_OF_OVERDUE,
    /** When these two continue, by this process's clock. */
    repairAt: 0,
  };
}

/**
 * Looks at gates when their time comes, and repairs what a crash left undone. It sends or starts what is due, finds
 * endpoints that hold deliveries behind an open gate, and restarts overdue deliveries without a running workflow from their recorded attempt: Temporal's store
 * lost its last second, or is new and empty. An execution that was cancelled or terminated in Temporal's Web UI is
 * recorded as `cancelled`. Part of the worker role; safe in any number of workers.
 */
export function createSweeper(deps: SweeperDeps, timing = SWEEPER_TIMING): Periodic {
  const place = beginningOfSweep();
  let isReady = false;
  void deps.indexesReady.then(() => (isReady = true));
  const failure = 'a sweep failed; the next one tries again';
  return runPeriodically({ intervalMs: timing.intervalMs, logger: deps.logger, failure }, async () => {
    if (isReady) await sweepOnce(deps, timing, place);
  });
}

/**
 * One pass, which continues at `place` and moves it.
 *
 * @returns how many overdue deliveries it looked at; null if it did not look
 */
export async function sweepOnce(
  deps: SweeperDeps,
  timing: SweeperTiming,
  place = beginningOfSweep(),
): Promise<number | null> {
  const isRepairing = performance.now() >= place.repairAt;
  const isTemporalUp = (deps.needsTemporal || isRepairing) && (await deps.temporal.isHealthy());
  if (!isTemporalUp && deps.needsTemporal) return null;
  if (!(await deps.dispatch.holdLease('sweeper', deps.owner, timing.leaseMs))) return null;
  const now = await deps.dispatch.now();
  const before = (ms: number): Date => new Date(now.getTime() - ms);

  const due = await deps.dispatch.findDue(before(timing.startGraceMs), now, BATCH, place.backlog);
  // Through the queues: deliveries already there are not sent twice, and one account's thousands don't delay the
  // others.
  const missed = due.filter((it) => deps.dispatcher.dispatch(startOf(it, now))).length;
  if (missed > 0) deps.logger.info({ found: missed }, 'sending deliveries that were missed');
  const gates = await deps.gates.takeDue(now, BATCH);
  await inParallel(gates.endpointIds, LOOKS_IN_FLIGHT, (id) => deps.gate.lookTaken(id, gates.until));

  // A search that has begun goes on in each pass.
  if (isRepairing || place.endpointId !== '') await lookAtForgotten(deps, place);
  if (!isRepairing || !isTemporalUp) return null;
  const overdue = await deps.dispatch.findOverdue(place.overdue, before(timing.overdueMs), BATCH);
  place.overdue = overdue.next ?? BEGINNING_OF_OVERDUE;
  const restarted = await inParallel(overdue.found, LOOKS_IN_FLIGHT, (it) =>
    reconcile(deps, startOf(it, now).ref, now),
  );
  // There are more, and some of these had lost their executions: Temporal is new, or was restored. Otherwise it is late,
  // and thousands of requests at once would make it later.
  const isUrgent = overdue.next !== null && restarted > 0;
  if (!isUrgent) place.repairAt = performance.now() + timing.repairIntervalMs;
  return overdue.found.length;
}

/** Looks at the next open gates of endpoints that hold deliveries, whether a look is stored or not. */
async function lookAtForgotten(
  { deliveries, endpoints, gate }: Pick<SweeperDeps, 'deliveries' | 'endpoints' | 'gate'>,
  place: { endpointId: string },
): Promise<void> {
  const holding = await deliveries.endpointsThatHold(place.endpointId, HOLDING);
  place.endpointId = holding.length < HOLDING ? '' : holding.at(-1)!;
  const gates = await endpoints.findGates(holding);
  const closed = new Set(gates.filter(closedBy).map(({ _id }) => _id));
  for (const endpointId of holding) if (!closed.has(endpointId)) gate.look(endpointId);
}

/** Compares a delivery with Temporal. @returns whether it restarted the delivery */
async function reconcile(deps: ReconcileDeps, ref: DeliveryRef, now: Date): Promise<boolean> {
  const status = await deps.temporal.statusOf(deliveryWorkflowId(ref));
  if (status === 'RUNNING') return false;
  // It may have finished since it was found: then nothing is missing.
  const current = await deps.deliveries.load(ref);
  if (!current || current.destination.run !== ref.run || isFinished(current.destination.state)) return false;
  if (current.destination.dispatch !== 'done') return false;
  const isStarted = await deps.executions.start(startOf(current, now));
  // It is cancelled, and its workflow no longer exists to do that.
  if (!isStarted) deps.gate.look(ref.endpointId);
  else
    deps.logger.warn({ ...logFieldsOf(ref), status }, 'an unfinished delivery had no running workflow; restarted it');
  return isStarted;
}

/**
 * Records executions that were terminated in Temporal's Web UI as cancelled. A terminated execution can't do that
 * itself, and its next attempt may be due only after Temporal has forgotten it: an execution unknown to Temporal is
 * started again. Part of the worker role; safe in any number of workers.
 *
 * @param everyMs from one look to the next
 */
export function createTerminationRecorder(deps: ReconcileDeps, everyMs = TERMINATED_EVERY_MS): Periodic {
  const failure = 'terminated executions could not be searched for; the next round tries again';
  return runPeriodically({ intervalMs: everyMs, logger: deps.logger, failure }, async (stop) => {
    if (!(await deps.temporal.isHealthy())) return;
    const now = await deps.dispatch.now();
    const ids = new Set<string>();
    await deps.temporal.call(async ({ workflow }) => {
      for await (const { workflowId } of workflow.list({ query: TERMINATED })) ids.add(workflowId);
    }, LIST_TIMEOUT_MS);
    await inParallel([...ids], LOOKS_IN_FLIGHT, async (id) => {
      const ref = deliveryOfWorkflowId(id);
      const found = ref && !stop.aborted && (await deps.deliveries.load(ref));
      // Most were recorded by an earlier round: then Temporal is not asked.
      return found && !isFinished(found.destination.state) ? reconcile(deps, ref, now) : false;
    });
  });
}
