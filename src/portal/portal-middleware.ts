import { eventSettingsOf } from '../accounts/account-store';
import { PORTAL_ROLES } from '../domain/portal-roles';
import { portalSessionEnded, portalSuspended } from '../domain/portal-refusals';
import { isPortalToken } from '../domain/portal-token';
import type { HttpContext } from '../http/request-state';
import { createAddressLimiter, type AddressLimiter } from '../limits/address-limiter';
import { setLimitHeaders } from '../limits/middleware';
import { burstExceeded } from '../limits/refusals';
import type { Clock } from '../platform/clock';
import { hashSecret } from './portal-secrets';
import type { LivePortalSession, PortalSessionStore } from './portal-session-store';

export interface PortalAccessDeps {
  readonly portalSessions: Pick<PortalSessionStore, 'use'>;
  /** Counts the calls of sessions, in this process only. */
  readonly portalCalls: AddressLimiter;
  readonly clientAddress: (ctx: HttpContext) => string;
}

/** More than a person with several windows needs; it stops a program that uses a session. */
const CALLS_PER_MINUTE = 600;

/** Counts the calls of portal sessions: they don't use up the quota of their account. */
export function createPortalLimiter(clock: Clock): AddressLimiter {
  return createAddressLimiter({ perMinute: CALLS_PER_MINUTE, quotaLimit: null, clock });
}

export type PortalAccess = ReturnType<typeof createPortalAccess>;

/** Finds the session of a portal's token, and makes it the caller of the request. */
export function createPortalAccess({ portalSessions, portalCalls, clientAddress }: PortalAccessDeps) {
  /**
   * @throws UnauthorizedError for a token without a session, ForbiddenError while its account is suspended,
   *   TooManyRequestsError once the session has used up its minute
   */
  return async (ctx: HttpContext, token: string): Promise<void> => {
    const live = isPortalToken(token) ? await portalSessions.use(hashSecret(token)) : null;
    if (!live) throw portalSessionEnded();
    const { session, account, now } = live;
    ctx.state.identify({ account_id: account._id, session_id: session._id });
    const { view, limited, retryAfterSeconds } = portalCalls.count(session._id);
    setLimitHeaders(ctx, view);
    if (account.suspended_at) throw portalSuspended();
    if (limited) throw burstExceeded(view, retryAfterSeconds);
    ctx.state['portalSession'] = live;
    const name = session.subject ?? session._id;
    const actor = { type: 'portal', id: name, name } as const;
    const scopes = PORTAL_ROLES[session.role];
    const accountId = account._id;
    ctx.state.credential = {
      ...{ kind: 'portal', id: session._id, actor, scopes, account: accountId },
      expiresAt: session.ends_at,
    };
    ctx.state.caller = {
      accountId,
      actor,
      address: clientAddress(ctx),
      scopes,
      ...eventSettingsOf(account),
      now,
    };
  };
}

/** The session of a request that `createPortalAccess` let through. */
export function portalSessionOf(ctx: HttpContext): LivePortalSession {
  return ctx.state['portalSession'] as LivePortalSession;
}
