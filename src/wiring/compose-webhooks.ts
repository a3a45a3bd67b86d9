import type { AccountStore } from '../accounts/account-store';
import type { Config } from '../config';
import type { EndpointDeliveryStore } from '../record/endpoint-deliveries-store';
import type { DeliveryListStore } from '../record/list-deliveries-store';
import type { DeliveryStore } from '../record/delivery-store';
import type { Dispatcher } from '../dispatch/dispatcher';
import type { DispatchStore } from '../dispatch/dispatch-store';
import type { DeliverySignals } from '../dispatch/signal-delivery';
import type { DeliveryStarter } from '../dispatch/start-delivery';
import { createEndpointCache } from '../endpoints/endpoint-cache';
import { optionHeaders } from '../endpoints/endpoint-options';
import { createHostVerifier } from '../endpoints/verify-endpoint';
import type { EndpointStore } from '../record/endpoint-store';
import { createEventIds, type EventIds } from '../events/event-ids';
import { ingestTo } from '../events/ingest-event';
import { createIngestRoom } from '../events/ingest-room';
import type { EventListStore } from '../record/list-events-store';
import type { EventStore } from '../record/event-store';
import type { AppDeps } from '../app';
import type { IdempotencyStore } from '../record/idempotency-store';
import type { DeliveryBudget } from '../limits/delivery-budget';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { SecretBox } from '../platform/secret-box';
import type { ReplayStore } from '../replays/replay-store';
import { systemClock } from '../platform/clock';
import { checkDestinationUrl } from '../sender/destination-url-check';
import { sendChallenge } from '../sender/challenge';
import type { HttpSender } from '../sender/http-sender';
import { generateSigningSecret } from '../sender/signature';

/** What the operations under `/api/v1/webhooks` are made of. */
export interface WebhookParts {
  readonly stores: {
    readonly accounts: AccountStore;
    readonly dispatch: Pick<DispatchStore, 'now'>;
    readonly endpoints: EndpointStore;
    readonly events: EventStore;
    readonly eventLists: EventListStore;
    readonly idempotency: IdempotencyStore;
    readonly deliveries: DeliveryStore;
    readonly replays: ReplayStore;
  };
  readonly secretBox: SecretBox;
  readonly metrics: Metrics;
  readonly starter: DeliveryStarter;
  readonly dispatcher: Dispatcher;
  readonly signals: DeliverySignals;
  readonly endpointDeliveries: EndpointDeliveryStore;
  readonly deliveryLists: DeliveryListStore;
  readonly budget: DeliveryBudget;
  readonly sender: HttpSender;
}

/** Wires the operations on endpoints, events, deliveries and replays. */
export function composeWebhooks(
  { config, logger }: { config: Config; logger: Logger },
  parts: WebhookParts,
): Pick<AppDeps, 'endpoints' | 'events' | 'deliveries' | 'replays'> {
  const { stores, metrics } = parts;
  const events: AppDeps['events'] = {
    events: stores.events,
    eventIds: createEventIds(stores.events),
    idempotency: stores.idempotency,
    endpoints: stores.endpoints,
    endpointCache: createEndpointCache(stores.endpoints),
    deliveries: stores.deliveries,
    eventLists: stores.eventLists,
    dispatcher: parts.dispatcher,
    budget: parts.budget,
    room: createIngestRoom(config.limits.ingest),
    onIngest: ({ duplicate }) => metrics.ingestedEvents.inc({ result: duplicate ? 'duplicate' : 'accepted' }),
    maxAttempts: config.delivery.schedule.length,
  };
  return {
    endpoints: {
      endpoints: stores.endpoints,
      accounts: stores.accounts,
      secretBox: parts.secretBox,
      checkUrl: (url) => checkDestinationUrl(url, config.delivery.policy),
      generateSecret: generateSigningSecret,
      verifier: config.delivery.verifiesHosts ? composeVerifier(logger, parts, events.eventIds) : undefined,
      deliveries: stores.deliveries,
      endpointDeliveries: parts.endpointDeliveries,
      ingestTo: (caller, endpoint, input) => ingestTo(events, caller, endpoint, input),
    },
    events,
    deliveries: {
      events: stores.events,
      endpoints: stores.endpoints,
      deliveries: stores.deliveries,
      deliveryLists: parts.deliveryLists,
      signals: parts.signals,
      starter: parts.starter,
      dispatcher: parts.dispatcher,
      budget: parts.budget,
      logger,
      maxAttempts: config.delivery.schedule.length,
    },
    replays: { replays: stores.replays, endpoints: stores.endpoints },
  };
}

function composeVerifier(logger: Logger, { stores, secretBox, budget, sender }: WebhookParts, eventIds: EventIds) {
  const { open } = secretBox;
  return createHostVerifier({
    budget,
    logger,
    now: stores.dispatch.now,
    sendChallenge: async ({ _id: endpointId, url, secret, next_secret: next, options }, challenge) =>
      sendChallenge(sender, {
        url,
        secrets: { current: open(secret, endpointId), next: next && open(next, endpointId) },
        headers: optionHeaders(secretBox, endpointId, options),
        id: await eventIds.next(),
        challenge,
        timestampSeconds: Math.floor(systemClock() / 1_000),
      }),
  });
}
