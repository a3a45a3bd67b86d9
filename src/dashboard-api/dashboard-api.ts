import Router from '@koa/router';
import { z } from 'zod';
import type { AuditStore } from '../accounts/audit-store';
import { createNotFound } from '../http/not-found';
import { addOperation, type Api, type Operation } from '../http/operation';
import type { HttpContext, HttpMiddleware, RequestState } from '../http/request-state';
import type { KeyDeps } from '../keys/create-key';
import type { SessionStore } from '../users/session-store';
import { addAccountOperations, type AccountPageDeps } from './account-operations';
import { addAuditOperations } from './audit-operations';
import { addEntryOperations, type EntryDeps } from './sign-in-operations';
import { addKeyOperations } from './key-operations';

import type { LiveStreams } from './live-streams';
import { addOverviewOperations, type OverviewPageDeps } from './overview-operations';
import { createRequireSession } from './require-session';
import { addSuspensionOperations, type SuspensionPageDeps } from './suspension-operations';
import { requireSameOrigin } from './same-origin';
import { addSessionOperations, type SessionDeps } from './session-operations';

/** Everything the dashboard's API is made of. */
export interface DashboardDeps
  extends EntryDeps, SessionDeps, KeyDeps, AccountPageDeps, SuspensionPageDeps, OverviewPageDeps {
  readonly audit: AuditStore;
  readonly sessions: SessionStore;
  readonly clientAddress: (ctx: HttpContext) => string;
  /** Throws once a session had its share of calls. */
  readonly limit: (sessionId: string) => void;
  readonly streams: LiveStreams;
}

/** The dashboard's operations: the ways in, and what needs a session. */
export interface DashboardApi {
  readonly entry: Api;
  readonly session: Api;
}

const PUBLIC_API = '/api/v1/';
const PREFIX = '/dashboard/api';

/**
 * The dashboard's operations.
 *
 * @param addWebhooks adds the operations of the public API, to be served under `/dashboard/api` as well, by the same
 *   handlers
 */
export function createDashboardApi(deps: DashboardDeps, addWebhooks: (api: Api) => void): DashboardApi {
  const newApi = (): Api => ({
    router: new Router<RequestState>({ sensitive: true }),
    operations: [],
    audit: deps.audit,
  });
  const entry = newApi();
  const session = newApi();
  addEntryOperations(entry, deps);
  addSessionOperations(session, deps);
  addKeyOperations(session, deps);
  addOverviewOperations(session, deps);
  addAuditOperations(session, deps);
  addAccountOperations(session, deps);
  addSuspensionOperations(session, deps);
  addLiveOperation(session, deps.streams);
  addWebhooks({ ...session, mount: mountOf });
  return { entry, session };
}

/** `/api/v1/webhooks/…` is served as `/dashboard/api/webhooks/…`; what counts as a call of a key is not. */
function mountOf({ path, keyOnly }: Operation): string | undefined {
  return keyOnly ? undefined : `${PREFIX}/${path.slice(PUBLIC_API.length)}`;
}

/** A request's way through the dashboard's API, to be run for paths under `/dashboard/api`. */
export function createDashboardRoutes(deps: DashboardDeps, { entry, session }: DashboardApi): HttpMiddleware[] {
  return [
    neverStored,
    requireSameOrigin,
    entry.router.routes() as HttpMiddleware,
    createRequireSession(deps),
    session.router.routes() as HttpMiddleware,
    createNotFound(session.router),
  ];
}

/** Answers hold what belongs to one person: no cache keeps them, no other site embeds them. */
const neverStored: HttpMiddleware = (ctx, next) => {
  ctx.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
  });
  return next();
};

function addLiveOperation(api: Api, streams: LiveStreams): void {
  addOperation(
    api,
    {
      id: 'followChanges',
      method: 'get',
      path: `${PREFIX}/live`,
      tag: 'Live',
      summary: 'Follow changes',
      description:
        'Server-sent events. `ready`: look at everything again; from here on changes are told. `change`: ids of the ' +
        "account's events, endpoints, replays and keys that changed. `end`: the session is over.",
      answers: { 200: { description: 'A stream of server-sent events.', schema: z.unknown() } },
    },
    (ctx) => streams.open(ctx),
  );
}
