import { deliveryWorkflowId, type DeliveryRef } from '../domain/delivery-contract';
import type { DeliveryStore } from '../deliveries/store';
import { isFinished } from '../domain/delivery-state';
import type { Logger } from '../platform/logger';
import { sleep, type TemporalLink } from '../platform/temporal';
import type { Dispatcher } from './dispatcher';
import { startOf, type DeliveryStarter } from './start-delivery';
import { beginningOfBacklog, type DispatchStore, type DueDelivery } from './store';
import type { WakeNext } from './wake-next';

/** Heals what a crash left undone. Part of the worker role; safe in any number of workers. */
export interface Sweeper {
  close(): Promise<void>;
}

/** How patient the sweeper is, in milliseconds. */
export interface SweeperTiming {
  readonly intervalMs: number;
  /** Younger promises are left to the process that made them. */
  readonly startGraceMs: number;
  /** An unfinished delivery this late is checked against Temporal. */
  readonly overdueMs: number;
  /** How often it looks for those. */
  readonly overdueIntervalMs: number;
  /** A delivery whose workflow was found running is not checked again for this long. */
  readonly recheckMs: number;
  readonly leaseMs: number;
}

export const SWEEPER_TIMING: SweeperTiming = {
  intervalMs: 1_000,
  startGraceMs: 5_000,
  overdueMs: 120_000,
  overdueIntervalMs: 10_000,
  recheckMs: 300_000,
  leaseMs: 15_000,
};

interface SweeperDeps {
  readonly dispatch: DispatchStore;
  readonly deliveries: Pick<DeliveryStore, 'cancel' | 'load'>;
  /** Sends what was promised and never started; what it fails to, a later sweep brings again. */
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  readonly starter: DeliveryStarter;
  /** Tells the first in line of an endpoint that it may go on. */
  readonly wakeNext: WakeNext;
  readonly temporal: TemporalLink;
  /** Whether first attempts wait for Temporal. */
  readonly needsTemporal: boolean;
  readonly logger: Logger;
  /** Names this process in the lease. */
  readonly owner: string;
  readonly timing?: SweeperTiming;
}

const BATCH = 500;
const RECONCILES_IN_FLIGHT = 32;

/**
 * Starts what was promised and not started, and restarts, from its recorded attempt, an unfinished delivery that
 * is overdue and has no running workflow: Temporal's store lost its last second, or is new and empty. An execution
 * that somebody cancelled or terminated in Temporal's Web UI is recorded as `cancelled`.
 */
export function createSweeper(deps: SweeperDeps): Sweeper {
  const timing = deps.timing ?? SWEEPER_TIMING;
  const stop = new AbortController();
  const place = beginningOfBacklog();
  let overdueAt = 0;
  /** After an outage of MongoDB, everybody has the usual time for what is theirs: to write an answer down, to start. */
  const untilBack = async (): Promise<void> => {
    const isBack = () =>
      deps.dispatch.now().then(
        () => true,
        () => false,
      );
    while (!stop.signal.aborted && !(await isBack())) await sleep(timing.intervalMs, stop.signal);
    await sleep(timing.startGraceMs, stop.signal);
  };
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const found = await sweepOnce(deps, timing, place, performance.now() >= overdueAt).catch(
        async (error: unknown) => {
          deps.logger.warn({ err: error }, 'a sweep failed; the next one tries again');
          await untilBack();
          return null;
        },
      );
      // A full batch says that there is more.
      if (found !== null && found >= BATCH) continue;
      if (found !== null) overdueAt = performance.now() + timing.overdueIntervalMs;
      await sleep(timing.intervalMs, stop.signal);
    }
  };
  const running = loop();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}

/**
 * One pass, which goes on at `place` and moves it.
 *
 * @param withOverdue whether it checks overdue deliveries too
 * @returns how many overdue deliveries it looked at; null when it did not look
 */
export async function sweepOnce(
  deps: SweeperDeps,
  timing: SweeperTiming,
  place = beginningOfBacklog(),
  withOverdue = true,
): Promise<number | null> {
  const isTemporalUp = (deps.needsTemporal || withOverdue) && (await deps.temporal.isHealthy());
  if (!isTemporalUp && deps.needsTemporal) return null;
  if (!(await deps.dispatch.holdLease('sweeper', deps.owner, timing.leaseMs))) return null;
  const now = await deps.dispatch.now();
  const before = (ms: number): Date => new Date(now.getTime() - ms);

  const unstarted = await deps.dispatch.findUnstarted(before(timing.startGraceMs), now, BATCH, place);
  // Through the queue: what it has already is not started twice, and a neighbour's thousands don't hold up the others.
  const missed = unstarted.filter((due) => deps.dispatcher.dispatch(startOf(due, now, false))).length;
  if (missed > 0) deps.logger.info({ found: missed }, 'starting deliveries that were missed');

  if (!withOverdue || !isTemporalUp) return null;
  const overdue = await deps.dispatch.takeOverdue(before(timing.overdueMs), timing.recheckMs, now, BATCH);
  await inParallel(overdue, (due) => reconcile(deps, due, now));
  return overdue.length;
}

/** Holds one overdue delivery against what Temporal knows of it. */
async function reconcile(deps: SweeperDeps, due: DueDelivery, now: Date): Promise<void> {
  const ref = refOf(due);
  const status = await deps.temporal.statusOf(deliveryWorkflowId(ref));
  if (status === 'RUNNING') return;
  if (status === 'TERMINATED' || status === 'CANCELLED') {
    if (!(await deps.deliveries.cancel(ref))) return;
    deps.logger.info({ ...ref, status }, 'recorded a cancel made in Temporal');
    // Its workflow is not there any more to do so.
    await deps.wakeNext({ accountId: due.event.account_id, endpointId: ref.endpointId });
    return;
  }
  // It may have come to its end since it was found overdue: then nothing is missing.
  const current = await deps.deliveries.load(ref);
  if (!current || current.destination.run !== ref.run || isFinished(current.destination.state)) return;
  deps.logger.warn({ ...ref, status }, 'an unfinished delivery had no running workflow; it goes on');
  await deps.starter.start(startOf(current, now, true));
}

function refOf({ event, destination }: DueDelivery): DeliveryRef {
  return { eventId: event._id, endpointId: destination.endpoint_id, run: destination.run };
}

/** One failure does not keep the others from being tried: a later sweep tries that one again. */
async function inParallel(items: readonly DueDelivery[], work: (item: DueDelivery) => Promise<void>): Promise<void> {
  const queue = [...items];
  const lane = async (): Promise<void> => {
    for (let item = queue.shift(); item; item = queue.shift()) {
      await work(item).catch(() => undefined);
    }
  };
  await Promise.all(Array.from({ length: RECONCILES_IN_FLIGHT }, lane));
}
