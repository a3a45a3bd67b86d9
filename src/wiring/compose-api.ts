import type { AppDeps } from '../app';
import type { Config } from '../config';
import type { DashboardDeps } from '../dashboard-api/dashboard-api';
import { createLiveChanges } from '../dashboard-api/live-changes';
import { createLiveStreams } from '../dashboard-api/live-streams';
import type { PortalDeps } from '../dashboard-api/portal-api';
import { createSessionLimit } from '../dashboard-api/require-session';
import { findWebPage } from '../dashboard-api/static-files';
import { createEndpointCache } from '../endpoints/endpoint-cache';
import { readBuiltInCatalog } from '../estimator/import-catalog';
import { createCurrentCatalog } from '../estimator/current-catalog';
import { createEventIds } from '../events/event-ids';
import { ingestTo, type IngestDeps } from '../events/ingest-event';
import { createIngestAdmission } from '../events/ingest-admission';
import { describeEventTypes } from '../openapi/describe-event-types';
import { createClientAddress, createUnknownProxyWatch, UNKNOWN_PROXY } from '../http/client-address';
import { createKeyCache } from '../keys/key-cache';
import { createUsageLog } from '../keys/usage-log';
import { createAddressLimiter } from '../limits/address-limiter';
import { createFilterBudget } from '../limits/filter-budget';
import { createLimiter, type Limiter } from '../limits/limiter';
import { createLimitStore } from '../limits/limit-store';
import { createQuotaWatch } from '../limits/quota-watch';
import { createPortalAccess, createPortalLimiter } from '../portal/portal-middleware';
import { createRehearsalRunner } from '../rehearsals/run-rehearsals';
import { createEventFeed } from '../listen/event-feed';
import { createListenStreams } from '../listen/listen-streams';
import { createPositions } from '../listen/positions';
import { createHostCheck } from '../platform/allowed-hosts';
import { systemClock } from '../platform/clock';
import type { OperationDeps } from '../operations';
import type { Mongo } from '../platform/mongo';
import { askReadiness, type ReadinessCheck } from '../platform/readiness';
import { createPasswordHasher } from '../platform/password-hash';
import { createIsGuessable } from '../platform/password-strength';
import { checkDestinationUrl } from '../sender/destination-url-check';
import { generateSigningSecret } from '../sender/signature';
import type { Composition, Platform } from './compose';
import { startRehearsalThread } from './start-rehearsal-thread';
import { verifierOf } from './host-verifier';
import { wireEventTypes } from './wire-event-types';

/** The state of the process between its start and its end. */
export interface Lifetime {
  /** False as soon as it is told to stop. */
  readonly isAccepting: () => boolean;
  /** True once MongoDB has all indexes. */
  readonly hasIndexes: () => boolean;
  readonly checks: readonly ReadinessCheck[];
  /** True once the secrets in MongoDB were found to belong to the keys of this process. */
  readonly hasOurKeys: () => boolean;
}

/**
 * Wires what the API has in addition to a worker. Only where there is an API, because the key cache asks MongoDB all the time.
 */
export function composeApi(
  platform: Platform,
  parts: Composition,
  { isAccepting, hasIndexes, hasOurKeys, checks }: Lifetime,
): { readonly app: AppDeps; close(): Promise<void> } {
  const { config, logger, mongo } = platform;
  const { stores, metrics } = parts;
  const keys = createKeyCache({ keys: stores.keys, logger });
  const usageLog = createUsageLog({ usage: stores.usage, logger });
  const catalog = createCurrentCatalog({ catalogs: stores.catalogs, builtIn: readBuiltInCatalog(), logger });
  const eventTypes = wireEventTypes(config, { ...stores, logger });
  const listenStreams = listenStreamsOf(platform, parts, isAccepting);
  const live = createLiveChanges({ changes: stores.changes, logger });
  const streams = createLiveStreams({ live, sessions: stores.sessions, isAccepting });
  const portalStreams = createLiveStreams({ live, sessions: stores.portalSessions, isAccepting });
  const unknownProxy = createUnknownProxyWatch({ logger, clock: systemClock });
  const clientAddress = createClientAddress(config.limits.trustedProxies, (peer) => unknownProxy.note(peer));
  const limiter = createLimiter(createLimitStore(mongo.db, config.limits.tiers), {
    ledger: parts.budget.ledger,
    onCounted: createQuotaWatch({ ...stores, logger }),
  });
  const rehearsalRunner = createRehearsalRunner({ ...stores, startThread: startRehearsalThread, logger });
  const authenticate = authenticateOf(config, { keys, limiter, clientAddress });
  const dashboard = dashboardOf(config, parts, { limiter, clientAddress, streams });
  const app: AppDeps = {
    logger,
    metrics,
    audit: stores.audit,
    webPage: findWebPage(),
    publicUrl: config.publicUrl,
    isAllowedHost: createHostCheck(config.allowedHosts),
    health: {
      readiness: () =>
        askReadiness(checks, { isAccepting, hasStarted: () => hasIndexes() && hasOurKeys() && catalog.isLoaded() }),
      // On a developer's machine no other client shares a limit.
      warnings: () => (config.production && unknownProxy.isThere() ? [UNKNOWN_PROXY] : []),
    },
    authenticate,
    usageLog,
    operations: {
      ...operationDepsOf(platform, parts, { limiter, ...eventTypes }),
      listenStreams,
      catalog,
      rehearsalRunner,
    },
    estimatorAccess: estimatorAccessOf(config, mongo, { ...authenticate, usage: usageLog }),
    dashboard,
    portal: portalOf(dashboard, stores, { authFailures: authenticate.authFailures, portalStreams }),
    portalLook: config.portal,
  };
  return {
    app,
    close: async () => {
      streams.close();
      portalStreams.close();
      const all = [listenStreams, eventTypes, keys, catalog, usageLog, live, rehearsalRunner];
      await Promise.all(all.map((it) => it.close()));
    },
  };
}

