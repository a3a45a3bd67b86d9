"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createStores = createStores;
const deletion_store_1 = require("../account-lifecycle/deletion-store");
const account_store_1 = require("../accounts/account-store");
const suspension_store_1 = require("../account-lifecycle/suspension-store");
const audit_store_1 = require("../accounts/audit-store");
const change_store_1 = require("../dashboard-api/change-store");
const overview_store_1 = require("../dashboard-api/overview-store");
const claim_store_1 = require("../record/claim-store");
const delivery_store_1 = require("../record/delivery-store");
const order_store_1 = require("../dispatch/order-store");
const rate_store_1 = require("../dispatch/rate-store");
const dispatch_store_1 = require("../dispatch/dispatch-store");
const health_store_1 = require("../endpoints/health-store");
const sealed_store_1 = require("../endpoints/sealed-store");
const sweep_store_1 = require("../endpoints/sweep-store");
const catalog_store_1 = require("../estimator/catalog-store");
const listen_store_1 = require("../listen/listen-store");
const endpoint_deliveries_store_1 = require("../record/endpoint-deliveries-store");
const list_deliveries_store_1 = require("../record/list-deliveries-store");
const endpoint_store_1 = require("../record/endpoint-store");
const list_events_store_1 = require("../record/list-events-store");
const retention_store_1 = require("../record/retention-store");
const event_store_1 = require("../record/event-store");
const idempotency_store_1 = require("../record/idempotency-store");
const key_store_1 = require("../keys/key-store");
const replay_store_1 = require("../replays/replay-store");
const session_store_1 = require("../users/session-store");
const setup_link_store_1 = require("../users/setup-link-store");
const user_store_1 = require("../users/user-store");
const try_count_store_1 = require("../users/try-count-store");
const usage_store_1 = require("../keys/usage-store");
/** Everything that is kept in MongoDB. */
function createStores(db, config) {
    const leaseMs = (0, claim_store_1.claimLeaseMs)(config.delivery.timeoutMs);
    const replays = (0, replay_store_1.createReplayStore)(db, config.retentionMs);
    const eventLists = (0, list_events_store_1.createEventListStore)(db);
    return {
        accounts: (0, account_store_1.createAccountStore)(db),
        suspensions: (0, suspension_store_1.createSuspensionStore)(db, replays),
        deletions: (0, deletion_store_1.createDeletionStore)(db),
        audit: (0, audit_store_1.createAuditStore)(db, config.auditRetentionMs),
        users: (0, user_store_1.createUserStore)(db),
        sessions: (0, session_store_1.createSessionStore)(db),
        tries: (0, try_count_store_1.createTryCounter)(db),
        setupLinks: (0, setup_link_store_1.createSetupLinkStore)(db),
        keys: (0, key_store_1.createKeyStore)(db),
        usage: (0, usage_store_1.createUsageStore)(db),
        endpoints: (0, endpoint_store_1.createEndpointStore)(db),
        endpointDeliveries: (0, endpoint_deliveries_store_1.createEndpointDeliveryStore)(db),
        health: (0, health_store_1.createEndpointHealthStore)(db),
        sealed: (0, sealed_store_1.createSealedStore)(db),
        due: (0, sweep_store_1.createEndpointDueStore)(db),
        events: (0, event_store_1.createEventStore)(db),
        eventLists,
        retention: (0, retention_store_1.createRetentionStore)(db, config.retentionMs),
        idempotency: (0, idempotency_store_1.createIdempotencyStore)(db),
        deliveries: (0, delivery_store_1.createDeliveryStore)(db, leaseMs),
        dispatch: (0, dispatch_store_1.createDispatchStore)(db),
        order: (0, order_store_1.createOrderStore)(db, leaseMs),
        rates: (0, rate_store_1.createRateStore)(db),
        deliveryLists: (0, list_deliveries_store_1.createDeliveryListStore)(eventLists),
        replays,
        listening: (0, listen_store_1.createListenStore)(db),
        catalogs: (0, catalog_store_1.createCatalogStore)(db),
        overview: (0, overview_store_1.createOverviewStore)(db),
        changes: (0, change_store_1.createChangeStore)(db),
    };
}
//# sourceMappingURL=create-stores.js.map