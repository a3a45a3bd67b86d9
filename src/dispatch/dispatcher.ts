import type { FirstAttemptMode, FirstAttemptWay } from '../domain/delivery-contract';
import type { EndpointLoad } from '../domain/endpoint-load';
import { ownSchedule } from '../domain/retry-schedule';
import { traceIdsIn } from '../platform/tracing';
import type { DeliveryStore, LoadedDelivery } from '../record/delivery-store';
import { reasonToHold, type Endpoint, type EndpointRef } from '../record/endpoint-store';
import type { Destination } from '../record/event-store';
import { startOf, type DeliveryStart, type Executions } from './executions';
import { createExpressQueue, type ExpressQueueDeps } from './express-queue';
import { createFairQueue } from './fair-queue';

type Place = Pick<Destination, 'dispatch' | 'next_attempt_at'> &
  Partial<Pick<Destination, 'held_for' | 'held_at' | 'claimed_by' | 'claimed_until'>>;

interface DispatcherDeps extends Omit<ExpressQueueDeps, 'start'> {
  readonly mode: FirstAttemptMode;
  readonly executions: Pick<Executions, 'start'>;
  readonly deliveries: Pick<DeliveryStore, 'isDue' | 'markStarted' | 'releasePromises'>;
  readonly load: Pick<EndpointLoad, 'hangs' | 'isSlow'>;
  /** Releases deliveries held by an endpoint's gate. */
  readonly lookAt: (endpointId: string) => void;
  /** Names this process in claims. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Whether this process also runs a worker: then it makes the first attempts of executions that it starts at once. */
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
 * Temporal counts as behind when a delivery has waited this long for its start. Measured on two cores: with 100 ms, the
 * slow first start of a process counted as behind; with 250 ms, each of 400 events at 20 a second got its execution.
 */
const BEHIND_AFTER_MS = 250;
/** Then attempts go express for this long before Temporal is tried again: a burst costs it one try. */
const EXPRESS_FOR_MS = 60_000;

export type Dispatcher = ReturnType<typeof createDispatcher>;

/** Starts or attempts accepted deliveries, outside the request. */
export function createDispatcher(deps: DispatcherDeps) {
  const { mode } = deps;
  let expressUntil = mode === 'express' ? Infinity : -Infinity;
  let check: NodeJS.Timeout | undefined;

  const isExpress = (): boolean => performance.now() < expressUntil;
  const mayGoExpress = ({ firstDelayMs, stage }: DeliveryStart): boolean =>
    firstDelayMs <= 0 && stage !== 'tried' && isExpress();
  const send = (way: FirstAttemptWay, delivery: DeliveryStart): boolean => {
    const isTaken = (way === 'express' ? express : starts).enqueue(delivery);
    if (isTaken && delivery.firstAttempt === 1) deps.onFirstAttempt(way);
    return isTaken;
  };
  const fallBehind = (): void => {
    expressUntil = performance.now() + EXPRESS_FOR_MS;
    for (const delivery of starts.takeWaiting(mayGoExpress)) send('express', delivery);
  };
  const lookWhetherBehind = (): void => {
    check = undefined;
    const waitedMs = starts.longestWaitMs();
    if (waitedMs >= BEHIND_AFTER_MS) fallBehind();
    else if (waitedMs > 0) check = setTimeout(lookWhetherBehind, BEHIND_AFTER_MS - waitedMs).unref();
  };
  const start = async (delivery: DeliveryStart, _leaveSlot: unknown, waitedMs: number): Promise<void> => {
    try {
      if (waitedMs > MAYBE_STARTED_MS && !(await deps.deliveries.isDue(delivery.ref))) return;
      if (!(await deps.executions.start(delivery)) || delivery.stage !== 'claimed') return;
      // The execution joins the attempt, or reads its answer.
      if (!express.enqueue({ ...delivery, stage: 'started' })) await express.release([delivery.ref]);
    } catch (error) {
      // While the queue pauses, the starts under way fail alike.
      if (starts.rest(REST_AFTER_FAILURE_MS)) {
        const ids = traceIdsIn(delivery.traceparent);
        deps.logger.warn({ err: error, ...ids }, 'a delivery could not be started; the sweeper will');
      }
      // Temporal is behind: the attempt goes express.
      if (mode === 'auto') fallBehind();
      if (mayGoExpress(delivery) && send('express', delivery)) return;
      if (delivery.stage === 'claimed') await express.release([delivery.ref]);
    }
  };
  /** Never throws and never waits. @returns whether it was accepted; the sweeper finds what was not */
  const dispatch = (delivery: DeliveryStart): boolean => {
    // A delivery that returned from express waits for its start, even if a sweep finds it again.
    if (mayGoExpress(delivery) && !starts.has(delivery.ref)) return send('express', delivery);
    if (mode === 'auto') check ??= setTimeout(lookWhetherBehind, BEHIND_AFTER_MS).unref();
    // While an execution that gave it back still runs, no other can start.
    return send('workflow', delivery.givenBack ? { ...delivery, stage: undefined } : delivery);
  };
  const starts = createFairQueue({ slots: STARTS_IN_FLIGHT, work: start });
  const express = createExpressQueue({ ...deps, start: starts.enqueue });

  return {
    /** Whether this process makes attempts itself now. */
    isExpress,
    /**
     * What an event's insert stores for a destination: when its first attempt is due, whether this process makes it, or
     * whether it is held.
     *
     * @param now the database's clock
     */
    placeFor: (endpoint: Endpoint, now: Date): Place =>
      placeOf(deps, endpoint, now, isExpress() || (deps.eager && starts.isFree())),
    /** Dispatches a destination of a new event, which was inserted where `placeFor` said. */
    accept(delivery: LoadedDelivery, endpoint: Endpoint, now: Date): void {
      const { destination } = delivery;
      if (destination.dispatch === 'held') return deps.lookAt(endpoint._id);
      const accepted = startOf(delivery, now);
      if (!destination.claimed_until) dispatch(accepted);
      else dispatch({ ...accepted, stage: 'claimed', known: { delivery, endpoint }, knownAt: performance.now() });
    },
    dispatch,
    /** How many deliveries to the endpoint this process holds that are neither sent nor started. */
    waitingFor: (endpoint: EndpointRef) =>
      express.waitingFor(endpoint) + starts.waitingFor(endpoint) + starts.slotsOf(endpoint.endpointId),
    /** How many deliveries wait in this process, by the way that they go. */
    waiting: () => ({ workflow: starts.size(), express: express.size() }),
    /** Accepts nothing more. Leaves waiting deliveries to the sweeper, and resolves when nothing is under way. */
    async close(): Promise<void> {
      clearTimeout(check);
      await express.close();
      await starts.close(express.release);
    },
  };
}

/** @param claims whether this process makes the first attempt itself, if it is made now */
function placeOf(deps: DispatcherDeps, endpoint: Endpoint, now: Date, claims: boolean): Place {
  const own = endpoint.options?.retry_schedule;
  const [delayMs = 0] = own ? ownSchedule(own) : deps.schedule;
  const due = { dispatch: 'due', next_attempt_at: new Date(now.getTime() + delayMs) } as const;
  // The execution waits first, and meets the gate afterwards.
  if (delayMs > 0) return due;
  const reason = reasonToHold(endpoint, deps.load.hangs(endpoint._id));
  if (reason) return { dispatch: 'held', held_for: reason, held_at: now, next_attempt_at: null };
  return claims ? { ...due, claimed_by: deps.owner, claimed_until: new Date(now.getTime() + deps.leaseMs) } : due;
}
