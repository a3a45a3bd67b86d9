import type { Attempts } from './attempts';
import type { Config } from './config';
import { claimLeaseMs } from './deliveries/claim-store';
import type { DeliveryStore } from './deliveries/store';
import { createDispatcher, type Dispatcher } from './dispatch/dispatcher';
import { createExpressQueue } from './dispatch/express-queue';
import type { SlowEndpoints } from './dispatch/slow-endpoints';
import { createDeliveryStarter } from './dispatch/start-delivery';
import { createStartQueue } from './dispatch/start-queue';
import type { Logger } from './platform/logger';
import type { Metrics } from './platform/metrics';
import type { TemporalLink } from './platform/temporal';

interface DispatchParts {
  readonly deliveries: DeliveryStore;
  readonly slowEndpoints: SlowEndpoints;
  readonly metrics: Metrics;
  /** Names this process in claims. */
  readonly owner: string;
  /** Whether this process runs a worker too. */
  readonly eager: boolean;
  readonly attempt: Attempts['make'];
}

/** Wires what sends a delivery on its way: by an execution, or express. */
export function composeDispatch(
  { config, logger, temporal }: { config: Config; logger: Logger; temporal: TemporalLink },
  { deliveries, slowEndpoints, metrics, owner, eager, attempt }: DispatchParts,
) {
  const { schedule, firstAttempt: mode, timeoutMs } = config.delivery;
  const { routeOf, hangs } = slowEndpoints;
  const starter = createDeliveryStarter({ temporal, deliveries, schedule, eager, routeOf });
  const startQueue = createStartQueue({
    starter,
    awaitsStart: deliveries.awaitsStart,
    hangs,
    onFailed: (delivery) => dispatcher.startFailed(delivery),
    logger,
  });
  const express = createExpressQueue({ attempt, deliveries, start: startQueue.enqueue, schedule, logger });
  const dispatcher: Dispatcher = createDispatcher({
    mode,
    express,
    startQueue,
    schedule,
    isSlow: (endpointId) => routeOf(endpointId) === 'queued',
    owner,
    leaseMs: claimLeaseMs(timeoutMs),
    onFirstAttempt: (way) => metrics.firstAttempts.inc({ way }),
  });
  const waiting = () => ({ ...startQueue.size(), express: express.size() });
  return { starter, startQueue, dispatcher, waiting };
}
