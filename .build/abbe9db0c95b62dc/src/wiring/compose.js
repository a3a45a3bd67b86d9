"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createAttempts = createAttempts;
exports.compose = compose;
const node_crypto_1 = require("node:crypto");
const attempt_delivery_1 = require("../../activities/attempt-delivery");
const dispatcher_1 = require("../dispatch/dispatcher");
const endpoint_load_1 = require("../dispatch/endpoint-load");
const express_queue_1 = require("../dispatch/express-queue");
const gate_1 = require("../dispatch/gate");
const signal_delivery_1 = require("../dispatch/signal-delivery");
const start_delivery_1 = require("../dispatch/start-delivery");
const start_queue_1 = require("../dispatch/start-queue");
const endpoint_cache_1 = require("../endpoints/endpoint-cache");
const endpoint_options_1 = require("../endpoints/endpoint-options");
const announce_operational_event_1 = require("../events/announce-operational-event");
const event_ids_1 = require("../events/event-ids");
const delivery_budget_1 = require("../limits/delivery-budget");
const delivery_budget_store_1 = require("../limits/delivery-budget-store");
const pending_store_1 = require("../limits/pending-store");
const clock_1 = require("../platform/clock");
const metrics_1 = require("../platform/metrics");
const secret_box_1 = require("../platform/secret-box");
const claim_store_1 = require("../record/claim-store");
const http_sender_1 = require("../sender/http-sender");
const create_stores_1 = require("./create-stores");
function createAttempts(deps) {
    return { deps, ...(0, attempt_delivery_1.createAttemptDelivery)(deps) };
}
/**
 * Wires what every role needs: the stores, and everything between the promise and the receiver. Nothing is started or
 * connected here but timers that keep caches fresh.
 *
 * @param eager whether this process also runs a worker, which may take a delivery's first task at once
 */
function compose(platform, eager) {
    const { config, logger, mongo, temporal } = platform;
    const { schedule, firstAttempt: mode, timeoutMs } = config.delivery;
    const stores = (0, create_stores_1.createStores)(mongo.db, config);
    const { deliveries } = stores;
    const load = (0, endpoint_load_1.createEndpointLoad)();
    const budgetStore = (0, delivery_budget_store_1.createDeliveryBudgetStore)(mongo.db, config.limits.tiers);
    const owner = (0, node_crypto_1.randomUUID)();
    const metrics = (0, metrics_1.createMetrics)(() => ({ workflow: startQueue.size(), express: express.size() }));
    const starter = (0, start_delivery_1.createDeliveryStarter)({ temporal, deliveries, schedule, eager });
    const startQueue = (0, start_queue_1.createStartQueue)({
        starter,
        isDue: deliveries.isDue,
        onFailed: (delivery) => dispatcher.startFailed(delivery),
        logger,
    });
    const express = (0, express_queue_1.createExpressQueue)({
        attempt: (...call) => attempts.make(...call),
        deliveries,
        isSlow: load.isSlow,
        start: startQueue.enqueue,
        schedule,
        logger,
    });
    const dispatcher = (0, dispatcher_1.createDispatcher)({
        mode,
        express,
        startQueue,
        schedule,
        load,
        lookAt: (endpointId) => gate.look(endpointId),
        owner,
        leaseMs: (0, claim_store_1.claimLeaseMs)(timeoutMs),
        onFirstAttempt: (way) => metrics.firstAttempts.inc({ way }),
    });
    const gate = (0, gate_1.createGate)({ ...stores, load, dispatcher, logger, owner });
    const secretBox = (0, secret_box_1.createSecretBox)(config.encryptionKeys);
    /** @param processOwner names the process in claims */
    const attemptDeps = (processOwner) => attemptDepsOf(platform, { stores, secretBox, load, dispatcher, metrics, gate, owner: processOwner });
    const attempts = createAttempts(attemptDeps(owner));
    return {
        stores,
        /** Names this process in claims and leases. */
        owner,
        metrics,
        secretBox,
        load,
        budget: (0, delivery_budget_1.createDeliveryBudget)(budgetStore, (0, pending_store_1.createPendingStore)(mongo.db)),
        starter,
        signals: (0, signal_delivery_1.createDeliverySignals)({ temporal }),
        dispatcher,
        gate,
        attempts,
        /** What the attempts of another process are made of. */
        attemptDeps,
        /** Starts a run of a bulk replay, which is due at once. */
        startRun: (run) => starter.start((0, start_delivery_1.startOf)(run, run.destination.next_attempt_at)),
        /** Creates the indexes, and forgets what was switched off; does nothing where that is done. */
        ensureIndexes: async () => {
            const indexed = Object.values(stores).filter((store) => 'ensureIndexes' in store);
            await Promise.all(indexed.map((store) => store.ensureIndexes()));
            if (!config.delivery.verifiesHosts)
                await stores.endpoints.forgetVerifications();
        },
    };
}
/** What an attempt needs: the sender, the endpoint's options, and what follows from an answer. */
function attemptDepsOf({ config, logger }, { dispatcher, metrics, gate, ...parts }) {
    const { stores, ...rest } = parts;
    const announce = (0, announce_operational_event_1.createAnnouncer)({
        ...stores,
        eventIds: (0, event_ids_1.createEventIds)(stores.events),
        endpointCache: (0, endpoint_cache_1.createEndpointCache)(stores.endpoints),
        dispatcher,
        budget: delivery_budget_1.UNCOUNTED,
    });
    return {
        ...stores,
        ...rest,
        sender: (0, http_sender_1.createHttpSender)(config.delivery),
        announce,
        lookAt: gate.look,
        onEnd: gate.attemptEnded,
        clock: clock_1.systemClock,
        logger,
        autoDisableAfterMs: config.delivery.autoDisableAfterMs,
        optionHeaders: ({ _id, options }) => (0, endpoint_options_1.optionHeaders)(rest.secretBox, _id, options),
        onAnswer: (answer) => {
            const outcome = answer.succeeded ? 'success' : (answer.errorCode ?? 'http_status');
            metrics.attempts.observe({ outcome }, answer.latencyMs / 1_000);
        },
    };
}
//# sourceMappingURL=compose.js.map