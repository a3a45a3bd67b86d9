"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.composeApi = composeApi;
const live_changes_1 = require("../dashboard-api/live-changes");
const live_streams_1 = require("../dashboard-api/live-streams");
const require_session_1 = require("../dashboard-api/require-session");
const static_files_1 = require("../dashboard-api/static-files");
const endpoint_cache_1 = require("../endpoints/endpoint-cache");
const endpoint_options_1 = require("../endpoints/endpoint-options");
const verify_endpoint_1 = require("../endpoints/verify-endpoint");
const import_catalog_1 = require("../estimator/import-catalog");
const current_catalog_1 = require("../estimator/current-catalog");
const event_ids_1 = require("../events/event-ids");
const ingest_event_1 = require("../events/ingest-event");
const ingest_room_1 = require("../events/ingest-room");
const client_address_1 = require("../http/client-address");
const key_cache_1 = require("../keys/key-cache");
const usage_log_1 = require("../keys/usage-log");
const address_limiter_1 = require("../limits/address-limiter");
const auth_failures_1 = require("../limits/auth-failures");
const limiter_1 = require("../limits/limiter");
const limit_store_1 = require("../limits/limit-store");
const event_feed_1 = require("../listen/event-feed");
const listen_streams_1 = require("../listen/listen-streams");
const allowed_hosts_1 = require("../platform/allowed-hosts");
const clock_1 = require("../platform/clock");
const password_hash_1 = require("../platform/password-hash");
const password_strength_1 = require("../platform/password-strength");
const destination_url_check_1 = require("../sender/destination-url-check");
const challenge_1 = require("../sender/challenge");
const signature_1 = require("../sender/signature");
/** Wires what the API has beyond a worker. Only where there is an API: the key cache watches MongoDB. */
function composeApi(platform, parts, { isAccepting, hasIndexes }) {
    const { config, logger, mongo, temporal } = platform;
    const { stores, metrics } = parts;
    const { listening } = stores;
    const keys = (0, key_cache_1.createKeyCache)({ keys: stores.keys, logger });
    const usage = (0, usage_log_1.createUsageLog)({ usage: stores.usage, logger });
    const catalog = (0, current_catalog_1.createCurrentCatalog)({ catalogs: stores.catalogs, builtIn: (0, import_catalog_1.readBuiltInCatalog)(), logger });
    const feed = (0, event_feed_1.createEventFeed)({ listening, logger });
    const listenStreams = (0, listen_streams_1.createListenStreams)({ listening, feed, keys: stores.keys, isAccepting, logger });
    const live = (0, live_changes_1.createLiveChanges)({ changes: stores.changes, logger });
    const streams = (0, live_streams_1.createLiveStreams)({ live, sessions: stores.sessions, isAccepting });
    const unknownProxy = (0, client_address_1.createUnknownProxyWatch)({ logger, clock: clock_1.systemClock });
    const clientAddress = (0, client_address_1.createClientAddress)(config.limits.trustedProxies, (peer) => unknownProxy.note(peer));
    const limiter = (0, limiter_1.createLimiter)((0, limit_store_1.createLimitStore)(mongo.db, config.limits.tiers), { ledger: parts.budget.ledger });
    const authenticate = {
        keys,
        limiter,
        clientAddress,
        authFailures: (0, auth_failures_1.createAuthFailureLimiter)({ perMinute: config.limits.authFailuresPerMinute, clock: clock_1.systemClock }),
    };
    const app = {
        logger,
        metrics,
        audit: stores.audit,
        webPage: (0, static_files_1.findWebPage)(),
        publicUrl: config.publicUrl,
        isAllowedHost: (0, allowed_hosts_1.createHostCheck)(config.allowedHosts),
        health: {
            isMongoUp: () => mongo.ping().then(() => true, () => false),
            isTemporalUp: () => temporal.isHealthy(),
            isAccepting,
            hasStarted: () => hasIndexes() && catalog.isLoaded(),
            // On a developer's machine there is nobody to share a limit with.
            warnings: () => (config.production && unknownProxy.isThere() ? [client_address_1.UNKNOWN_PROXY] : []),
        },
        authenticate,
        ...webhooksOf(platform, parts),
        listen: { listenStreams },
        estimator: { catalog, clock: clock_1.systemClock, access: estimatorAccessOf(config, mongo, { ...authenticate, usage }) },
        dashboard: dashboardOf(config, parts, { limiter, clientAddress, streams }),
    };
    return {
        app,
        close: async () => {
            streams.close();
            await Promise.all([listenStreams.close(), keys.close(), catalog.close(), usage.close(), live.close()]);
        },
    };
}
/** What the operations on endpoints, events, deliveries and replays need. */
function webhooksOf({ config, logger }, parts) {
    const { stores, metrics, secretBox } = parts;
    const events = {
        ...stores,
        eventIds: (0, event_ids_1.createEventIds)(stores.events),
        endpointCache: (0, endpoint_cache_1.createEndpointCache)(stores.endpoints),
        dispatcher: parts.dispatcher,
        budget: parts.budget,
        room: (0, ingest_room_1.createIngestRoom)(config.limits.ingest),
        onIngest: ({ duplicate }) => metrics.ingestedEvents.inc({ result: duplicate ? 'duplicate' : 'accepted' }),
        maxAttempts: config.delivery.schedule.length,
    };
    return {
        endpoints: {
            ...stores,
            secretBox,
            checkUrl: (url) => (0, destination_url_check_1.checkDestinationUrl)(url, config.delivery.policy),
            generateSecret: signature_1.generateSigningSecret,
            verifier: config.delivery.verifiesHosts ? verifierOf(parts, events.eventIds, logger) : undefined,
            ingestTo: (caller, endpoint, input) => (0, ingest_event_1.ingestTo)(events, caller, endpoint, input),
        },
        events,
        deliveries: { ...stores, ...parts, logger, maxAttempts: config.delivery.schedule.length },
        replays: stores,
    };
}
function verifierOf({ stores, secretBox, budget, attempts }, eventIds, logger) {
    const { open } = secretBox;
    return (0, verify_endpoint_1.createHostVerifier)({
        budget,
        logger,
        now: stores.dispatch.now,
        sendChallenge: async ({ _id: endpointId, url, secret, next_secret: next, options }, challenge) => (0, challenge_1.sendChallenge)(attempts.deps.sender, {
            url,
            secrets: { current: open(secret, endpointId), next: next && open(next, endpointId) },
            headers: (0, endpoint_options_1.optionHeaders)(secretBox, endpointId, options),
            id: await eventIds.next(),
            challenge,
            timestampSeconds: Math.floor((0, clock_1.systemClock)() / 1_000),
        }),
    });
}
/** The estimator has limits of its own, and no quota. */
function estimatorAccessOf({ limits: { tiers, estimatorPerMinute } }, { db }, shared) {
    const withoutQuota = new Map([...tiers.values()].map((tier) => [tier.id, { ...tier, monthlyQuota: null }]));
    return {
        ...shared,
        limiter: (0, limiter_1.createLimiter)((0, limit_store_1.createLimitStore)(db, withoutQuota, 'estimator_limits')),
        anonymous: (0, address_limiter_1.createAddressLimiter)({ perMinute: estimatorPerMinute, quotaLimit: null, clock: clock_1.systemClock }),
    };
}
function dashboardOf({ limits, dashboard, temporal }, { stores, secretBox }, shared) {
    const { temporalUiUrl: url, signUp: signUpIsOpen } = dashboard;
    return {
        ...stores,
        ...shared,
        secretBox,
        signUpIsOpen,
        tiers: limits.tiers,
        temporalUi: url === undefined ? undefined : { url, namespace: temporal.namespace },
        hasher: (0, password_hash_1.createPasswordHasher)(),
        isGuessable: (0, password_strength_1.createIsGuessable)(),
        limit: (0, require_session_1.createSessionLimit)(clock_1.systemClock),
        clock: clock_1.systemClock,
    };
}
//# sourceMappingURL=compose-api.js.map