import type { DeliveryRef } from '../domain/delivery-contract';
import type { Logger } from '../platform/logger';
import { traceIdsIn } from '../platform/tracing';
import type { EndpointRef } from '../record/endpoint-store';
import { createFairQueue } from './fair-queue';
import type { DeliveryStart, Executions } from './executions';

/**
 * How many starts may be in flight. The machine's CPU is the limit: more in flight start no more a second, and make
 * every start wait longer. Measured on two cores beside a neighbour whose endpoints hang, p99 of the others: 0.7 to 1.4
 * s with 10, 1.6 s with 20, 1.8 to 4.5 s with 5 (`npm run chaos`, shared-host by workflow, full). `npm run bench` starts
 * its bare run the same way.
 */
export const STARTS_IN_FLIGHT = 10;
/**
 * After a failed start the queue pauses. The failed delivery is left to the sweeper, because it is stored in MongoDB.
 */
const REST_AFTER_FAILURE_MS = 1_000;
/**
 * The sweeper of another process may have started a delivery that has waited this long, or the reverse. A query to
 * MongoDB is cheaper than a second execution.
 */
const MAYBE_STARTED_MS = 2_000;

interface StartQueueDeps {
  readonly executions: Pick<Executions, 'start'>;
  /** Whether a delivery still has to be started. */
  readonly isDue: (ref: DeliveryRef) => Promise<boolean>;
  /** Called with each delivery whose execution exists. @returns whether its start is recorded elsewhere */
  readonly onStarted?: (delivery: DeliveryStart) => Promise<boolean>;
  /** Called with each delivery that could not be started. Without a handler, the sweeper finds it again. */
  readonly onFailed?: (delivery: DeliveryStart) => Promise<void>;
  readonly logger: Logger;
}

export type StartQueue = ReturnType<typeof createStartQueue>;

/** Starts the executions of deliveries, outside the request. */
export function createStartQueue({ executions, isDue, onStarted, onFailed, logger }: StartQueueDeps) {
  const work = async (taken: DeliveryStart, _leaveSlot: unknown, waitedMs: number): Promise<void> => {
    try {
      if (waitedMs <= MAYBE_STARTED_MS || (await isDue(taken.ref)))
        await executions.start(taken, () => onStarted?.(taken));
    } catch (error) {
      // The known data includes the event's data, which is not kept for a delivery that waits.
      const { known: _known, ...delivery } = taken;
      // While the queue pauses, the starts under way fail alike.
      const isFirst = queue.rest(REST_AFTER_FAILURE_MS);
      if (isFirst)
        logger.warn(
          { err: error, ...traceIdsIn(delivery.traceparent) },
          'a delivery could not be started; the sweeper will',
        );
      await onFailed?.(delivery);
    }
  };
  const queue = createFairQueue({ slots: STARTS_IN_FLIGHT, work });
  return {
    ...queue,
    /** How many deliveries to the endpoint wait or are being started. */
    waitingFor: (endpoint: EndpointRef) => queue.waitingFor(endpoint) + queue.slotsOf(endpoint.endpointId),
    close: () => queue.close(),
  };
}
