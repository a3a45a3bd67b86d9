import { accountSuspended } from '../domain/account-suspended';
import { NotFoundError, UnauthorizedError } from '../domain/errors';
import type { HttpContext, HttpMiddleware } from '../http/request-state';
import { hashSessionToken } from '../users/start-session';
import type { LiveSession, SessionStore } from '../users/session-store';
import { readSessionCookie } from './cookies';

export interface RequireSessionDeps {
  readonly sessions: SessionStore;
  readonly clientAddress: (ctx: HttpContext) => string;
  /** Throws once the session had its share of calls. */
  readonly limit: (sessionId: string) => void;
}

/** A page sends it with what it asks by itself while nobody touches it. */
const UNATTENDED = 'Everpost-Unattended';

const LIVE = 'session';

/** Finds the session of the cookie: 401 when there is none, or it is over; 403 while its account is suspended. The user behind it is the caller. */
export function createRequireSession(deps: RequireSessionDeps): HttpMiddleware {
  return async (ctx, next) => {
    const token = readSessionCookie(ctx);
    const live =
      token === undefined ? null : await deps.sessions.use(hashSessionToken(token), ctx.get(UNATTENDED) === '');
    if (!live) throw new UnauthorizedError('You are not signed in, or not any more. Sign in.', 'session_required');
    if (live.account.suspended_at) throw accountSuspended();
    deps.limit(live.session._id);
    const { user, account, session, now } = live;
    ctx.state[LIVE] = live;
    ctx.state.identify({ account_id: account._id, session_id: session._id });
    ctx.state.caller = {
      accountId: account._id,
      actor: { type: 'user', id: user._id, name: user.email },
      address: deps.clientAddress(ctx),
      endpointsVersion: account.endpoints_version,
      now,
    };
    await next();
  };
}

/** The session of a request that got past `requireSession`, with its user and account. */
export function sessionOf(ctx: HttpContext): LiveSession {
  return ctx.state[LIVE] as LiveSession;
}

/** @throws NotFoundError unless the user runs the installation: others don't learn what an operator can do */
export function requireOperator(ctx: HttpContext): void {
  if (!sessionOf(ctx).user.operator) {
    throw new NotFoundError('There is nothing at this address.', 'not_found');
  }
}
