import { randomUUID } from 'node:crypto';
import { createAccountStore } from './accounts/store';
import type { Config } from './config';
import { createDeliveryStore } from './deliveries/store';
import { createSlowEndpoints } from './dispatch/slow-endpoints';
import { createDeliveryStarter } from './dispatch/start-delivery';
import { createStartQueue } from './dispatch/start-queue';
import { createDispatchStore } from './dispatch/store';
import type { AttemptAnswer } from './domain/delivery-contract';
import { createEndpointCache } from './endpoints/endpoint-cache';
import { createEndpointStore } from './endpoints/store';
import { createEventIds } from './events/event-ids';
import { createEventStore } from './events/store';
import type { AppDeps } from './http/app';
import { createClientAddress } from './http/client-address';
import { createIdempotencyStore } from './idempotency/store';
import { createKeyCache } from './keys/key-cache';
import { createKeyStore } from './keys/store';
import { createAuthFailureLimiter } from './limits/auth-failures';
import { createLimiter } from './limits/limiter';
import { createLimitStore } from './limits/store';
import { systemClock } from './platform/clock';
import type { Logger } from './platform/logger';
import { createMetrics, type Metrics } from './platform/metrics';
import type { Mongo } from './platform/mongo';
import { createSecretBox } from './platform/secret-box';
import type { TemporalLink } from './platform/temporal';
import { checkDestinationUrl } from './sender/destination-url-check';
import { createHttpSender } from './sender/http-sender';
import { generateSigningSecret } from './sender/signature';

/** What is there once in a process, whatever its role. */
export interface Platform {
  readonly config: Config;
  readonly logger: Logger;
  readonly mongo: Mongo;
  readonly temporal: TemporalLink;
}

/** Everything wired by hand, over a platform. */
export type Composition = ReturnType<typeof compose>;

/**
 * Wires the parts. Nothing is started or connected here but timers that keep caches fresh.
 *
 * @param eager whether this process also runs a worker, which may take a delivery's first task at once
 */
export function compose({ config, logger, mongo, temporal }: Platform, eager: boolean) {
  const { db } = mongo;
  const stores = {
    accounts: createAccountStore(db),
    keys: createKeyStore(db),
    endpoints: createEndpointStore(db),
    events: createEventStore(db),
    idempotency: createIdempotencyStore(db),
    deliveries: createDeliveryStore(db),
    dispatch: createDispatchStore(db),
  };
  const secretBox = createSecretBox(config.encryptionKeys);
  const slowEndpoints = createSlowEndpoints({ dispatch: stores.dispatch, logger });
  const starter = createDeliveryStarter({
    temporal,
    deliveries: stores.deliveries,
    schedule: config.delivery.schedule,
    eager,
    routeOf: slowEndpoints.routeOf,
  });
  const startQueue = createStartQueue({ starter, logger });
  const metrics = createMetrics(startQueue.size);
  return {
    stores,
    metrics,
    starter,
    startQueue,
    slowEndpoints,
    secretBox,
    /** Creates the indexes; does nothing where they are. */
    ensureIndexes: async () => {
      await Promise.all(Object.values(stores).map((store) => store.ensureIndexes()));
    },
    /** The API's parts: made only where there is an API, since the key cache watches MongoDB. */
    api: (isAccepting: () => boolean) =>
      composeApi({ config, logger, mongo, temporal }, { stores, secretBox, metrics, startQueue }, isAccepting),
    /** The attempt's parts: made only where there is a worker. */
    attempt: (owner: string = randomUUID()) => {
      const sender = createHttpSender({
        policy: config.delivery.policy,
        timeoutMs: config.delivery.timeoutMs,
        extraCaPem: config.delivery.extraCaPem,
      });
      const onAnswer = (endpointId: string, answer: AttemptAnswer): void => {
        slowEndpoints.note(endpointId, answer.latencyMs);
        const outcome = answer.succeeded ? 'success' : (answer.errorCode ?? 'http_status');
        metrics.attempts.observe({ outcome }, answer.latencyMs / 1_000);
      };
      const { deliveries, endpoints } = stores;
      return { deliveries, endpoints, secretBox, sender, clock: systemClock, logger, owner, onAnswer };
    },
  };
}

function composeApi(
  { config, logger, mongo, temporal }: Platform,
  parts: {
    stores: Pick<Composition['stores'], 'accounts' | 'keys' | 'endpoints' | 'events' | 'idempotency' | 'deliveries'>;
    secretBox: ReturnType<typeof createSecretBox>;
    metrics: Metrics;
    startQueue: ReturnType<typeof createStartQueue>;
  },
  isAccepting: () => boolean,
): { readonly app: AppDeps; close(): Promise<void> } {
  const { stores, metrics } = parts;
  const keys = createKeyCache({ keys: stores.keys, logger });
  const app: AppDeps = {
    logger,
    metrics,
    health: {
      isMongoUp: () =>
        mongo.ping().then(
          () => true,
          () => false,
        ),
      isTemporalUp: () => temporal.isHealthy(),
      isAccepting,
    },
    authenticate: {
      keys,
      limiter: createLimiter(createLimitStore(mongo.db, config.limits.tiers)),
      authFailures: createAuthFailureLimiter({ perMinute: config.limits.authFailuresPerMinute, clock: systemClock }),
      clientAddress: createClientAddress(config.limits.trustedProxies),
    },
    endpoints: {
      endpoints: stores.endpoints,
      accounts: stores.accounts,
      secretBox: parts.secretBox,
      checkUrl: (url) => checkDestinationUrl(url, config.delivery.policy),
      generateSecret: generateSigningSecret,
    },
    events: {
      events: stores.events,
      eventIds: createEventIds(stores.events),
      idempotency: stores.idempotency,
      endpointCache: createEndpointCache(stores.endpoints),
      deliveries: stores.deliveries,
      startSoon: parts.startQueue.enqueue,
      accepting: parts.startQueue.accepting,
      onIngest: ({ duplicate }) => metrics.ingestedEvents.inc({ result: duplicate ? 'duplicate' : 'accepted' }),
      maxAttempts: config.delivery.schedule.length,
    },
  };
  return { app, close: () => keys.close() };
}
