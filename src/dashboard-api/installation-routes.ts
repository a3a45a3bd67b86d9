import { accountNotFound } from '../accounts/manage-accounts';
import type { AccountStore } from '../accounts/account-store';
import type { AuditLog } from '../accounts/audit-store';
import { addRoute } from '../http/operation';
import type { RouteApi } from '../http/route';
import type { SessionStore } from '../users/session-store';
import type { CountBacklog } from './count-backlog';
import { accountParams } from './params';
import { readInstallation, type InstallationDeps } from './read-installation';
import { DEFAULT_LIFETIME_SECONDS, FIRST_PAGE, portalUrl, startPortalSession } from '../portal/start-portal-session';
import type { PortalSessionStore } from '../portal/portal-session-store';
import { requireOperator, sessionOf } from './require-session';
import { installationView } from './overview-schema';
import { portalView } from './schema';

/** What operators need to look at all accounts, and into one. */
export interface InstallationRouteDeps extends InstallationDeps {
  readonly accounts: Pick<AccountStore, 'find' | 'findMany'>;
  readonly sessions: Pick<SessionStore, 'setViewed'>;
  readonly portalSessions: PortalSessionStore;
  readonly audit: AuditLog;
}

/** Adds the operators' overview of all accounts, and their read-only way into one of them. */
export function addInstallationRoutes(api: RouteApi, deps: InstallationRouteDeps, countBacklog: CountBacklog): void {
  // The accounts that need attention, and how late the deliveries of all accounts are.
  addRoute(
    api,
    {
      id: 'getInstallation',
      method: 'get',
      path: '/dashboard/api/installation',
      guard: requireOperator,
      answer: installationView,
    },
    ({ caller }) => readInstallation(deps, countBacklog, caller.now),
  );

  // Shows another account in this session, read-only. Its log says so.
  addRoute(
    api,
    {
      id: 'viewAccount',
      method: 'post',
      path: '/dashboard/api/accounts/{account_id}/view',
      params: accountParams,
      guard: requireOperator,
      recordsItself: true,
    },
    async ({ params: { account_id: accountId }, caller: { actor, address }, ctx }) => {
      if (!(await deps.accounts.find(accountId))) throw accountNotFound(accountId);
      // Before the view, so that none is without an entry.
      await deps.audit.record({ accountId, actor, address, action: 'account.viewed', object: accountId });
      await deps.sessions.setViewed(sessionOf(ctx).session._id, accountId);
      ctx.status = 204;
    },
  );

  addOpenPortal(api, deps);

  // Shows the user's own account again.
  addRoute(
    api,
    { id: 'leaveAccount', method: 'delete', path: '/dashboard/api/view', guard: requireOperator, recordsItself: true },
    async ({ ctx }) => {
      await deps.sessions.setViewed(sessionOf(ctx).session._id, null);
      ctx.status = 204;
    },
  );
}

function addOpenPortal(api: RouteApi, deps: InstallationRouteDeps): void {
  // Opens the customers' portal of another account in a session of its own, read-only. Its log says so.
  addRoute(
    api,
    {
      id: 'openPortal',
      method: 'post',
      path: '/dashboard/api/accounts/{account_id}/portal',
      params: accountParams,
      guard: requireOperator,
      recordsItself: true,
      answer: portalView,
    },
    async ({ params: { account_id: accountId }, caller: { actor, address }, ctx }) => {
      if (!(await deps.accounts.find(accountId))) throw accountNotFound(accountId);
      await deps.audit.record({
        accountId,
        actor,
        address,
        action: 'account.viewed',
        object: accountId,
        detail: 'portal',
      });
      const started = await startPortalSession(deps, {
        accountId,
        role: 'viewer',
        subject: actor.name,
        lifetimeSeconds: DEFAULT_LIFETIME_SECONDS,
        page: FIRST_PAGE,
        createdBy: actor,
      });
      ctx.status = 201;
      // Of this server, under whatever name the operator reached it.
      return { url: portalUrl('', started) };
    },
  );
}
