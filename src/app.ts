import Router from '@koa/router';
import Koa from 'koa';
import type { AuditLog } from './accounts/audit-store';
import { addHealthRoutes } from './endpoints/health-routes';
import { addEndpointRoutes, type EndpointRouteDeps } from './endpoints/routes';
import { addSecretRoutes } from './endpoints/secret-routes';
import { addEndpointStateRoutes, type EndpointStateRouteDeps, addVerifyRoute } from './endpoints/state-routes';
import { allowAnyOrigin } from './http/cross-origin';
import { createEstimatorAccess, type EstimatorAccessDeps } from './estimator/middleware';
import { addEstimatorRoutes, type EstimatorRouteDeps } from './estimator/routes';
import { ESTIMATOR_PATH } from './estimator/schema';
import { addEventDeliveryRoutes } from './events/replay-routes';
import { addEndpointDeliveryRoutes, type EndpointDeliveryRouteDeps } from './deliveries/endpoint-routes';
import { addDeliveryAttemptRoutes } from './deliveries/history-routes';
import { addDeliveryRoutes, type DeliveryRouteDeps } from './deliveries/routes';
import { addEventBatchRoute, isEventBatch } from './events/batch-routes';
import { addEventRoutes, type EventRouteDeps } from './events/routes';
import { addTestEventRoute, type TestEventRouteDeps } from './events/test-event-routes';
import { addKeyRoutes } from './keys/routes';
import type { UsageLog } from './keys/usage-log';
import type { UsageReportDeps } from './keys/usage-report';
import { addUsageRoutes } from './keys/usage-routes';
import {
  createDashboardApi,
  createDashboardRoutes,
  type DashboardApi,
  type DashboardDeps,
} from './dashboard-api/dashboard-api';
import { createStaticFiles, type WebPage } from './dashboard-api/static-files';
import { addListenRoutes, type ListenRouteDeps } from './listen/routes';
import type { ReplayDeps } from './replays/replay-jobs';
import { addReplayRoutes } from './replays/routes';
import { createAdmit, createEarlyRefusals } from './limits/middleware';
import type { IsAllowedHost } from './platform/allowed-hosts';
import type { Logger } from './platform/logger';
import type { Metrics } from './platform/metrics';
import { createAuthenticate, type AuthenticateDeps } from './keys/authenticate-middleware';
import { mapErrors } from './http/error-mapper';
import { createHealth, type HealthDeps } from './http/health';
import { createNotFound, createRequireMethod } from './http/not-found';
import { createOpenApiRoute } from './openapi/middleware';
import { buildOpenApi } from './openapi/openapi';
import { renderReference } from './openapi/reference';
import type { Api, Operation } from './http/route';
import { createRequireAllowedHost, requireAddress, requireHost, requireSingleHeaders } from './http/require-host';
import { createRequestContext } from './http/request-context';
import { createSecurityHeaders, neverStored } from './http/security-headers';
import type { HttpMiddleware, RequestContext, RequestState } from './http/request-state';
import { traceRequest } from './http/trace-request';
import { createDiscardUnreadBody } from './http/unread-body';

export interface AppDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: HealthDeps;
  readonly isAllowedHost: IsAllowedHost;
  /** The URL under which callers reach the API; undefined if not configured. */
  readonly publicUrl: string | undefined;
  readonly authenticate: AuthenticateDeps;
  /** Counts the calls of keys. */
  readonly usageLog: UsageLog;
  readonly usage: UsageReportDeps;
  readonly endpoints: EndpointRouteDeps & EndpointStateRouteDeps & TestEventRouteDeps;
  readonly events: EventRouteDeps;
  readonly deliveries: DeliveryRouteDeps & EndpointDeliveryRouteDeps;
  readonly replays: ReplayDeps;
  readonly listen: ListenRouteDeps;
  readonly estimator: EstimatorRouteDeps & { readonly access: EstimatorAccessDeps };
  readonly audit: AuditLog;
  readonly dashboard: DashboardDeps;
  /** Undefined if it is not built. */
  readonly webPage: WebPage | undefined;
}

