import Router from '@koa/router';
import type { AuditLog } from '../accounts/audit-store';
import { UnauthorizedError } from '../domain/errors';
import { PORTAL_ROLES } from '../domain/portal-roles';
import { portalSessionEnded } from '../domain/portal-refusals';
import { createNotFound } from '../http/not-found';
import { addRoute } from '../http/operation';
import type { HttpContext, HttpMiddleware, RequestContext, RequestState } from '../http/request-state';
import type { Route, RouteApi } from '../http/route';
import { refuseKey, type AuthenticateDeps } from '../keys/authenticate-middleware';
import { portalSessionOf, type PortalAccess } from '../portal/portal-middleware';
import type { PortalSessionStore } from '../portal/portal-session-store';
import { codeBody, portalMeView } from '../portal/schema';
import type { EndpointStore } from '../stores/endpoint-store';
import { swapCode } from '../portal/swap-code';
import { createCountBacklog } from './count-backlog';
import { addLiveOperation, keptPrivate, type DashboardApi } from './dashboard-api';
import type { LiveStreams } from './live-streams';
import type { OverviewDeps } from './overview';
import { addOverviewRoutes } from './overview-routes';
import { addReplayRoutes, type ReplayRouteDeps } from './replay-routes';
import { addSearchRoutes, type SearchRouteDeps } from './search-routes';
import type { RetrySchedule } from '../domain/retry-schedule';

/** The dependencies of the portal's own API. */
export type PortalDeps = OverviewDeps &
  ReplayRouteDeps &
  SearchRouteDeps &
  Pick<AuthenticateDeps, 'authFailures' | 'clientAddress'> & {
    readonly endpoints: Pick<EndpointStore, 'findIds'>;
    readonly audit: AuditLog;
    readonly portalSessions: PortalSessionStore;
    readonly portalStreams: LiveStreams;
    readonly portalAccess: PortalAccess;
    /** Of deliveries to endpoints without their own. */
    readonly schedule: RetrySchedule;
  };

const DASHBOARD = '/dashboard/api';
const PREFIX = '/portal/api';

/** What the portal's pages need of the dashboard's own routes. They only read, which every role may. */
const FROM_DASHBOARD = new Set([
  'listEndpointHealth',
  'listEndpointWaiting',
  'getFailureStart',
  'listSeenTypes',
  'getReplayOutcomes',
  'previewReplay',
  'search',
  'followChanges',
]);

/**
 * The routes that the portal's pages need beside `/api/v1/webhooks/…`: the swap of the code, who the session is, and some of
 * the dashboard's, by the same handlers.
 */
export function createPortalApi(deps: PortalDeps): DashboardApi {
  const newApi = (mount?: RouteApi['mount']): RouteApi => ({
    router: new Router<RequestState, RequestContext>({ sensitive: true }),
    operations: [],
    audit: deps.audit,
    findEndpointIds: (...which) => deps.endpoints.findIds(...which),
    mount,
  });
  const entry = newApi();
  const session = newApi();
  const shared: RouteApi = { ...session, mount: mountOf };
  addEntryRoutes(entry, deps);
  addMe(session, deps);
  addOverviewRoutes(shared, deps, createCountBacklog(deps.overview));
  addReplayRoutes(shared, deps);
  addSearchRoutes(shared, deps);
  addLiveOperation(shared, deps.portalStreams, (ctx) => {
    const { session: own, account } = portalSessionOf(ctx);
    return { sessionId: own._id, accountId: account._id };
  });
  return { entry, session };
}

function mountOf({ id, path }: Route): string | undefined {
  return FROM_DASHBOARD.has(id) ? `${PREFIX}${path.slice(DASHBOARD.length)}` : undefined;
}

/** The middleware for requests under `/portal/api`. A page proves its session by a header, so no other site can. */
export function createPortalRoutes(deps: PortalDeps, { entry, session }: DashboardApi): HttpMiddleware[] {
  return [
    keptPrivate,
    entry.router.routes() as HttpMiddleware,
    async (ctx, next) => {
      const token = /^Bearer +(\S+)$/i.exec(ctx.get('Authorization'))?.[1];
      await countingFailures(deps, ctx, async () => {
        if (token === undefined) throw portalSessionEnded();
        await deps.portalAccess(ctx, token);
      });
      await next();
    },
    session.router.routes() as HttpMiddleware,
    createNotFound(session.router),
  ];
}

function addEntryRoutes(api: RouteApi, deps: PortalDeps): void {
  // Whether the server answers at all.
  addRoute(api, { id: 'getPortalStatus', method: 'get', path: `${PREFIX}/status` }, () => ({}));

  addRoute(
    api,
    { id: 'swapPortalCode', method: 'post', path: `${PREFIX}/session`, body: codeBody },
    async ({ body, ctx }) =>
      countingFailures(deps, ctx, async () => {
        const { token, endsAt, page } = await swapCode(deps, body.code);
        return { token, expires_at: endsAt.toISOString(), page };
      }),
  );
}

function addMe(api: RouteApi, deps: PortalDeps): void {
  addRoute(api, { id: 'getPortalMe', method: 'get', path: `${PREFIX}/me`, answer: portalMeView }, ({ ctx }) => {
    const { session, account } = portalSessionOf(ctx);
    return {
      role: session.role,
      subject: session.subject,
      scopes: PORTAL_ROLES[session.role],
      account: { id: account._id, name: account.name ?? null, search_fields: account.search_fields ?? [] },
      retry_schedule: deps.schedule.map((delayMs) => delayMs / 1_000),
      expires_at: session.ends_at.toISOString(),
    };
  });
}

async function countingFailures<T>(deps: PortalDeps, ctx: HttpContext, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw error instanceof UnauthorizedError ? refuseKey(deps, ctx, error) : error;
  }
}
