import { createDeletionStore } from '../account-lifecycle/deletion-store';
import { createAccountSearchStore } from '../accounts/account-search-store';
import { createAccountStore } from '../accounts/account-store';
import { createSuspensionStore } from '../account-lifecycle/suspension-store';
import { createAuditChainStore } from '../accounts/audit-chain-store';
import { createAuditStore } from '../accounts/audit-store';
import type { Config } from '../config';
import { createKeyCheck } from '../endpoints/check-keys';
import { createDataKeyStore, type DataKeyStore } from '../payloads/data-key-store';
import { createPayloadBox, type PayloadBox } from '../payloads/payload-box';
import { createSecretBox } from '../platform/secret-box';
import { createChangeStore } from '../dashboard-api/change-store';
import { createOverviewStore } from '../dashboard-api/overview-store';
import { claimLeaseMs } from '../domain/claim-lease';
import { createDeliveryStore } from '../stores/delivery-store';
import { createGateStore } from '../stores/gate-store';
import { createOrderStore } from '../stores/order-store';
import { createRateStore } from '../stores/rate-store';
import { createBacklogStore } from '../stores/backlog-store';
import { createCapacityStore } from '../stores/capacity-store';
import { createDispatchStore } from '../stores/dispatch-store';
import { createNoticeStore } from '../alerts/notice-store';
import { createAutoDisableStore } from '../endpoints/auto-disable-store';
import { createSealedStore, type SealedStore } from '../endpoints/sealed-store';
import { createRotationStore } from '../endpoints/rotation-store';
import { createErasureStore } from '../erasures/erasure-store';
import { createCatalogStore } from '../estimator/catalog-store';
import { createReachedQuotaStore } from '../limits/reached-quota-store';
import { createListenStore } from '../listen/listen-store';
import { createAttemptCountStore } from '../stores/attempt-count-store';
import { createDeliveryCountStore } from '../stores/delivery-count-store';
import { createEndpointHealthStore } from '../stores/endpoint-health-store';
import { createOutageStore } from '../stores/outage-store';
import { createEndpointStatsStore } from '../stores/endpoint-stats-store';
import { createHistoryStore } from '../stores/history-store';
import { createAttemptListStore } from '../stores/list-attempts-store';
import { createDeliveryListStore } from '../stores/list-deliveries-store';
import { createEndpointStore } from '../stores/endpoint-store';
import { createErasedDataStore } from '../stores/erased-data-store';
import { createEventListStore } from '../stores/list-events-store';
import { createRetentionMigrationStore } from '../stores/retention-migration-store';
import { createRetentionStore } from '../stores/retention-store';
import { createWaitingStore } from '../stores/waiting-store';
import { createEventTypeStore } from '../event-types/event-type-store';
import { createSchemaErrorStore } from '../event-types/schema-error-store';
import { createEventStore } from '../stores/event-store';
import { createIdempotencyStore } from '../stores/idempotency-store';
import { createKeyStore } from '../keys/key-store';
import type { Mongo } from '../platform/mongo';
import { createPortalSessionStore } from '../portal/portal-session-store';
import { createManagementKeyStore } from '../keys/management-key-store';
import { createRehearsalStore } from '../rehearsals/rehearsal-store';
import { createRehearsedEventStore } from '../rehearsals/rehearsed-event-store';
import { createReplayStore } from '../replays/replay-store';
import { createSessionStore } from '../users/session-store';
import { createSetupLinkStore } from '../users/setup-link-store';
import { createStorageStore } from '../limits/storage-store';
import { createUserStore } from '../users/user-store';
import { createTryCounter } from '../users/try-count-store';
import { createUsageStore } from '../keys/usage-store';

export type Stores = ReturnType<typeof createStores>;

/** Everything that is kept in MongoDB. */
export function createStores(db: Mongo['db'], config: Config) {
  const leaseMs = claimLeaseMs(config.delivery.timeoutMs);
  const replays = createReplayStore(db, config.retentionMs);
  const sealed = createSealedStore(db);
  const dataKeys = createDataKeyStore(db);
  const payloads = payloadsOf(config, { sealed, dataKeys });
  const eventLists = createEventListStore(db, payloads);
  return {
    accounts: createAccountStore(db),
    accountSearch: createAccountSearchStore(db),
    suspensions: createSuspensionStore(db, replays),
    deletions: createDeletionStore(db),
    audit: createAuditStore(db, config.auditRetentionMs),
    auditChain: createAuditChainStore(db, config.auditRetentionMs),
    users: createUserStore(db),
    sessions: createSessionStore(db),
    portalSessions: createPortalSessionStore(db),
    tries: createTryCounter(db),
    stored: createStorageStore(db),
    setupLinks: createSetupLinkStore(db),
    keys: createKeyStore(db),
    managementKeys: createManagementKeyStore(db),
    usage: createUsageStore(db),
    endpoints: createEndpointStore(db),
    endpointDeliveries: createEndpointStatsStore(db),
    autoDisable: createAutoDisableStore(db),
    attemptCounts: createAttemptCountStore(db),
    deliveryCounts: createDeliveryCountStore(db),
    health: createEndpointHealthStore(db),
    outages: createOutageStore(db),
    reachedQuotas: createReachedQuotaStore(db),
    notices: createNoticeStore(db),
    sealed,
    dataKeys,
    rotations: createRotationStore(db),
    eventTypes: createEventTypeStore(db),
    schemaErrors: createSchemaErrorStore(db),
    events: createEventStore(db, payloads),
    eventLists,
    retention: createRetentionStore(db, config.retentionMs),
    retentionMigration: createRetentionMigrationStore(db, config.retentionMs),
    idempotency: createIdempotencyStore(db),
    deliveries: createDeliveryStore(db, leaseMs, config.retentionMs, payloads),
    dispatch: createDispatchStore(db),
    gates: createGateStore(db),
    backlog: createBacklogStore(db),
    capacity: createCapacityStore(db),
    order: createOrderStore(db, leaseMs),
    rates: createRateStore(db),
    deliveryLists: createDeliveryListStore(eventLists),
    attemptLists: createAttemptListStore(db, payloads),
    histories: createHistoryStore(db, payloads),
    waiting: createWaitingStore(db),
    replays,
    erasures: createErasureStore(db, config.retentionMs, payloads),
    erasedData: createErasedDataStore(db),
    rehearsals: createRehearsalStore(db, payloads),
    rehearsedEvents: createRehearsedEventStore(db, payloads),
    listening: createListenStore(db, payloads),
    catalogs: createCatalogStore(db),
    overview: createOverviewStore(db),
    changes: createChangeStore(db),
  };
}

/** Seals and opens payloads with the keys of the settings. A command may have none: then it opens nothing. */
function payloadsOf(
  { encryptionKeys, sealPayloads: seals }: Config,
  stores: { readonly sealed: SealedStore; readonly dataKeys: DataKeyStore },
): PayloadBox {
  const secretBox = encryptionKeys.length === 0 ? undefined : createSecretBox(encryptionKeys);
  const requireOurs = async (): Promise<void> => {
    if (secretBox) await createKeyCheck({ ...stores, secretBox }).requireOurs();
  };
  return createPayloadBox({ ...stores, secretBox, requireOurs, seals });
}
