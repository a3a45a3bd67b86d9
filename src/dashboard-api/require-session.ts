import { eventSettingsOf } from '../accounts/account-store';
import { accountSuspended } from '../domain/account-suspended';
import { SESSION_SCOPES, type Scope } from '../domain/scopes';
import { NotFoundError, UnauthorizedError, TooManyRequestsError } from '../domain/errors';
import { readOnlyView } from '../domain/read-only-view';
import type { HttpContext, HttpMiddleware } from '../http/request-state';
import { hashSessionToken } from '../users/start-session';
import type { LiveSession, SessionStore } from '../users/session-store';
import { createAddressLimiter } from '../limits/address-limiter';
import type { Clock } from '../platform/clock';
import { readSessionCookie } from './cookies';

export interface RequireSessionDeps {
  readonly sessions: SessionStore;
  readonly clientAddress: (ctx: HttpContext) => string;
  /** Throws once the session has used up its calls. */
  readonly limit: (sessionId: string) => void;
}

/** Pages send it with requests that no person caused. */
const UNATTENDED = 'Everpost-Unattended';

/**
 * Finds the session of the cookie, and makes its user the caller: 401 without one or after its end, 403 while its
 * account is suspended.
 */
export function createRequireSession(deps: RequireSessionDeps): HttpMiddleware {
  return async (ctx, next) => {
    const token = readSessionCookie(ctx);
    const live =
      token === undefined ? null : await deps.sessions.use(hashSessionToken(token), ctx.get(UNATTENDED) === '');
    if (!live)
      throw new UnauthorizedError('You are not signed in, or your session has ended. Sign in.', 'session_required');
    if (live.account.suspended_at) throw accountSuspended();
    deps.limit(live.session._id);
    const { user, session, now } = live;
    const viewed = user.operator ? live.viewed : undefined;
    if (viewed) refuseChanges(ctx);
    const account = viewed ?? live.account;
    ctx.state['session'] = { ...live, account, isView: viewed !== undefined } satisfies ShownSession;
    ctx.state.identify({ account_id: account._id, session_id: session._id });
    ctx.state.caller = {
      accountId: account._id,
      actor: { type: 'user', id: user._id, name: user.email },
      address: deps.clientAddress(ctx),
      scopes: viewed ? VIEW_SCOPES : SESSION_SCOPES,
      ...eventSettingsOf(account),
      now,
    };
    await next();
  };
}

/** A session, with its user, and the account that it shows: its own, or one that an operator looks at. */
interface ShownSession extends LiveSession {
  readonly isView: boolean;
}

/** The session of a request that passed `requireSession`. */
export function sessionOf(ctx: HttpContext): ShownSession {
  return ctx.state['session'] as ShownSession;
}

/** What an operator may do in an account that is not theirs: read, but no secret. */
const VIEW_SCOPES: readonly Scope[] = ['events:read', 'endpoints:read', 'usage:read'];
const SAFE_METHODS = new Set(['GET', 'HEAD']);
/** What ends a view, or begins another one. */
const LEAVES_A_VIEW = /^\/dashboard\/api\/(sign-out|view|accounts\/[^/]+\/view)$/;

/** @throws ForbiddenError for a request that would change something of an account that an operator only looks at */
function refuseChanges(ctx: HttpContext): void {
  if (SAFE_METHODS.has(ctx.method) || LEAVES_A_VIEW.test(ctx.path)) return;
  throw readOnlyView();
}

/** @throws NotFoundError unless the user is an operator: others don't learn what an operator can do */
export function requireOperator(ctx: HttpContext): void {
  if (!sessionOf(ctx).user.operator) {
    throw new NotFoundError('There is nothing at this address.', 'not_found');
  }
}

/** Far more than a user with several windows needs; it stops a program that uses a stolen session. */
const CALLS_PER_MINUTE = 600;

/**
 * Counts a session's calls, in this process's memory.
 *
 * @returns a function that throws TooManyRequestsError once a session has used up its minute
 */
export function createSessionLimit(clock: Clock): (sessionId: string) => void {
  const calls = createAddressLimiter({ perMinute: CALLS_PER_MINUTE, quotaLimit: null, clock });
  return (sessionId) => {
    const { limited, retryAfterSeconds: waitSeconds } = calls.count(sessionId);
    if (!limited) return;
    throw new TooManyRequestsError(
      `More than ${CALLS_PER_MINUTE} calls in a minute. Wait ${waitSeconds} s.`,
      'rate_limit_exceeded',
      waitSeconds,
    );
  };
}
