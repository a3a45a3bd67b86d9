import type { FirstAttemptMode, FirstAttemptWay } from '../domain/delivery-contract';
import type { RetrySchedule } from '../domain/retry-schedule';
import { hasTurns, type Endpoint } from '../endpoints/store';
import type { ExpressQueue } from './express-queue';
import type { DeliveryStart } from './start-delivery';
import type { StartQueue } from './start-queue';

/** Sends deliveries on their way, off the request's path. */
export interface Dispatcher {
  /**
   * What an event's insert says of a destination whose first attempt goes express: that this process makes it.
   *
   * @param now the database's clock
   */
  claimFor(endpoint: Endpoint, now: Date): Claim | undefined;
  /** In `auto`, a start that fails says that Temporal is behind: the first attempt goes express. */
  startFailed(delivery: DeliveryStart): void;
  /** Must not throw and must not wait. @returns whether it was taken; what was not is the sweeper's */
  dispatch(delivery: DeliveryStart): boolean;
  /** Ends as `ExpressQueue.close` and `StartQueue.close` do. */
  close(): Promise<void>;
}

/** What `Destination` says of a claim that comes with the promise. */
interface Claim {
  readonly claimed_by: string;
  readonly claimed_until: Date;
}

interface DispatcherDeps {
  readonly mode: FirstAttemptMode;
  readonly express: ExpressQueue;
  readonly startQueue: Pick<StartQueue, 'enqueue' | 'has' | 'longestWaitMs' | 'takeWaiting' | 'close'>;
  readonly schedule: RetrySchedule;
  /** Whether the endpoint answered slowly a moment ago. */
  readonly isSlow: (endpointId: string) => boolean;
  /** Names this process in claims. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Told of each first attempt. */
  readonly onFirstAttempt: (way: FirstAttemptWay) => void;
  readonly perf?: { now(): number };
}

/**
 * Temporal is behind when a delivery has waited this long for its start. Measured on two cores: with 100 ms the first start
 * of a process, which is slow, counted as behind; with 250 ms each of 400 events at 20 a second got its execution.
 */
const BEHIND_AFTER_MS = 250;
/** Then first attempts go express for this long, before Temporal is given a second chance: a burst costs it one try. */
const EXPRESS_FOR_MS = 60_000;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { mode, express, startQueue, perf = performance } = deps;
  let expressUntil = mode === 'express' ? Infinity : -Infinity;
  let check: NodeJS.Timeout | undefined;
  /** Starts that could go express: not those of endpoints with turns to take, and none that came back from there. */
  const movable = new WeakSet<DeliveryStart>();

  /** In `auto`: whether starts fall behind, which it finds out by itself. */
  const isExpress = (): boolean => perf.now() < expressUntil;
  const fallBehind = (): void => {
    expressUntil = perf.now() + EXPRESS_FOR_MS;
    const isMeant = (delivery: DeliveryStart): boolean => movable.has(delivery) && isFirst(delivery);
    for (const delivery of startQueue.takeWaiting(isMeant)) sendExpress(delivery);
  };
  const lookWhetherBehind = (): void => {
    check = undefined;
    const waitedMs = startQueue.longestWaitMs();
    if (waitedMs >= BEHIND_AFTER_MS) fallBehind();
    else if (waitedMs > 0) check = setTimeout(lookWhetherBehind, BEHIND_AFTER_MS - waitedMs).unref();
  };
  const isFirst = ({ firstAttempt, firstDelayMs, schedule = deps.schedule, ref }: DeliveryStart): boolean =>
    firstAttempt === 1 && firstDelayMs + (schedule[0] ?? 0) <= 0 && !deps.isSlow(ref.endpointId);
  const sendExpress = (delivery: DeliveryStart): boolean => {
    const isTaken = express.enqueue(delivery);
    if (isTaken) deps.onFirstAttempt('express');
    return isTaken;
  };

  return {
    claimFor(endpoint, now) {
      const isDue = (endpoint.options?.retry_schedule ?? deps.schedule)[0] === 0;
      if (!isExpress() || !isDue || !takesAtOnce(endpoint) || deps.isSlow(endpoint._id)) return undefined;
      return { claimed_by: deps.owner, claimed_until: new Date(now.getTime() + deps.leaseMs) };
    },
    dispatch(delivery) {
      const { known, ...start } = delivery;
      if (known?.delivery.destination.claimed_by === deps.owner) return sendExpress(delivery);
      // What came back from express waits for its start, also when a sweep brings it again.
      if (!known && isExpress() && isFirst(start) && !startQueue.has(start.ref)) return sendExpress(start);
      if (!known || takesAtOnce(known.endpoint)) movable.add(start);
      // Without what is known of it: that holds the event's data, and nobody has claimed the attempt.
      const isTaken = startQueue.enqueue(start);
      if (isTaken && start.firstAttempt === 1) deps.onFirstAttempt('workflow');
      if (mode === 'auto') check ??= setTimeout(lookWhetherBehind, BEHIND_AFTER_MS).unref();
      return isTaken;
    },
    startFailed(delivery) {
      if (mode !== 'auto') return;
      fallBehind();
      if (movable.has(delivery) && isFirst(delivery)) sendExpress(delivery);
    },
    async close() {
      clearTimeout(check);
      await express.close();
      await startQueue.close();
    },
  };
}

/** Whether nothing but the attempt's own time decides when it is made. */
function takesAtOnce(endpoint: Endpoint): boolean {
  return endpoint.status === 'active' && !hasTurns(endpoint, { run: 1 });
}
