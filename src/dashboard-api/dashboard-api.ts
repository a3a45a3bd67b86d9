import Router from '@koa/router';
import type { AuditStore } from '../accounts/audit-store';
import { createNotFound } from '../http/not-found';
import { addRoute } from '../http/operation';
import type { Api, Operation, RouteApi } from '../http/route';
import type { HttpContext, HttpMiddleware, RequestContext, RequestState } from '../http/request-state';
import type { KeyDeps } from '../keys/manage-keys';
import type { ManagementKeyDeps } from '../keys/manage-management-keys';
import type { EndpointStore } from '../stores/endpoint-store';
import type { SessionStore } from '../users/session-store';
import { ForbiddenError } from '../domain/errors';
import { addAccountRoutes, type AccountRouteDeps } from './account-routes';
import { addAuditRoutes } from './audit-routes';
import { addSignInRoutes, type SignInRouteDeps } from './sign-in-routes';
import { createCountBacklog } from './count-backlog';
import { addInstallationRoutes, type InstallationRouteDeps } from './installation-routes';
import { addKeyRoutes } from './key-routes';
import { addManagementKeyRoutes } from './management-key-routes';
import type { LiveStreams } from './live-streams';
import type { OverviewDeps } from './overview';
import { addOverviewRoutes } from './overview-routes';
import { addReplayRoutes, type ReplayRouteDeps } from './replay-routes';
import { createRequireSession, sessionOf } from './require-session';
import { addSearchRoutes, type SearchRouteDeps } from './search-routes';
import { addSessionRoutes, type SessionDeps } from './session-routes';

/** The dependencies of the dashboard's API. */
export type DashboardDeps = SignInRouteDeps &
  SessionDeps &
  KeyDeps &
  ManagementKeyDeps &
  AccountRouteDeps &
  OverviewDeps &
  InstallationRouteDeps &
  ReplayRouteDeps &
  SearchRouteDeps & {
    readonly audit: AuditStore;
    readonly sessions: SessionStore;
    readonly endpoints: Pick<EndpointStore, 'findIds'>;
    readonly clientAddress: (ctx: HttpContext) => string;
    /** Throws once a session has used up its calls. */
    readonly limit: (sessionId: string) => void;
    readonly streams: LiveStreams;
  };

/** The dashboard's operations: those that start a session, and those that need one. */
export interface DashboardApi {
  readonly entry: RouteApi;
  readonly session: RouteApi;
}

const PUBLIC_API = '/api/v1/';
const PREFIX = '/dashboard/api';

/**
 * The dashboard's operations.
 *
 * @param addWebhooks adds the operations of the public API, which are also served under `/dashboard/api`, by the same
 *   handlers
 */
export function createDashboardApi(deps: DashboardDeps, addWebhooks: (api: Api) => void): DashboardApi {
  const newApi = (): RouteApi => ({
    router: new Router<RequestState, RequestContext>({ sensitive: true }),
    operations: [],
    audit: deps.audit,
    findEndpointIds: (...which) => deps.endpoints.findIds(...which),
  });
  const entry = newApi();
  const session = newApi();
  addSignInRoutes(entry, deps);
  addSessionRoutes(session, deps);
  addKeyRoutes(session, deps);
  addManagementKeyRoutes(session, deps);
  const countBacklog = createCountBacklog(deps.overview);
  addOverviewRoutes(session, deps, countBacklog);
  addInstallationRoutes(session, deps, countBacklog);
  addReplayRoutes(session, deps);
  addSearchRoutes(session, deps);
  addAuditRoutes(session, deps);
  addAccountRoutes(session, deps);
  addLiveOperation(session, deps.streams, (ctx) => {
    const { session: own, account } = sessionOf(ctx);
    return { sessionId: own._id, accountId: account._id };
  });
  addWebhooks({ ...session, mount: mountOf });
  return { entry, session };
}

/**
 * `/api/v1/webhooks/…` is served as `/dashboard/api/webhooks/…`, except operations that count against a key's limits.
 */
function mountOf({ path, keyOnly }: Operation): string | undefined {
  return keyOnly ? undefined : `${PREFIX}/${path.slice(PUBLIC_API.length)}`;
}

/** The middleware for requests under `/dashboard/api`. */
export function createDashboardRoutes(deps: DashboardDeps, { entry, session }: DashboardApi): HttpMiddleware[] {
  return [
    keptPrivate,
    requireSameOrigin,
    entry.router.routes() as HttpMiddleware,
    createRequireSession(deps),
    session.router.routes() as HttpMiddleware,
    createNotFound(session.router),
  ];
}

/** Answers contain one user's data: no cache may store them, and no other site may embed them. */
export const keptPrivate: HttpMiddleware = (ctx, next) => {
  ctx.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  });
  return next();
};

/** Adds the stream of changes. @param whose the session of a request */
export function addLiveOperation(
  api: RouteApi,
  streams: LiveStreams,
  whose: (ctx: HttpContext) => Parameters<LiveStreams['open']>[1],
): void {
  // Server-sent events. `ready`: reload everything; from here on changes are sent. `change`: ids of the account's
  // events, endpoints, replays and keys that changed. `end`: the session is over.
  addRoute(api, { id: 'followChanges', method: 'get', path: `${PREFIX}/live` }, ({ ctx }) =>
    streams.open(ctx, whose(ctx)),
  );
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses every unsafe request without proof that it comes from a page of this origin (cross-site request forgery).
 * Browsers send that proof in `Sec-Fetch-Site`, and over plain HTTP, where that is missing, in `Origin`.
 */
const requireSameOrigin: HttpMiddleware = (ctx, next) => {
  if (SAFE_METHODS.has(ctx.method)) return next();
  const site = ctx.get('Sec-Fetch-Site');
  const isOurs = site === '' ? hostOf(ctx.get('Origin')) === ctx.get('Host').toLowerCase() : site === 'same-origin';
  if (!isOurs) {
    throw new ForbiddenError('This request comes from another site. Use the dashboard itself.', 'cross_site_request');
  }
  return next();
};

/** Host and port of an origin, as in a Host header; undefined for none and for `null`. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host || undefined : undefined;
}
