import type { FirstAttemptMode, FirstAttemptWay } from '../domain/delivery-contract';
import type { EndpointLoad } from '../domain/endpoint-load';
import { ownSchedule, type RetrySchedule } from '../domain/retry-schedule';
import { reasonToHold, type Endpoint, type EndpointRef } from '../record/endpoint-store';
import type { Destination } from '../record/event-store';
import type { ExpressQueue } from './express-queue';
import type { DeliveryStart } from './executions';
import type { StartQueue } from './start-queue';

type Place = Pick<
  Destination,
  'dispatch' | 'held_for' | 'held_at' | 'next_attempt_at' | 'claimed_by' | 'claimed_until'
>;

interface DispatcherDeps {
  readonly mode: FirstAttemptMode;
  readonly express: ExpressQueue;
  readonly startQueue: StartQueue;
  readonly schedule: RetrySchedule;
  readonly load: Pick<EndpointLoad, 'hangs'>;
  /** Releases deliveries held by an endpoint's gate. */
  readonly lookAt: (endpointId: string) => void;
  /** Names this process in claims. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Whether this process also runs a worker: then it makes the first attempts of executions that it starts at once. */
  readonly eager: boolean;
  /** Called with the way of each first attempt. */
  readonly onFirstAttempt: (way: FirstAttemptWay) => void;
  readonly perf?: { now(): number };
}

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
  const { mode, express, startQueue, load, perf = performance } = deps;
  let expressUntil = mode === 'express' ? Infinity : -Infinity;
  let check: NodeJS.Timeout | undefined;

  const isExpress = (): boolean => perf.now() < expressUntil;
  const mayGoExpress = ({ firstDelayMs, wasExpress }: DeliveryStart): boolean =>
    firstDelayMs <= 0 && !wasExpress && isExpress();
  const send = (way: FirstAttemptWay, delivery: DeliveryStart): boolean => {
    const isTaken = (way === 'express' ? express : startQueue).enqueue(delivery);
    if (isTaken && delivery.firstAttempt === 1) deps.onFirstAttempt(way);
    return isTaken;
  };
  const fallBehind = (): void => {
    expressUntil = perf.now() + EXPRESS_FOR_MS;
    for (const delivery of startQueue.takeWaiting(mayGoExpress)) send('express', delivery);
  };
  const lookWhetherBehind = (): void => {
    check = undefined;
    const waitedMs = startQueue.longestWaitMs();
    if (waitedMs >= BEHIND_AFTER_MS) fallBehind();
    else if (waitedMs > 0) check = setTimeout(lookWhetherBehind, BEHIND_AFTER_MS - waitedMs).unref();
  };

  return {
    /** Whether this process makes attempts itself now. */
    isExpress,
    /**
     * What an event's insert stores for a destination: when its first attempt is due, whether this process makes it, or
     * whether it is held.
     *
     * @param now the database's clock
     */
    placeFor(endpoint: Endpoint, now: Date): Place {
      const own = endpoint.options?.retry_schedule;
      const [delayMs = 0] = own ? ownSchedule(own) : deps.schedule;
      const due = { dispatch: 'due', next_attempt_at: new Date(now.getTime() + delayMs) } as const;
      // The execution waits first, and meets the gate afterwards.
      if (delayMs > 0) return due;
      const reason = reasonToHold(endpoint, load.hangs(endpoint._id));
      if (reason) return { dispatch: 'held', held_for: reason, held_at: now, next_attempt_at: null };
      if (!isExpress() && !(deps.eager && startQueue.isFree())) return due;
      return { ...due, claimed_by: deps.owner, claimed_until: new Date(now.getTime() + deps.leaseMs) };
    },
    /** Never throws and never waits. @returns whether it was accepted; the sweeper finds what was not */
    dispatch(delivery: DeliveryStart): boolean {
      const { ref, known } = delivery;
      const place = known?.delivery.destination;
      if (place?.dispatch === 'held') {
        deps.lookAt(ref.endpointId);
        return true;
      }
      const isClaimed = place?.claimed_until && place.claimed_by === deps.owner;
      if (isClaimed && isExpress()) return send('express', delivery);
      // A delivery that returned from express waits for its start, even if a sweep finds it again.
      if (!known && mayGoExpress(delivery) && !startQueue.has(ref)) return send('express', delivery);
      if (mode === 'auto') check ??= setTimeout(lookWhetherBehind, BEHIND_AFTER_MS).unref();
      return send('workflow', isClaimed ? { ...delivery, isClaimed } : delivery);
    },
    /**
     * Makes the first attempt, if this process has claimed it. The execution joins it, or reads its answer.
     *
     * @returns whether it makes the attempt
     */
    async started(delivery: DeliveryStart): Promise<boolean> {
      if (!delivery.isClaimed) return false;
      const isTaken = express.enqueue({ ...delivery, isStarted: true });
      if (!isTaken) await express.release([delivery.ref]);
      return isTaken;
    },
    /** In `auto`, a failed start shows that Temporal is behind: the attempt goes express. */
    async startFailed(delivery: DeliveryStart): Promise<void> {
      if (mode === 'auto') fallBehind();
      if (mayGoExpress(delivery) && send('express', delivery)) return;
      if (delivery.isClaimed) await express.release([delivery.ref]);
    },
    /** How many deliveries to the endpoint this process holds that are neither sent nor started. */
    waitingFor: (endpoint: EndpointRef) => express.waitingFor(endpoint) + startQueue.waitingFor(endpoint),
    /** Ends like `ExpressQueue.close` and `StartQueue.close`. */
    async close(): Promise<void> {
      clearTimeout(check);
      await express.close();
      await startQueue.close();
    },
  };
}
