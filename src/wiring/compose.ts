import { randomUUID } from 'node:crypto';
import { createAttempts } from './attempts';
import { createStores } from './create-stores';
import { composeAttempt } from './compose-attempt';
import { composeDispatch } from './compose-dispatch';
import { composeEstimator } from './compose-estimator';
import { composeWebhooks, type WebhookParts } from './compose-webhooks';
import type { Config } from '../config';
import { createChangeStore } from '../dashboard-api/change-store';
import { createDashboard } from '../dashboard-api/create-dashboard';
import { createOverviewStore } from '../dashboard-api/overview-store';
import { findWebPage } from '../dashboard-api/static-files';
import { createEndpointDeliveryStore } from '../record/endpoint-deliveries-store';
import { createDeliveryListStore, type ListedDelivery } from '../record/list-deliveries-store';
import { createDeliverySignals } from '../dispatch/signal-delivery';
import { createEndpointLoad } from '../dispatch/endpoint-load';
import { startOf } from '../dispatch/start-delivery';
import type { AppDeps } from '../app';
import { createClientAddress } from '../http/client-address';
import { createUnknownProxyWatch, UNKNOWN_PROXY } from '../http/unknown-proxy';
import { createKeyCache } from '../keys/key-cache';
import { createAuthFailureLimiter } from '../limits/auth-failures';
import { createDeliveryBudget } from '../limits/delivery-budget';
import { createDeliveryBudgetStore } from '../limits/delivery-budget-store';
import { createLimiter } from '../limits/limiter';
import { createPendingStore } from '../limits/pending-store';
import { createEventFeed } from '../listen/event-feed';
import { createListenStreams } from '../listen/listen-streams';
import { createListenStore } from '../listen/listen-store';
import { createLimitStore } from '../limits/limit-store';
import { createHostCheck } from '../platform/allowed-hosts';
import { systemClock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { createMetrics } from '../platform/metrics';
import type { Mongo } from '../platform/mongo';
import { createSecretBox } from '../platform/secret-box';
import type { TemporalLink } from '../platform/temporal';

/** What is there once in a process, whatever its role. */
export interface Platform {
  readonly config: Config;
  readonly logger: Logger;
  readonly mongo: Mongo;
  readonly temporal: TemporalLink;
}

/** How far the process is between its start and its end. */
export interface Lifetime {
  /** False from the moment it is told to stop. */
  readonly isAccepting: () => boolean;
  /** True once MongoDB has all indexes. */
  readonly hasIndexes: () => boolean;
}

/** Everything wired by hand, over a platform. */
export type Composition = ReturnType<typeof compose>;

/**
 * Wires the parts. Nothing is started or connected here but timers that keep caches fresh.
 *
 * @param eager whether this process also runs a worker, which may take a delivery's first task at once
 */
export function compose(platform: Platform, eager: boolean) {
  const { config, logger, mongo, temporal } = platform;
  const { db } = mongo;
  const stores = createStores(db, config);
  const endpointDeliveries = createEndpointDeliveryStore(db);
  const deliveryLists = createDeliveryListStore(stores.eventLists);
  const signals = createDeliverySignals({ temporal });
  const secretBox = createSecretBox(config.encryptionKeys);
  const load = createEndpointLoad();
  const budget = createDeliveryBudget(createDeliveryBudgetStore(db, config.limits.tiers), createPendingStore(db));
  const owner = randomUUID();
  const metrics = createMetrics(() => dispatch.waiting());
  const dispatch = composeDispatch(platform, {
    stores,
    load,
    metrics,
    owner,
    eager,
    attempt: (...call) => attempts.make(...call),
  });
  const { starter, dispatcher, gate } = dispatch;
  const attemptDeps = (processOwner: string) =>
    composeAttempt(
      { config, logger, mongo },
      { stores, secretBox, load, dispatcher, metrics, gate, owner: processOwner },
    );
  /** Starts a run of a bulk replay, which is due at once. */
  const startRun = (run: ListedDelivery) => starter.start(startOf(run, run.destination.next_attempt_at!));
  const attempts = createAttempts(attemptDeps(owner));
  return {
    stores,
    /** Names this process in claims and leases. */
    owner,
    metrics,
    starter,
    dispatcher,
    gate,
    attempts,
    startRun,
    deliveryLists,
    budget,
    load,
    secretBox,
    /** Creates the indexes, and forgets what was switched off; does nothing where that is done. */
    ensureIndexes: async () => {
      const indexed = Object.values(stores).filter((store) => 'ensureIndexes' in store);
      await Promise.all(indexed.map((store) => store.ensureIndexes()));
      if (!config.delivery.verifiesHosts) await stores.endpoints.forgetVerifications();
    },
    /** The API's parts: made only where there is an API, since the key cache watches MongoDB. */
    api: (lifetime: Lifetime) =>
      composeApi(
        { config, logger, mongo, temporal },
        {
          stores,
          secretBox,
          metrics,
          starter,
          signals,
          dispatcher,
          endpointDeliveries,
          deliveryLists,
          budget,
          sender: attempts.deps.sender,
        },
        lifetime,
      ),
    /** What the attempts of another process are made of. */
    attemptDeps,
  };
}

function composeApi(
  { config, logger, mongo, temporal }: Platform,
  parts: WebhookParts & { readonly stores: Composition['stores'] },
  { isAccepting, hasIndexes }: Lifetime,
): { readonly app: AppDeps; close(): Promise<void> } {
  const { stores, metrics } = parts;
  const keys = createKeyCache({ keys: stores.keys, logger });
  const unknownProxy = createUnknownProxyWatch({ logger, clock: systemClock });
  const authenticate: AppDeps['authenticate'] = {
    keys,
    limiter: createLimiter(createLimitStore(mongo.db, config.limits.tiers), { ledger: parts.budget.ledger }),
    authFailures: createAuthFailureLimiter({ perMinute: config.limits.authFailuresPerMinute, clock: systemClock }),
    clientAddress: createClientAddress(config.limits.trustedProxies, (peer) => unknownProxy.note(peer)),
  };
  const listening = createListenStore(mongo.db);
  const feed = createEventFeed({ listening, logger });
  const listenStreams = createListenStreams({ listening, feed, keys: stores.keys, isAccepting, logger });
  const estimator = composeEstimator({ config, logger, mongo }, authenticate);
  const dashboard = createDashboard({
    stores,
    secretBox: parts.secretBox,
    overview: createOverviewStore(mongo.db),
    changes: createChangeStore(mongo.db),
    limiter: authenticate.limiter,
    tiers: config.limits.tiers,
    signUpIsOpen: config.dashboard.signUp,
    temporalUi: temporalUiOf(config),
    clientAddress: authenticate.clientAddress,
    isAccepting,
    clock: systemClock,
    logger,
  });
  const app: AppDeps = {
    logger,
    dashboard,
    metrics,
    estimator: estimator.app,
    audit: stores.audit,
    webPage: findWebPage(),
    publicUrl: config.publicUrl,
    isAllowedHost: createHostCheck(config.allowedHosts),
    health: {
      isMongoUp: () =>
        mongo.ping().then(
          () => true,
          () => false,
        ),
      isTemporalUp: () => temporal.isHealthy(),
      isAccepting,
      hasStarted: () => hasIndexes() && estimator.app.catalog.isLoaded(),
      // On a developer's machine there is nobody to share a limit with.
      warnings: () => (config.production && unknownProxy.isThere() ? [UNKNOWN_PROXY] : []),
    },
    authenticate,
    ...composeWebhooks({ config, logger }, parts),
    listen: { listenStreams },
  };
  return {
    app,
    close: async () => {
      await Promise.all([listenStreams.close(), keys.close(), estimator.close(), dashboard.close()]);
    },
  };
}

/** Where executions can be looked at, if somebody said. */
function temporalUiOf({ dashboard, temporal }: Config) {
  return dashboard.temporalUiUrl === undefined
    ? undefined
    : { url: dashboard.temporalUiUrl, namespace: temporal.namespace };
}
