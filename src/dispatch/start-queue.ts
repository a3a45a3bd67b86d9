import { deliveryWorkflowId, type DeliveryRef } from '../domain/delivery-contract';
import type { Logger } from '../platform/logger';
import { sleep } from '../platform/sleep';
import { createFairList, type Line } from './fair-list';
import type { DeliveryStart, DeliveryStarter } from './start-delivery';

/**
 * How many starts may be in flight. The machine's CPU is the limit: more than this start no more a second, and have
 * everybody wait for it (measured with 32: a neighbour's burst delayed others by five seconds instead of one).
 * `npm run bench` starts its bare run the same way.
 */
export const STARTS_IN_FLIGHT = 10;
const MAX_WAITING = 20_000;
/** After a failed start the queue rests. What could not be started is left to the sweeper: it stands in MongoDB. */
const REST_AFTER_FAILURE_MS = 1_000;
/**
 * What waited so long may have been started by the sweeper of another process, or the other way round. To ask MongoDB
 * is cheaper than a second execution.
 */
const MAYBE_STARTED_MS = 2_000;

interface StartQueueDeps {
  readonly starter: DeliveryStarter;
  /** Whether a delivery is still to be started. */
  readonly isDue: (ref: DeliveryRef) => Promise<boolean>;
  /** Told of each delivery that could not be started: without anybody who takes it, the sweeper brings it again. */
  readonly onFailed?: (delivery: DeliveryStart) => void;
  readonly logger: Logger;
}

export type StartQueue = ReturnType<typeof createStartQueue>;

/**
 * Starts the executions of deliveries, off the request's path. A bounded queue, fair between accounts, and between the
 * endpoints of an account.
 */
export function createStartQueue(deps: StartQueueDeps) {
  const waiting = createFairList(MAX_WAITING);
  const starting = new Map<DeliveryStart, Promise<void>>();
  /** Since when each waits or is being started, by id, in the order in which they came. */
  const taken = new Map<string, number>();
  const stop = new AbortController();
  let isResting = false;

  const rest = async (): Promise<void> => {
    isResting = true;
    await sleep(REST_AFTER_FAILURE_MS, stop.signal);
    isResting = false;
    pump();
  };
  const start = async (delivery: DeliveryStart): Promise<void> => {
    const id = idOf(delivery);
    const isOld = performance.now() - taken.get(id)! > MAYBE_STARTED_MS;
    const error = await startOne(deps, delivery, isOld);
    taken.delete(id);
    starting.delete(delivery);
    if (error === undefined) return pump();
    // While it rests, those that were under way fail alike.
    if (!isResting) {
      deps.logger.warn({ err: error }, 'a delivery could not be started; the sweeper will');
      void rest();
    }
    deps.onFailed?.(delivery);
  };
  const pump = (): void => {
    while (!isResting && !stop.signal.aborted && starting.size < STARTS_IN_FLIGHT) {
      const delivery = waiting.take();
      if (!delivery) return;
      starting.set(delivery, start(delivery));
    }
  };

  return {
    /**
     * Takes the delivery, unless it has it already; when the queue is full, the account that waits most leaves its newest
     * to the sweeper.
     *
     * @returns whether it was taken and kept
     */
    enqueue(delivery: DeliveryStart): boolean {
      const id = idOf(delivery);
      if (stop.signal.aborted || taken.has(id)) return false;
      taken.set(id, performance.now());
      const dropped = waiting.add(delivery);
      if (dropped) taken.delete(idOf(dropped));
      pump();
      return dropped !== delivery;
    },
    /** Whether the delivery waits or is being started. */
    has: (ref: DeliveryRef) => taken.has(deliveryWorkflowId(ref)),
    /** How many deliveries to the endpoint wait or are being started. */
    waitingFor(line: Line): number {
      const isTo = ({ ref }: DeliveryStart): boolean => ref.endpointId === line.endpointId;
      return waiting.waitingFor(line) + [...starting.keys()].filter(isTo).length;
    },
    /** For how long the oldest delivery is not started, in milliseconds; 0 when all are. */
    longestWaitMs(): number {
      const [oldest = performance.now()] = taken.values();
      return performance.now() - oldest;
    },
    /** Gives up those that `isMeant` chooses. */
    takeWaiting(isMeant: (delivery: DeliveryStart) => boolean): DeliveryStart[] {
      const all = waiting.takeAll();
      const meant = all.filter(isMeant);
      for (const delivery of meant) taken.delete(idOf(delivery));
      for (const delivery of all) if (!isMeant(delivery)) waiting.add(delivery);
      return meant;
    },
    /** Number waiting: for metrics. */
    size: waiting.size,
    /** Takes nothing more and resolves when starts in flight are through; the rest is the sweeper's. */
    async close(): Promise<void> {
      stop.abort();
      waiting.takeAll();
      await Promise.all(starting.values());
    },
  };
}

/** @returns what went wrong */
async function startOne({ isDue, starter }: StartQueueDeps, delivery: DeliveryStart, isOld: boolean): Promise<unknown> {
  try {
    if (!isOld || (await isDue(delivery.ref))) await starter.start(delivery);
    return undefined;
  } catch (error) {
    return error ?? new Error('a start failed');
  }
}

function idOf({ ref }: DeliveryStart): string {
  return deliveryWorkflowId(ref);
}