/** The HTTP API. It lists what a request passes through, from top to bottom. */
export function createApp(deps: AppDeps): Koa<RequestState> {
  const { router, operations } = createApi(deps);

  const app = new Koa<RequestState>();
  app.use(createRequestContext({ ...deps, clientAddress: deps.authenticate.clientAddress }));
  app.use(createSecurityHeaders(deps.publicUrl));
  app.use(createDiscardUnreadBody());
  app.use(mapErrors);
  app.use(requireAddress);
  app.use(onlyUnder('/api/v1', neverStored));
  app.use(
    onlyUnder(
      '/api',
      createEarlyRefusals({ clientAddress: deps.authenticate.clientAddress, limiterOf: strangersOf(deps) }),
    ),
  );
  app.use(requireSingleHeaders);
  app.use(createHealth(deps.health));
  // After the health checks: load balancers call an address's health check under any host name.
  app.use(createRequireAllowedHost(deps.isAllowedHost));
  const openApi = (): object => buildOpenApi(operations, deps.publicUrl);
  app.use(createOpenApiRoute(openApi));
  app.use(createStaticFiles(deps.webPage, () => renderReference(openApi())));
  app.use(onlyUnder('/api/v1', createAuthenticate(deps.authenticate)));
  app.use(onlyUnder('/api/v1', traceRequest));
  app.use(
    onlyUnder('/api/v1', createAdmit({ ...deps.authenticate, usage: deps.usageLog, countsItself: isEventBatch })),
  );
  app.use(onlyUnder(ESTIMATOR_PATH, allowAnyOrigin));
  app.use(onlyUnder(ESTIMATOR_PATH, createEstimatorAccess(deps.estimator.access)));
  app.use(requireHost);
  app.use(createRequireMethod(operations));
  for (const step of createDashboardRoutes(deps.dashboard, createSessionApi(deps))) {
    app.use(onlyUnder('/dashboard/api', step));
  }
  app.use(router.routes());
  app.use(createNotFound(router));
  // Errors that arrive here happened while the answer was being sent; the client is gone.
  app.on('error', (error: unknown) => deps.logger.debug({ err: error }, 'an answer could not be sent'));
  return app;
}

/** What the operations need. */
type OperationDeps = Pick<
  AppDeps,
  'usage' | 'endpoints' | 'events' | 'deliveries' | 'replays' | 'listen' | 'estimator' | 'audit'
>;

/** The operations: the router serves exactly those that the OpenAPI document describes. */
export function createApi(deps: OperationDeps): {
  router: Router<RequestState, RequestContext>;
  operations: Operation[];
} {
  const router = new Router<RequestState, RequestContext>({ sensitive: true });
  const operations: Operation[] = [];
  const api: Api = { router, operations, audit: deps.audit };
  addKeyRoutes(api, deps.endpoints);
  addUsageRoutes(api, deps.usage);
  addWebhookRoutes(api, deps);
  addEstimatorRoutes(api, deps.estimator);
  return { router, operations };
}

/** The operations of the dashboard, including those of the API that sessions can call. */
export function createSessionApi(deps: OperationDeps & Pick<AppDeps, 'dashboard'>): DashboardApi {
  return createDashboardApi(deps.dashboard, (api) => {
    addUsageRoutes(api, deps.usage);
    addWebhookRoutes(api, deps);
  });
}

/** The operations under `/api/v1/webhooks`; the dashboard also serves them to its sessions. */
function addWebhookRoutes(api: Api, deps: OperationDeps): void {
  addEndpointRoutes(api, deps.endpoints);
  addEndpointStateRoutes(api, deps.endpoints);
  addHealthRoutes(api, deps.endpoints);
  addTestEventRoute(api, deps.endpoints);
  addVerifyRoute(api, deps.endpoints);
  addSecretRoutes(api, deps.endpoints);
  addEventRoutes(api, deps.events);
  addEventBatchRoute(api, deps.events);
  addDeliveryRoutes(api, deps.deliveries);
  addDeliveryAttemptRoutes(api, deps.deliveries);
  addEndpointDeliveryRoutes(api, deps.deliveries);
  addEventDeliveryRoutes(api, deps.deliveries);
  addReplayRoutes(api, deps.replays);
  addListenRoutes(api, deps.listen);
}

/** The limiter whose headers a refusal has: the estimator's, or the one of calls without a valid key. */
function strangersOf({ authenticate, estimator }: AppDeps) {
  return (path: string) => (path.startsWith(ESTIMATOR_PATH) ? estimator.access.anonymous : authenticate.authFailures);
}

/** Runs a middleware for a path and everything below it. */
function onlyUnder(prefix: string, middleware: HttpMiddleware): HttpMiddleware {
  return (ctx, next) => (ctx.path === prefix || ctx.path.startsWith(`${prefix}/`) ? middleware(ctx, next) : next());
}
