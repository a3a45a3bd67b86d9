import type { FirstAttemptMode, FirstAttemptWay } from '../domain/delivery-contract';
import { traceIdsIn } from '../platform/tracing';
import type { DeliveryStore, LoadedDelivery } from '../stores/delivery-store';
import type { Endpoint, EndpointRef } from '../stores/endpoint-store';
import type { NewEvent } from '../stores/event-store';
import { createDirectAttempts, type DirectAttemptsDeps } from './direct-attempts';
import type { EndpointCapacity } from './endpoint-capacity';
import type { Executions } from './executions';
import { createFairQueue } from './fair-queue';
import type { Gate } from './gate';
import { createOrdinaryLoad } from './ordinary-load';
import { placeOf, type NewPlace, type Place } from './place';
import { attemptOf, CLAIMED, startOf, type AttemptSource, type ShowTask, type StartTask, UNCLAIMED } from './task';

interface DispatcherDeps extends Omit<DirectAttemptsDeps, 'start' | 'show' | 'isShown'> {
  readonly mode: FirstAttemptMode;
  /** `auto` shows finished deliveries up to this many in a second. */
  readonly executionsPerSecond: number;
  readonly executions: Pick<Executions, 'start' | 'show'>;
  readonly deliveries: Pick<DeliveryStore, 'isDue' | 'releasePromises'>;
  readonly capacity: Pick<EndpointCapacity, 'hangs' | 'isSlow'>;
  readonly gate: Pick<Gate, 'look'>;
  /** Names this process in claims. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Whether this process also runs a worker. */
  readonly eager: boolean;
  /** Called with the way of each first attempt. */
  readonly onFirstAttempt: (way: FirstAttemptWay) => void;
}

/**
 * How many starts may be in flight. The machine's CPU is the limit: more in flight start no more a second, and make
 * every start wait longer. Measured on two cores beside a neighbour whose endpoints hang, p99 of the others: 0.7 to 1.4
 * s with 10, 1.6 s with 20, 1.8 to 4.5 s with 5 (`npm run chaos`, shared-host by workflow, full). `npm run bench` starts
 * its bare run the same way.
 */
export const STARTS_IN_FLIGHT = 10;
/** After a failed start no other begins for this long. The sweeper finds the failed delivery. */
const REST_AFTER_FAILURE_MS = 1_000;
/**
 * The sweeper of another process may have started a delivery that has waited this long, or the reverse. A query to
 * MongoDB is cheaper than a second execution.
 */
const MAYBE_STARTED_MS = 2_000;
/**
 * The claim in an event's insert lasts ten seconds longer than an attempt may take, from the admission of the call on.
 * After an insert of this length, half of the ten seconds is left for the attempt's own writes.
 */
const LONG_INSERT_MS = 5_000;

export type Dispatcher = ReturnType<typeof createDispatcher>;

/** Attempts deliveries that are due, or starts their executions, outside the request. */
export function createDispatcher(deps: DispatcherDeps) {
  const makesAttempts = deps.mode !== 'workflow';
  const load = createOrdinaryLoad(deps.mode === 'auto' ? deps.executionsPerSecond : 0);

  const start = async (task: StartTask, _leaveSlot: unknown, waitedMs: number): Promise<void> => {
    const { ref, beside } = task;
    try {
      if (waitedMs > MAYBE_STARTED_MS && !(await deps.deliveries.isDue(ref))) return;
      const isStarted = await deps.executions.start(task);
      if (isStarted && beside && direct.enqueue(attemptOf(task, beside, 'running'))) return;
    } catch (error) {
      // While the queue rests, the starts under way fail alike.
      const about = { err: error, ...traceIdsIn(task.traceparent) };
      if (starts.rest(REST_AFTER_FAILURE_MS))
        deps.logger.warn(about, 'a delivery could not be started; the sweeper will');
    }
    if (beside) await direct.release([ref]);
  };
  const show = (task: ShowTask): Promise<void> =>
    deps.executions.show(task).catch((error: unknown) => {
      const about = { err: error, ...task.ref, ...traceIdsIn(task.traceparent) };
      deps.logger.info(about, "a finished delivery is not shown in Temporal's Web UI");
    });
  const starts = createFairQueue<StartTask>({
    slots: STARTS_IN_FLIGHT,
    lighten: (task) => (task.beside ? { ...task, beside: CLAIMED } : task),
    work: start,
  });
  const shows = createFairQueue<ShowTask>({ slots: STARTS_IN_FLIGHT, work: show });
  const direct = createDirectAttempts({
    ...deps,
    isShown: load.note,
    start: (task) => void starts.enqueue(task),
    // More than come in a second wait only for a Temporal that is away or late.
    show: (task) => void (shows.size() < deps.executionsPerSecond && shows.enqueue(task)),
  });
  const send = (way: FirstAttemptWay, isFirst: boolean, isTaken: boolean): boolean => {
    if (isTaken && isFirst) deps.onFirstAttempt(way);
    return isTaken;
  };
  /**
   * Never throws and never waits.
   *
   * @param source where an attempt of this process gets the delivery from
   * @returns whether it was accepted; the sweeper finds what was not
   */
  const dispatch = (task: StartTask, source = UNCLAIMED): boolean => {
    const isFirst = task.firstAttempt === 1;
    // A delivery whose attempt was made here waits for its start, even if a sweep finds it again.
    return makesAttempts && task.firstDelayMs <= 0 && !starts.has(task.ref)
      ? send('express', isFirst, direct.enqueue(attemptOf(task, source)))
      : send('workflow', isFirst, starts.enqueue(task));
  };
  return {
    /** Whether this process makes attempts that are due now; otherwise executions do. */
    makesAttempts,
    /** What an event's insert stores for a destination. */
    placeFor: (destination: NewPlace): Place =>
      placeOf(deps, destination, makesAttempts || (deps.eager && starts.isFree())),
    /**
     * Dispatches a destination of a new event, which was inserted where `placeFor` said. The claim on its first attempt
     * began with the event. If the insert took so long that the claim may end before an attempt does, the attempt looks at
     * the record first.
     */
    accept(delivery: LoadedDelivery, endpoint: Endpoint, { now, madeAt }: Pick<NewEvent, 'now' | 'madeAt'>): void {
      const { dispatch: place, claimed_until: isClaimed } = delivery.destination;
      if (place === 'held') return deps.gate.look(endpoint._id);
      const task = startOf(delivery, now);
      if (!isClaimed) return void dispatch(task);
      const inserted = performance.now();
      const readAtMs = inserted - madeAt < LONG_INSERT_MS ? inserted : Number.NEGATIVE_INFINITY;
      const source: AttemptSource = { kind: 'memory', known: { delivery, endpoint }, readAtMs };
      dispatch(makesAttempts ? task : { ...task, beside: source }, source);
    },
    dispatch,
    /** How many deliveries to the endpoint this process holds that are neither sent nor started. */
    waitingFor: (endpoint: EndpointRef) =>
      direct.waitingFor(endpoint) + starts.waitingFor(endpoint) + starts.slotsOf(endpoint.endpointId),
    /** How many deliveries wait in this process, by the way that they go. */
    waiting: () => ({ workflow: starts.size(), express: direct.size() }),
    /** Accepts nothing more. Leaves waiting deliveries to the sweeper, and resolves when nothing is under way. */
    async close(): Promise<void> {
      await direct.close();
      await Promise.all([starts.close(direct.release), shows.close()]);
    },
  };
}
