import Router from '@koa/router';
import type { AuditLog } from './accounts/audit-store';
import { createDashboardApi, type DashboardApi, type DashboardDeps } from './dashboard-api/dashboard-api';
import { createPortalApi, type PortalDeps } from './dashboard-api/portal-api';
import { addEndpointDeliveryRoutes } from './deliveries/endpoint-routes';
import { addDeliveryAttemptRoutes } from './deliveries/history-routes';
import { addDeliveryRoutes } from './deliveries/routes';
import { addHealthRoutes } from './endpoints/health-routes';
import { addPutEndpointRoute } from './endpoints/put-routes';
import { addEndpointRoutes } from './endpoints/routes';
import { addSecretRoutes } from './endpoints/secret-routes';
import { addEndpointStateRoutes, addVerifyRoute } from './endpoints/state-routes';
import { addErasureRoutes } from './erasures/routes';
import { addEstimatorRoutes } from './estimator/routes';
import { addEventTypeRoutes } from './event-types/routes';
import { addWebhookEventTypeRoutes } from './event-types/webhook-routes';
import { addEventBatchRoute } from './events/batch-routes';
import { addEventEndpointRoutes } from './events/event-endpoint-routes';
import { addEventDeliveryRoutes } from './events/replay-routes';
import { addEventRoutes } from './events/routes';
import { addTestEventRoute } from './events/test-event-routes';
import type { FindEndpointIds } from './http/name-endpoints';
import type { RequestContext, RequestState } from './http/request-state';
import type { Api, Operation } from './http/route';
import { addAccountRoutes } from './account-lifecycle/routes';
import { addKeyRoutes } from './keys/routes';
import { addUsageRoutes } from './keys/usage-routes';
import { addListenRoutes } from './listen/routes';
import { addPortalRoutes } from './portal/routes';
import { addRehearsalRoutes } from './rehearsals/routes';
import { addReplayChangeRoutes } from './replays/change-routes';
import { addReplayRoutes } from './replays/routes';
import { addReportRoutes } from './reports/routes';

/** Operations for keys and for the sessions of the dashboard. A new resource adds its routes here. */
const FOR_KEYS_AND_SESSIONS = [
  addUsageRoutes,
  addReportRoutes,
  addEndpointRoutes,
  addPutEndpointRoute,
  addEndpointStateRoutes,
  addHealthRoutes,
  addTestEventRoute,
  addVerifyRoute,
  addSecretRoutes,
  addEventRoutes,
  addEventBatchRoute,
  addDeliveryRoutes,
  addDeliveryAttemptRoutes,
  addEndpointDeliveryRoutes,
  addEventDeliveryRoutes,
  addEventEndpointRoutes,
  addWebhookEventTypeRoutes,
  addReplayRoutes,
  addReplayChangeRoutes,
  addRehearsalRoutes,
  addErasureRoutes,
  addListenRoutes,
];

/** All operations of the public API, in the order of the OpenAPI document. */
const PUBLIC = [
  addKeyRoutes,
  addAccountRoutes,
  addPortalRoutes,
  addEventTypeRoutes,
  ...FOR_KEYS_AND_SESSIONS,
  addEstimatorRoutes,
];

/** What a group of routes needs. As the parameter of a function, a union of them becomes their intersection. */
type DepsOf<Group> = Group extends (api: Api, deps: infer Deps) => void ? (deps: Deps) => void : never;

/** Everything that the operations need. */
export type OperationDeps = DepsOf<(typeof PUBLIC)[number]> extends (deps: infer All) => void ? All : never;

/** The operations: the router serves exactly those that the OpenAPI document describes. */
export function createApi(
  deps: OperationDeps,
  audit: AuditLog,
): { router: Router<RequestState, RequestContext>; operations: Operation[] } {
  const router = new Router<RequestState, RequestContext>({ sensitive: true });
  const operations: Operation[] = [];
  const findEndpointIds: FindEndpointIds = (...which) => deps.endpoints.findIds(...which);
  for (const addRoutes of PUBLIC) addRoutes({ router, operations, audit, findEndpointIds }, deps);
  return { router, operations };
}

/** The operations of the dashboard, including those of the API that sessions can call. */
export function createSessionApi(dashboard: DashboardDeps, deps: OperationDeps): DashboardApi {
  return createDashboardApi(dashboard, (api) => {
    for (const addRoutes of FOR_KEYS_AND_SESSIONS) addRoutes(api, deps);
  });
}

/** The operations as they are served, for programs that only describe them: their handlers cannot run. */
export function describeOperations(): {
  readonly api: ReturnType<typeof createApi>;
  readonly dashboard: DashboardApi;
  readonly portal: DashboardApi;
} {
  const none = {} as OperationDeps & DashboardDeps & PortalDeps & AuditLog;
  return { api: createApi(none, none), dashboard: createSessionApi(none, none), portal: createPortalApi(none) };
}
