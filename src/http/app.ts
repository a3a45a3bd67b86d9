import Router from '@koa/router';
import Koa from 'koa';
import { addEndpointRoutes } from '../endpoints/routes';
import type { EndpointDeps } from '../endpoints/create-endpoint';
import { addEventRoutes, type EventRouteDeps } from '../events/routes';
import { addKeyRoutes } from '../keys/routes';
import { createAdmit } from '../limits/middleware';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import { createAuthenticate, type AuthenticateDeps } from './authenticate';
import { mapErrors } from './error-mapper';
import { createDocsPage } from './docs-page';
import { createHealth, type HealthDeps } from './health';
import { createNotFound } from './not-found';
import { buildOpenApi } from './openapi';
import type { Api } from './operation';
import { requireAddress, requireHost } from './proper-request';
import { createRequestContext } from './request-context';
import type { HttpMiddleware, RequestState } from './request-state';

export interface AppDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly health: HealthDeps;
  readonly authenticate: AuthenticateDeps;
  readonly endpoints: EndpointDeps;
  readonly events: EventRouteDeps;
}

/** The HTTP API. A request's way, top to bottom. */
export function createApp(deps: AppDeps): Koa<RequestState> {
  const { router, operations } = createApi(deps);

  const app = new Koa<RequestState>();
  app.use(createRequestContext(deps));
  app.use(mapErrors);
  app.use(requireAddress);
  app.use(createHealth(deps.health));
  app.use(createDocsPage(buildOpenApi(operations)));
  app.use(onlyUnder('/api/v1', createAuthenticate(deps.authenticate)));
  app.use(onlyUnder('/api/v1', createAdmit(deps.authenticate.limiter)));
  app.use(requireHost);
  app.use(router.routes());
  app.use(createNotFound(router));
  // What gets here failed while the answer was being sent; the client is gone.
  app.on('error', (error: unknown) => deps.logger.debug({ err: error }, 'an answer could not be sent'));
  return app;
}

/** The operations: what the router serves and what the OpenAPI document says are the same. */
export function createApi(deps: Pick<AppDeps, 'endpoints' | 'events'>): Api {
  const api: Api = { router: new Router<RequestState>({ sensitive: true }), operations: [] };
  addKeyRoutes(api, deps.endpoints);
  addEndpointRoutes(api, deps.endpoints);
  addEventRoutes(api, deps.events);
  return api;
}

/** Runs a middleware for a path and all below it. */
function onlyUnder(prefix: string, middleware: HttpMiddleware): HttpMiddleware {
  return (ctx, next) => (ctx.path === prefix || ctx.path.startsWith(`${prefix}/`) ? middleware(ctx, next) : next());
}
