import { PRODUCT_PREFIXES, PRODUCTS } from '../domain/api-key';
import type { RetrySchedule } from '../domain/retry-schedule';
import type { Tier } from '../domain/tiers';
import { addRoute } from '../http/operation';
import { sessionNotFound, sessionParams } from './params';
import type { RouteApi } from '../http/route';
import { limitsOf } from '../limits/windows';
import type { SecretBox } from '../platform/secret-box';
import { changePassword, type PasswordDeps } from '../users/change-password';
import { proveDevice } from '../users/device-proof';
import type { TryCounter } from '../users/try-count-store';
import { readDeviceCookie, writeDeviceCookie, writeSessionCookie } from './cookies';
import { presentSession, presentTier, presentUser } from './present';
import { presentAccountName } from './present-account';
import type { AuditLog } from '../accounts/audit-store';
import { sessionOf } from './require-session';
import { meView, passwordBody, sessionListView } from './schema';

/** What operations on one's own sign-in need. */
export interface SessionDeps extends PasswordDeps {
  readonly secretBox: SecretBox;
  readonly tries: TryCounter;
  readonly audit: AuditLog;
  readonly tiers: ReadonlyMap<string, Tier>;
  /** Of deliveries to endpoints without their own. */
  readonly schedule: RetrySchedule;
  /** The Web UI where operators look at executions; undefined if not configured. */
  readonly temporalUi: { readonly url: string; readonly namespace: string } | undefined;
}

/** Adds the operations on one's own sign-in. */
export function addSessionRoutes(api: RouteApi, deps: SessionDeps): void {
  // The user, the account with its tier, and what the pages need to know about the installation.
  addRoute(api, { id: 'getMe', method: 'get', path: '/dashboard/api/me', answer: meView }, ({ ctx }) => {
    const { user, account, isView } = sessionOf(ctx);
    return {
      user: presentUser(user),
      is_view: isView,
      account: {
        ...presentAccountName(account),
        tier: presentTier(limitsOf(deps.tiers, account)),
        search_fields: account.search_fields ?? [],
      },
      scopes: ctx.state.caller.scopes,
      retry_schedule: deps.schedule.map((delayMs) => delayMs / 1_000),
      products: PRODUCT_PREFIXES.map((prefix) => ({ prefix, name: PRODUCTS[prefix] })),
      // It shows the executions of every account.
      temporal_ui: (user.operator && deps.temporalUi) || null,
    };
  });

  addRoute(
    api,
    { id: 'signOut', method: 'post', path: '/dashboard/api/sign-out', audit: 'session.ended' },
    async ({ ctx }) => {
      const { session, user } = sessionOf(ctx);
      await deps.sessions.revoke(user._id, session._id);
      writeSessionCookie(ctx, null);
      ctx.status = 204;
    },
  );
  addPasswordChange(api, deps);
  addSessionList(api, deps);
}

function addPasswordChange(api: RouteApi, deps: SessionDeps): void {
  // Sets a new password and ends every other session of the user.
  addRoute(
    api,
    { id: 'changePassword', method: 'post', path: '/dashboard/api/password', body: passwordBody, recordsItself: true },
    async ({ body, caller, ctx }) => {
      const { session, user } = sessionOf(ctx);
      const by = {
        user,
        sessionId: session._id,
        address: caller.address,
        deviceProof: readDeviceCookie(ctx),
      };
      const passwords = { current: body.current_password, next: body.new_password };
      writeDeviceCookie(ctx, proveDevice(deps, await changePassword(deps, by, passwords)));
      ctx.status = 204;
    },
  );
}

function addSessionList(api: RouteApi, deps: SessionDeps): void {
  // The user's sessions that have not ended, newest first; at most 100.
  addRoute(
    api,
    { id: 'listSessions', method: 'get', path: '/dashboard/api/sessions', answer: sessionListView },
    async ({ ctx }) => {
      const { session: current, user } = sessionOf(ctx);
      const sessions = await deps.sessions.listByUser(user._id);
      return { sessions: sessions.map((session) => presentSession(session, current._id)) };
    },
  );

  // Ends one session of the user, this one included.
  addRoute(
    api,
    {
      id: 'revokeSession',
      method: 'delete',
      path: '/dashboard/api/sessions/{session_id}',
      params: sessionParams,
      audit: 'session.revoked',
    },
    async ({ params, ctx }) => {
      const { user } = sessionOf(ctx);
      if (!(await deps.sessions.revoke(user._id, params.session_id))) {
        throw sessionNotFound();
      }
      ctx.status = 204;
    },
  );

  // Ends every session of the user except this one.
  addRoute(
    api,
    { id: 'revokeOtherSessions', method: 'delete', path: '/dashboard/api/sessions', audit: 'session.revoked' },
    async ({ ctx }) => {
      const { session, user } = sessionOf(ctx);
      return { ended: await deps.sessions.revokeAllOf(user._id, session._id) };
    },
  );
}
