import type { Attempts } from './attempts';
import type { Config } from '../config';
import { claimLeaseMs } from '../record/claim-store';
import type { DeliveryStore } from '../record/delivery-store';
import { createDispatcher, type Dispatcher } from '../dispatch/dispatcher';
import { createExpressQueue } from '../dispatch/express-queue';
import type { EndpointLoad } from '../domain/endpoint-load';
import { createGate, type Gate } from '../dispatch/gate';
import type { OrderStore } from '../dispatch/order-store';
import type { RateStore } from '../dispatch/rate-store';
import { createDeliveryStarter } from '../dispatch/start-delivery';
import { createStartQueue } from '../dispatch/start-queue';
import type { EndpointStore } from '../record/endpoint-store';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { TemporalLink } from '../platform/temporal';

interface DispatchParts {
  readonly stores: {
    readonly deliveries: DeliveryStore;
    readonly endpoints: EndpointStore;
    readonly order: OrderStore;
    readonly rates: RateStore;
  };
  readonly load: EndpointLoad;
  readonly metrics: Metrics;
  /** Names this process in claims. */
  readonly owner: string;
  /** Whether this process runs a worker too. */
  readonly eager: boolean;
  readonly attempt: Attempts['make'];
}

/** Wires what sends a delivery on its way, by an execution or express, when its endpoint's gate lets it. */
export function composeDispatch(
  { config, logger, temporal }: { config: Config; logger: Logger; temporal: TemporalLink },
  { stores, load, metrics, owner, eager, attempt }: DispatchParts,
) {
  const { schedule, firstAttempt: mode, timeoutMs } = config.delivery;
  const { deliveries } = stores;
  const starter = createDeliveryStarter({ temporal, deliveries, schedule, eager });
  const startQueue = createStartQueue({
    starter,
    isDue: deliveries.isDue,
    onFailed: (delivery) => dispatcher.startFailed(delivery),
    logger,
  });
  const express = createExpressQueue({
    attempt,
    deliveries,
    isSlow: load.isSlow,
    start: startQueue.enqueue,
    schedule,
    logger,
  });
  const dispatcher: Dispatcher = createDispatcher({
    mode,
    express,
    startQueue,
    schedule,
    load,
    lookAt: (endpointId) => gate.look(endpointId),
    owner,
    leaseMs: claimLeaseMs(timeoutMs),
    onFirstAttempt: (way) => metrics.firstAttempts.inc({ way }),
  });
  const gate: Gate = createGate({ ...stores, load, dispatcher, logger, owner });
  const waiting = () => ({ workflow: startQueue.size(), express: express.size() });
  return { starter, dispatcher, gate, waiting };
}
