import Koa from 'koa';
import type { AuditLog } from './accounts/audit-store';
import { allowAnyOrigin, createAllowOrigins } from './http/cross-origin';
import { createEstimatorAccess, type EstimatorAccessDeps } from './estimator/middleware';
import { ESTIMATOR_PATH } from './estimator/schema';
import { isEventBatch } from './events/batch-routes';
import type { UsageLog } from './keys/usage-log';
import { createDashboardRoutes, type DashboardDeps } from './dashboard-api/dashboard-api';
import { createPortalApi, createPortalRoutes, type PortalDeps } from './dashboard-api/portal-api';
import type { PortalLook } from './dashboard-api/portal-look';
import { createStaticFiles, type WebPage } from './dashboard-api/static-files';
import { createAdmit, createEarlyRefusals, type AdmitDeps } from './limits/middleware';
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
import {
  createRequireAllowedHost,
  requireAddress,
  requireHost,
  requireHostOfPages,
  requireSingleHeaders,
} from './http/require-host';
import { createRequestContext } from './http/request-context';
import { createSecurityHeaders, neverStored } from './http/security-headers';
import type { HttpMiddleware, RequestState } from './http/request-state';
import { traceRequest } from './http/trace-request';
import { createDiscardUnreadBody } from './http/unread-body';
import { createApi, createSessionApi, type OperationDeps } from './operations';

export interface AppDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: HealthDeps;
  readonly isAllowedHost: IsAllowedHost;
  /** The URL under which callers reach the API; undefined if not configured. */
  readonly publicUrl: string | undefined;
  readonly authenticate: AuthenticateDeps & Pick<AdmitDeps, 'managementCalls'>;
  /** Counts the calls of keys. */
  readonly usageLog: UsageLog;
  readonly operations: OperationDeps;
  readonly estimatorAccess: EstimatorAccessDeps;
  readonly audit: AuditLog;
  readonly dashboard: DashboardDeps;
  readonly portal: PortalDeps;
  /** What the portal looks like, and whose pages may frame it and call the API. */
  readonly portalLook: PortalLook;
  /** Undefined if it is not built. */
  readonly webPage: WebPage | undefined;
}

/** The HTTP API. It lists what a request passes through, from top to bottom. */
export function createApp(deps: AppDeps): Koa<RequestState> {
  const { router, operations } = createApi(deps.operations, deps.audit);

  const app = new Koa<RequestState>();
  app.use(createRequestContext({ ...deps, clientAddress: deps.authenticate.clientAddress }));
  app.use(createSecurityHeaders(deps.publicUrl));
  app.use(createDiscardUnreadBody());
  app.use(mapErrors);
  app.use(requireAddress);
  const allowOrigins = createAllowOrigins(deps.portalLook.origins);
  for (const prefix of ['/api/v1/webhooks', '/portal/api']) app.use(onlyUnder(prefix, allowOrigins));
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
  app.use(requireHostOfPages);
  app.use(createOpenApiRoute(openApi));
  app.use(createStaticFiles(deps.webPage, () => renderReference(openApi()), deps.portalLook));
  app.use(onlyUnder('/api/v1', createAuthenticate(deps.authenticate, deps.portal.portalAccess)));
  app.use(onlyUnder('/api/v1', traceRequest));
  app.use(
    onlyUnder('/api/v1', createAdmit({ ...deps.authenticate, usage: deps.usageLog, countsItself: isEventBatch })),
  );
  app.use(onlyUnder(ESTIMATOR_PATH, allowAnyOrigin));
  app.use(onlyUnder(ESTIMATOR_PATH, createEstimatorAccess(deps.estimatorAccess)));
  app.use(requireHost);
  app.use(createRequireMethod(operations));
  for (const step of createDashboardRoutes(deps.dashboard, createSessionApi(deps.dashboard, deps.operations))) {
    app.use(onlyUnder('/dashboard/api', step));
  }
  for (const step of createPortalRoutes(deps.portal, createPortalApi(deps.portal))) {
    app.use(onlyUnder('/portal/api', step));
  }
  app.use(router.routes());
  app.use(createNotFound(router));
  // Errors that arrive here happened while the answer was being sent; the client is gone.
  app.on('error', (error: unknown) => deps.logger.debug({ err: error }, 'an answer could not be sent'));
  return app;
}

/** The limiter whose headers a refusal has: the estimator's, or the one of calls without a valid key. */
function strangersOf({ authenticate, estimatorAccess }: AppDeps) {
  return (path: string) => (path.startsWith(ESTIMATOR_PATH) ? estimatorAccess.anonymous : authenticate.authFailures);
}

/** Runs a middleware for a path and everything below it. */
function onlyUnder(prefix: string, middleware: HttpMiddleware): HttpMiddleware {
  return (ctx, next) => (ctx.path === prefix || ctx.path.startsWith(`${prefix}/`) ? middleware(ctx, next) : next());
}
