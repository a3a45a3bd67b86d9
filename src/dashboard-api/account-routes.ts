import { beginDeletion, type BeginDeletionDeps } from '../account-lifecycle/delete-account';
import { resumeAccount, suspendAccount, type ResumeAccountDeps } from '../account-lifecycle/suspend-account';
import type { Account } from '../accounts/account-store';
import type { AuditLog } from '../accounts/audit-store';
import { listAccounts, setTier, type AccountDeps } from '../accounts/manage-accounts';
import type { By } from '../domain/audit-actions';
import { ConflictError } from '../domain/errors';
import { addRoute } from '../http/operation';
import type { Route, RouteApi } from '../http/route';
import type { RequestCaller } from '../http/request-state';
import { accountParams } from './params';
import { presentListedAccount, presentTier } from './present';
import { requireOperator } from './require-session';
import { accountListView, accountQuery, tierBody } from './schema';

/** What the operator's page of accounts needs. */
export interface AccountRouteDeps extends AccountDeps, BeginDeletionDeps, ResumeAccountDeps {
  readonly audit: AuditLog;
}

const PATH = '/dashboard/api/accounts';

/** What an operator's changes of one account have in common. Each writes its own entry in the audit log. */
const ONE_ACCOUNT = {
  path: `${PATH}/{account_id}`,
  params: accountParams,
  guard: requireOperator,
  recordsItself: true,
} as const satisfies Partial<Route>;

/** Adds the operators' operations on all accounts. */
export function addAccountRoutes(api: RouteApi, deps: AccountRouteDeps): void {
  // The accounts of the installation, newest first, and the tiers.
  addRoute(
    api,
    {
      id: 'listAccounts',
      method: 'get',
      path: PATH,
      guard: requireOperator,
      query: accountQuery,
      answer: accountListView,
    },
    async ({ query, caller }) => {
      const { page, nextCursor } = await listAccounts(deps, query);
      const { accountId, actor, address, now } = caller;
      await deps.audit.record({ accountId, actor, address, action: 'accounts.read', object: null });
      return {
        accounts: page.map((account) => presentListedAccount(account, now)),
        tiers: [...deps.tiers.values()].map(presentTier),
        next_cursor: nextCursor,
      };
    },
  );

  addRoute(
    api,
    { ...ONE_ACCOUNT, id: 'setTier', method: 'patch', body: tierBody },
    async ({ params, body, caller }) => {
      const { actor, address, now } = caller;
      const accountId = params.account_id;
      return presentListedAccount(await setTier(deps, { accountId, tier: body.tier }, { actor, address }), now);
    },
  );
  addLifecycle(api, deps);
}

function addLifecycle(api: RouteApi, deps: AccountRouteDeps): void {
  /** Makes a change of another account. */
  const changed = async (
    { params, caller }: { readonly params: { readonly account_id: string }; readonly caller: RequestCaller },
    change: (accountId: string, by: By) => Promise<Account>,
  ): Promise<object> => {
    const { actor, address, now } = caller;
    return presentListedAccount(await change(otherAccount(caller, params.account_id), { actor, address }), now);
  };
  const suspend = {
    ...ONE_ACCOUNT,
    id: 'suspendAccount',
    method: 'post',
    path: `${ONE_ACCOUNT.path}/suspend`,
  } as const;
  addRoute(api, suspend, (call) => changed(call, (id, by) => suspendAccount(deps, id, by)));

  const resume = { ...ONE_ACCOUNT, id: 'resumeAccount', method: 'post', path: `${ONE_ACCOUNT.path}/resume` } as const;
  addRoute(api, resume, (call) => changed(call, (id, by) => resumeAccount(deps, id, by)));

  // Suspends the account. A worker then removes it and everything it owns.
  addRoute(api, { ...ONE_ACCOUNT, id: 'deleteAccount', method: 'delete' }, (call) => {
    call.ctx.status = 202;
    return changed(call, (id, by) => beginDeletion(deps, id, by));
  });
}

/** @throws ConflictError for the operator's own account: no one could undo the change */
function otherAccount(caller: RequestCaller, accountId: string): string {
  if (accountId !== caller.accountId) return accountId;
  throw new ConflictError(
    'This is your own account. Another operator, or the command line, can do that.',
    'own_account',
  );
}
