import type { DeliveryRef } from '../domain/delivery-contract';
import type { Logger } from '../platform/logger';
import type { Line } from './fair-list';
import { createFairQueue } from './fair-queue';
import type { DeliveryStart, Executions } from './executions';

/**
 * How many starts may be in flight. The machine's CPU is the limit: more than this start no more a second, and have
 * everybody wait for it (measured with 32: a neighbour's burst delayed others by five seconds instead of one).
 * `npm run bench` starts its bare run the same way.
 */
export const STARTS_IN_FLIGHT = 10;
/** After a failed start the queue rests. What could not be started is left to the sweeper: it stands in MongoDB. */
const REST_AFTER_FAILURE_MS = 1_000;
/**
 * What waited so long may have been started by the sweeper of another process, or the other way round. To ask MongoDB
 * is cheaper than a second execution.
 */
const MAYBE_STARTED_MS = 2_000;

interface StartQueueDeps {
  readonly executions: Pick<Executions, 'start'>;
  /** Whether a delivery is still to be started. */
  readonly isDue: (ref: DeliveryRef) => Promise<boolean>;
  /** Told of each delivery that could not be started: without anybody who takes it, the sweeper brings it again. */
  readonly onFailed?: (delivery: DeliveryStart) => void;
  readonly logger: Logger;
}

export type StartQueue = ReturnType<typeof createStartQueue>;

/** Starts the executions of deliveries, off the request's path. */
export function createStartQueue({ executions, isDue, onFailed, logger }: StartQueueDeps) {
  const work = async (taken: DeliveryStart, _leaveSlot: unknown, waitedMs: number): Promise<void> => {
    // What is known of it holds the event's data, and nobody has claimed the attempt.
    const { known: _known, ...delivery } = taken;
    try {
      if (waitedMs <= MAYBE_STARTED_MS || (await isDue(delivery.ref))) await executions.start(delivery);
    } catch (error) {
      // While it rests, those that were under way fail alike.
      const isFirst = queue.rest(REST_AFTER_FAILURE_MS);
      if (isFirst) logger.warn({ err: error }, 'a delivery could not be started; the sweeper will');
      onFailed?.(delivery);
    }
  };
  const queue = createFairQueue({ slots: STARTS_IN_FLIGHT, work });
  return {
    ...queue,
    /** How many deliveries to the endpoint wait or are being started. */
    waitingFor: (line: Line) => queue.waitingFor(line) + queue.slotsOf(line.endpointId),
    close: () => queue.close(),
  };
}
