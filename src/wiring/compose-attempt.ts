import type { Config } from '../config';
import type { AccountStore } from '../accounts/account-store';
import type { DeliveryStore } from '../record/delivery-store';
import type { Dispatcher } from '../dispatch/dispatcher';
import type { OrderStore } from '../dispatch/order-store';
import type { RateStore } from '../dispatch/rate-store';
import type { EndpointLoad } from '../domain/endpoint-load';
import type { Gate } from '../dispatch/gate';
import type { DispatchStore } from '../dispatch/dispatch-store';
import type { AttemptAnswer } from '../domain/delivery-contract';
import { createEndpointCache } from '../endpoints/endpoint-cache';
import { optionHeaders } from '../endpoints/endpoint-options';
import { createEndpointHealthStore } from '../endpoints/health-store';
import type { Endpoint, EndpointStore } from '../record/endpoint-store';
import { createEventIds } from '../events/event-ids';
import type { EventStore } from '../record/event-store';
import type { IdempotencyStore } from '../record/idempotency-store';
import { UNCOUNTED } from '../limits/delivery-budget';
import { createAnnouncer } from '../events/announce-operational-event';
import { systemClock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { Mongo } from '../platform/mongo';
import type { SecretBox } from '../platform/secret-box';
import { createHttpSender } from '../sender/http-sender';

interface AttemptParts {
  readonly stores: {
    readonly accounts: AccountStore;
    readonly deliveries: DeliveryStore;
    readonly dispatch: DispatchStore;
    readonly endpoints: EndpointStore;
    readonly events: EventStore;
    readonly idempotency: IdempotencyStore;
    readonly order: OrderStore;
    readonly rates: RateStore;
  };
  readonly secretBox: SecretBox;
  readonly load: EndpointLoad;
  readonly dispatcher: Dispatcher;
  readonly metrics: Metrics;
  readonly gate: Gate;
  /** Names the process in claims. */
  readonly owner: string;
}

/** Wires what a delivery's attempts need: the sender, the endpoint's options, and what follows from an answer. */
export function composeAttempt(
  { config, logger, mongo }: { config: Config; logger: Logger; mongo: Mongo },
  { stores, secretBox, load, dispatcher, metrics, gate, owner }: AttemptParts,
) {
  const { deliveries, endpoints, order, rates, accounts } = stores;
  const sender = createHttpSender({
    policy: config.delivery.policy,
    timeoutMs: config.delivery.timeoutMs,
    extraCaPem: config.delivery.extraCaPem,
    proxy: config.delivery.proxy,
  });
  const announce = createAnnouncer({
    ...stores,
    eventIds: createEventIds(stores.events),
    endpointCache: createEndpointCache(endpoints),
    dispatcher,
    budget: UNCOUNTED,
  });
  return {
    deliveries,
    endpoints,
    order,
    rates,
    accounts,
    health: createEndpointHealthStore(mongo.db),
    secretBox,
    sender,
    announce,
    load,
    lookAt: gate.look,
    onEnd: gate.attemptEnded,
    clock: systemClock,
    logger,
    owner,
    autoDisableAfterMs: config.delivery.autoDisableAfterMs,
    optionHeaders: ({ _id, options }: Endpoint) => optionHeaders(secretBox, _id, options),
    onAnswer: (answer: AttemptAnswer): void => {
      const outcome = answer.succeeded ? 'success' : (answer.errorCode ?? 'http_status');
      metrics.attempts.observe({ outcome }, answer.latencyMs / 1_000);
    },
  };
}
