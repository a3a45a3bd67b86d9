/**
 * The server's answers, from its own schemas. This is the one file of the page that imports the server's code outside of
 * `domain/`, and it imports only types: the build contains nothing of it.
 */
import type { z } from 'zod';
import type {
  backlogView,
  endpointHealthView,
  endpointWaitingView,
  failureStartView,
  installationView,
  overviewView,
} from '../../../src/dashboard-api/overview-schema';
import type { accountDetailView, accountListView, accountNameView } from '../../../src/dashboard-api/account-schema';
import type {
  auditListView,
  eventTypesView,
  keyListView,
  managementKeyListView,
  meView,
  replayOutcomesView,
  replayPreviewView,
  searchView,
  sessionListView,
  statusView,
  userView,
} from '../../../src/dashboard-api/schema';
import type { attemptListView, cancelledView, waitingView } from '../../../src/deliveries/endpoint-schema';
import type { deliveryAttemptListView } from '../../../src/deliveries/history-schema';
import type { deliveryListView, deliveryView, deliveryWithAttemptsView } from '../../../src/deliveries/schema';
import type {
  accountHealthView,
  endpointHistoryView,
  endpointListView,
  endpointWithHealthView,
  healthView,
} from '../../../src/endpoints/health-schema';
import type { createdEndpointView, revealedView, secretView } from '../../../src/endpoints/schema';
import type { eventTypeListView, eventTypeView } from '../../../src/event-types/schema';
import type { explanationView } from '../../../src/events/explanation-schema';
import type { eventListView, eventView } from '../../../src/events/schema';
import type { usageView } from '../../../src/keys/usage-schema';
import type { deliveryReportView } from '../../../src/reports/schema';
import type { rehearsalView } from '../../../src/rehearsals/schema';
import type { erasureListView, erasureView } from '../../../src/erasures/schema';
import type { replayListView, replayView } from '../../../src/replays/schema';

export type Status = z.output<typeof statusView>;
export type User = z.output<typeof userView>;
export type Me = z.output<typeof meView>;
export type SearchAnswer = z.output<typeof searchView>;
export type SessionList = z.output<typeof sessionListView>;
/** The keys of an account, or those of the installation. */
export type KeyList = z.output<typeof keyListView> | z.output<typeof managementKeyListView>;
export type Key = KeyList['keys'][number];
export type CreatedKey = Key & { readonly key: string };
export type AuditList = z.output<typeof auditListView>;
export type AccountList = z.output<typeof accountListView>;
export type AccountDetail = z.output<typeof accountDetailView>;
export type AccountName = z.output<typeof accountNameView>;
export type Backlog = z.output<typeof backlogView>;
export type Overview = z.output<typeof overviewView>;
export type Installation = z.output<typeof installationView>;
export type ReplayOutcomes = z.output<typeof replayOutcomesView>;
export type ReplayPreview = z.output<typeof replayPreviewView>;
export type EndpointHealthList = z.output<typeof endpointHealthView>;
export type EndpointWaiting = z.output<typeof endpointWaitingView>;
export type FailureStart = z.output<typeof failureStartView>;
export type Usage = z.output<typeof usageView>;
export type DeliveryReport = z.output<typeof deliveryReportView>;
/** The event types of the catalog; `EventTypes` are those that were seen. */
export type EventTypeList = z.output<typeof eventTypeListView>;
export type ListedType = EventTypeList['event_types'][number];
export type DescribedType = z.output<typeof eventTypeView>;
export type EventTypes = z.output<typeof eventTypesView>;

export type Endpoint = z.output<typeof endpointWithHealthView>;
export type EndpointHealth = z.output<typeof healthView>;
export type AccountHealth = z.output<typeof accountHealthView>;
export type EndpointHistory = z.output<typeof endpointHistoryView>;
export type EndpointList = z.output<typeof endpointListView>;
export type CreatedEndpoint = z.output<typeof createdEndpointView>;
/** Only what reveals the secret has the headers too. */
export type EndpointSecret = z.output<typeof secretView> & Partial<z.output<typeof revealedView>>;

export type AttemptList = z.output<typeof attemptListView>;
export type AttemptOfEndpoint = AttemptList['attempts'][number];
export type WaitingDeliveries = z.output<typeof waitingView>;
export type CancelledDeliveries = z.output<typeof cancelledView>;

export type Delivery = z.output<typeof deliveryView>;
export type DeliveryList = z.output<typeof deliveryListView>;
export type DeliveryWithAttempts = z.output<typeof deliveryWithAttemptsView>;
export type AttemptWithRequest = DeliveryWithAttempts['attempts'][number];
export type DeliveryAttemptList = z.output<typeof deliveryAttemptListView>;
export type EventList = z.output<typeof eventListView>;
export type DeliveryExplanation = z.output<typeof explanationView>;
export type EventWithDeliveries = Omit<z.output<typeof eventView>, 'data'>;

export type Rehearsal = z.output<typeof rehearsalView>;
export type RehearsalResult = NonNullable<Rehearsal['result']>;

export type Replay = z.output<typeof replayView>;
export type ReplayList = z.output<typeof replayListView>;

export type Erasure = z.output<typeof erasureView>;
export type ErasureList = z.output<typeof erasureListView>;
