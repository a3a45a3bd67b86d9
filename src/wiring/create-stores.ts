import { createDeletionStore } from '../account-lifecycle/deletion-store';
import { createAccountStore } from '../accounts/account-store';
import { createSuspensionStore } from '../account-lifecycle/suspension-store';
import { createAuditStore } from '../accounts/audit-store';
import type { Config } from '../config';
import { createChangeStore } from '../dashboard-api/change-store';
import { createOverviewStore } from '../dashboard-api/overview-store';
import { claimLeaseMs } from '../record/attempt-store';
import { createDeliveryStore } from '../record/delivery-store';
import { createOrderStore } from '../record/order-store';
import { createRateStore } from '../record/rate-store';
import { createDispatchStore } from '../dispatch/dispatch-store';
import { createNoticeStore } from '../alerts/notice-store';
import { createAutoDisableStore } from '../endpoints/auto-disable-store';
import { createSealedStore } from '../endpoints/sealed-store';
import { createRotationStore } from '../endpoints/rotation-store';
import { createCatalogStore } from '../estimator/catalog-store';
import { createReachedQuotaStore } from '../limits/reached-quota-store';
import { createListenStore } from '../listen/listen-store';
import { createAttemptCountStore } from '../record/attempt-count-store';
import { createEndpointHealthStore } from '../record/endpoint-health-store';
import { createOutageStore } from '../record/outage-store';
import { createEndpointStatsStore } from '../record/endpoint-stats-store';
import { createAttemptListStore } from '../record/list-attempts-store';
import { createDeliveryListStore } from '../record/list-deliveries-store';
import { createEndpointStore } from '../record/endpoint-store';
import { createEventListStore } from '../record/list-events-store';
import { createRetentionStore } from '../record/retention-store';
import { createWaitingStore } from '../record/waiting-store';
import { createEventStore } from '../record/event-store';
import { createIdempotencyStore } from '../record/idempotency-store';
import { createKeyStore } from '../keys/key-store';
import type { Mongo } from '../platform/mongo';
import { createReplayStore } from '../replays/replay-store';
import { createSessionStore } from '../users/session-store';
import { createSetupLinkStore } from '../users/setup-link-store';
import { createUserStore } from '../users/user-store';
import { createTryCounter } from '../users/try-count-store';
import { createUsageStore } from '../keys/usage-store';

export type Stores = ReturnType<typeof createStores>;

/** Everything that is kept in MongoDB. */
export function createStores(db: Mongo['db'], config: Config) {
  const leaseMs = claimLeaseMs(config.delivery.timeoutMs);
  const replays = createReplayStore(db, config.retentionMs);
  const eventLists = createEventListStore(db);
  return {
    accounts: createAccountStore(db),
    suspensions: createSuspensionStore(db, replays),
    deletions: createDeletionStore(db),
    audit: createAuditStore(db, config.auditRetentionMs),
    users: createUserStore(db),
    sessions: createSessionStore(db),
    tries: createTryCounter(db),
    setupLinks: createSetupLinkStore(db),
    keys: createKeyStore(db),
    usage: createUsageStore(db),
    endpoints: createEndpointStore(db),
    endpointDeliveries: createEndpointStatsStore(db),
    autoDisable: createAutoDisableStore(db),
    attemptCounts: createAttemptCountStore(db),
    health: createEndpointHealthStore(db),
    outages: createOutageStore(db),
    reachedQuotas: createReachedQuotaStore(db),
    notices: createNoticeStore(db),
    sealed: createSealedStore(db),
    rotations: createRotationStore(db),
    events: createEventStore(db),
    eventLists,
    retention: createRetentionStore(db, config.retentionMs),
    idempotency: createIdempotencyStore(db),
    deliveries: createDeliveryStore(db, leaseMs),
    dispatch: createDispatchStore(db),
    order: createOrderStore(db, leaseMs),
    rates: createRateStore(db),
    deliveryLists: createDeliveryListStore(eventLists),
    attemptLists: createAttemptListStore(db),
    waiting: createWaitingStore(db),
    replays,
    listening: createListenStore(db),
    catalogs: createCatalogStore(db),
    overview: createOverviewStore(db),
    changes: createChangeStore(db),
  };
}