/** The streams of events, for `everpost listen`. */
function listenStreamsOf({ logger }: Platform, { stores, secretBox }: Composition, isAccepting: () => boolean) {
  const { listening, keys, accounts } = stores;
  const feed = createEventFeed({ listening, logger });
  return createListenStreams({
    ...{ listening, feed, keys, accounts, isAccepting, logger },
    positions: createPositions(secretBox),
  });
}

/** How callers are found, and how often those may fail who are not. */
function authenticateOf(
  { limits }: Config,
  shared: Pick<AppDeps['authenticate'], 'keys' | 'limiter' | 'clientAddress'>,
): AppDeps['authenticate'] {
  const clock = systemClock;
  return {
    ...shared,
    authFailures: createAddressLimiter({ perMinute: limits.authFailuresPerMinute, quotaLimit: 0, clock }),
    managementCalls: createAddressLimiter({ perMinute: limits.managementPerMinute, quotaLimit: null, clock }),
  };
}

/** The portal has pages of the dashboard, and sessions of its own. */
function portalOf(
  dashboard: DashboardDeps,
  { portalSessions }: Pick<Composition['stores'], 'portalSessions'>,
  own: Pick<PortalDeps, 'authFailures' | 'portalStreams'>,
): PortalDeps {
  const { clientAddress } = dashboard;
  const portalCalls = createPortalLimiter(systemClock);
  return { ...dashboard, ...own, portalAccess: createPortalAccess({ portalSessions, portalCalls, clientAddress }) };
}

/** What the operations need, except what only they have: streams, rehearsals, and the catalog of prices. */
function operationDepsOf(
  { config, logger }: Platform,
  parts: Composition,
  {
    limiter,
    checkEvents,
    onSchemaErrors,
    askSchemaThread,
  }: { readonly limiter: Limiter } & ReturnType<typeof wireEventTypes>,
): Omit<OperationDeps, 'listenStreams' | 'catalog' | 'rehearsalRunner'> {
  const { stores, metrics } = parts;
  const ingest: IngestDeps = {
    ...stores,
    retentionMs: config.retentionMs,
    eventIds: createEventIds(stores.events),
    endpointCache: createEndpointCache(stores.endpoints),
    dispatcher: parts.dispatcher,
    budget: parts.budget,
    storage: parts.storage,
    checkEvents,
    onSchemaErrors,
    filterBudget: createFilterBudget({
      clock: systemClock,
      callsPerMinute: (accountId) => limiter.lastKnown(accountId)?.perMinute ?? 0,
    }),
  };
  return {
    ...ingest,
    ...stores,
    ...parts,
    clock: systemClock,
    logger,
    limiter,
    publicUrl: config.publicUrl,
    readUsage: limiter.read,
    tiers: config.limits.tiers,
    defaultTier: config.limits.defaultTier,
    schedule: config.delivery.schedule,
    maxAttempts: config.delivery.schedule.length,
    onIngest: ({ duplicate }, accountId) => {
      metrics.ingestedEvents.inc({ result: duplicate ? 'duplicate' : 'accepted' });
      if (!duplicate) parts.deliveryLog.noteEvent(accountId);
    },
    gates: parts.gate,
    admission: createIngestAdmission(config.limits.ingest),
    checkUrl: (url) => checkDestinationUrl(url, config.delivery.policy),
    generateSecret: generateSigningSecret,
    verifier: config.delivery.verifiesHosts ? verifierOf(parts, ingest.eventIds, logger) : undefined,
    describeEventTypes,
    askSchemaThread,
    ingestTo: (caller, endpoint, input) => ingestTo(ingest, caller, endpoint, input),
  };
}

type EstimatorAccess = AppDeps['estimatorAccess'];

/** The estimator has its own limits, and no quota. */
function estimatorAccessOf(
  { limits: { tiers, estimatorPerMinute } }: Config,
  { db }: Mongo,
  shared: Pick<EstimatorAccess, 'keys' | 'authFailures' | 'clientAddress' | 'usage'>,
): EstimatorAccess {
  return {
    ...shared,
    limiter: createLimiter(createLimitStore(db, tiers, 'estimator_limits')),
    anonymous: createAddressLimiter({ perMinute: estimatorPerMinute, quotaLimit: null, clock: systemClock }),
  };
}

function dashboardOf(
  { limits, dashboard, delivery, temporal, retentionMs }: Config,
  { stores, secretBox }: Composition,
  shared: Pick<DashboardDeps, 'limiter' | 'clientAddress' | 'streams'>,
): DashboardDeps {
  const { temporalUiUrl: url, signUp: signUpIsOpen } = dashboard;
  return {
    ...stores,
    ...shared,
    secretBox,
    signUpIsOpen,
    tiers: limits.tiers,
    defaultTier: limits.defaultTier,
    retentionMs,
    schedule: delivery.schedule,
    temporalUi: url === undefined ? undefined : { url, namespace: temporal.namespace },
    hasher: createPasswordHasher(),
    isGuessable: createIsGuessable(),
    limit: createSessionLimit(systemClock),
    clock: systemClock,
  };
}
