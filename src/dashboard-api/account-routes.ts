import { beginDeletion, type BeginDeletionDeps } from '../account-lifecycle/delete-account';
import { resumeAccount, suspendAccount, type ResumeAccountDeps } from '../account-lifecycle/suspend-account';
import type { Account } from '../accounts/account-store';
import type { AuditLog } from '../accounts/audit-store';
import { listAccounts, setTier, type AccountDeps } from '../accounts/manage-accounts';
import type { By } from '../domain/audit-actions';
import { ConflictError } from '../domain/errors';
import { addRoute, type Route, type RouteApi } from '../http/operation';
import { readBody, validate } from '../http/read-body';
import type { HttpContext } from '../http/request-state';
import { presentListedAccount, presentTier } from './present';
import { requireOperator } from './require-session';
import { accountListView, accountQuery, tierBody } from './schema';

/** What the operator's page of accounts needs. */
export interface AccountRouteDeps extends AccountDeps, BeginDeletionDeps, ResumeAccountDeps {
  readonly audit: AuditLog;
}

const PATH = '/dashboard/api/accounts';
const ACCOUNT = `${PATH}/{account_id}`;

/** Adds the operators' operations on all accounts. */
export function addAccountRoutes(api: RouteApi, deps: AccountRouteDeps): void {
  // The accounts of the installation, newest first, and the tiers.
  addRoute(
    api,
    { id: 'listAccounts', method: 'get', path: PATH, query: accountQuery, answer: accountListView },
    async (ctx) => {
      requireOperator(ctx);
      const { page, nextCursor } = await listAccounts(deps, validate(accountQuery, { ...ctx.query }, 'query'));
      const { accountId, actor, address } = ctx.state.caller;
      await deps.audit.record({ accountId, actor, address, action: 'accounts.read', object: null });
      ctx.body = {
        accounts: page.map((account) => presentListedAccount(account, ctx.state.caller.now)),
        tiers: [...deps.tiers.values()].map(presentTier),
        next_cursor: nextCursor,
      };
    },
  );

  addChange(api, { id: 'setTier', method: 'patch', path: ACCOUNT, body: tierBody }, async (ctx, accountId, by) => {
    const { value } = await readBody(ctx, tierBody);
    return setTier(deps, { accountId, tier: value.tier }, by);
  });

  addChange(api, { id: 'suspendAccount', method: 'post', path: `${ACCOUNT}/suspend` }, (ctx, accountId, by) =>
    suspendAccount(deps, otherAccount(ctx, accountId), by),
  );

  addChange(api, { id: 'resumeAccount', method: 'post', path: `${ACCOUNT}/resume` }, (ctx, accountId, by) =>
    resumeAccount(deps, otherAccount(ctx, accountId), by),
  );

  // Suspends the account. A worker then removes it and everything it owns, for good.
  addChange(api, { id: 'deleteAccount', method: 'delete', path: ACCOUNT }, (ctx, accountId, by) => {
    ctx.status = 202;
    return beginDeletion(deps, otherAccount(ctx, accountId), by);
  });
}

/** Adds an operator's change of one account, which writes its own entry in the audit log. */
function addChange(
  api: RouteApi,
  route: Route,
  change: (ctx: HttpContext, accountId: string, by: By) => Promise<Account>,
): void {
  addRoute(api, { ...route, recordsItself: true }, async (ctx) => {
    requireOperator(ctx);
    const { actor, address, now } = ctx.state.caller;
    const account = await change(ctx, ctx.params['account_id']!, { actor, address });
    ctx.body = presentListedAccount(account, now);
  });
}

/** @throws ConflictError for the operator's own account: nobody could undo the change */
function otherAccount(ctx: HttpContext, accountId: string): string {
  if (accountId !== ctx.state.caller.accountId) return accountId;
  throw new ConflictError(
    'This is your own account. Another operator, or the command line, can do that.',
    'own_account',
  );
}
