import { createNamedAccount, putAccount, type PutAccountDeps } from '../account-lifecycle/put-account';
import { beginDeletion, type BeginDeletionDeps } from '../account-lifecycle/delete-account';
import { presentAccount } from '../account-lifecycle/present';
import { resumeAccount, suspendAccount } from '../account-lifecycle/suspend-account';
import type { Account, AccountStore } from '../accounts/account-store';
import type { AuditLog } from '../accounts/audit-store';
import type { By } from '../domain/audit-actions';
import { ConflictError } from '../domain/errors';
import { addRoute } from '../http/operation';
import type { Route, RouteApi } from '../http/route';
import type { RequestCaller } from '../http/request-state';
import {
  accountDetailView,
  accountListView,
  accountQuery,
  changeAccountBody,
  createAccountBody,
} from './account-schema';
import { listAccounts, type ListAccountsDeps } from './list-accounts';
import { accountParams } from './params';
import { presentListedAccount } from './present-account';
import { readAccount, type ReadAccountDeps } from './read-account';
import { requireOperator } from './require-session';

/** What the operators' pages of accounts need. */
export interface AccountRouteDeps extends PutAccountDeps, BeginDeletionDeps, ListAccountsDeps, ReadAccountDeps {
  readonly accounts: AccountStore;
  readonly endpoints: PutAccountDeps['endpoints'];
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
  addReads(api, deps);
  addChanges(api, deps);
  addLifecycle(api, deps);
}

function addReads(api: RouteApi, deps: AccountRouteDeps): void {
  const noteRead = ({ accountId, actor, address }: RequestCaller, object: string | null): Promise<void> =>
    deps.audit.record({ accountId, actor, address, action: 'accounts.read', object });
  // The accounts of the installation, newest first, or those that a search finds, and the tiers.
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
      const list = await listAccounts(deps, query, caller.now);
      await noteRead(caller, null);
      return list;
    },
  );

  // One account, with its usage of this month and the health of its endpoints.
  addRoute(
    api,
    {
      id: 'getAccountDetail',
      method: 'get',
      path: ONE_ACCOUNT.path,
      params: accountParams,
      guard: requireOperator,
      answer: accountDetailView,
    },
    async ({ params: { account_id: accountId }, caller }) => {
      const detail = await readAccount(deps, accountId, caller.now);
      await noteRead(caller, accountId);
      return detail;
    },
  );
}

function addChanges(api: RouteApi, deps: AccountRouteDeps): void {
  addRoute(
    api,
    {
      id: 'createAccount',
      method: 'post',
      path: PATH,
      guard: requireOperator,
      body: createAccountBody,
      recordsItself: true,
    },
    async ({ body: { external_id: externalId, ...body }, caller: { actor, address, now }, ctx }) => {
      const account = await createNamedAccount(deps, externalId, body, { actor, address });
      ctx.status = 201;
      return presentListedAccount(account, deps.tiers, now);
    },
  );

  // Absent fields stay as they are, null removes one.
  addRoute(
    api,
    { ...ONE_ACCOUNT, id: 'changeAccount', method: 'patch', body: changeAccountBody },
    async ({ params, body, caller: { actor, address } }) => {
      const { account } = await putAccount(deps, params.account_id, body, { actor, address });
      return presentAccount(account);
    },
  );
}

function addLifecycle(api: RouteApi, deps: AccountRouteDeps): void {
  /** Makes a change of another account. */
  const changed = async (
    { params, caller }: { readonly params: { readonly account_id: string }; readonly caller: RequestCaller },
    change: (accountId: string, by: By) => Promise<Account>,
  ): Promise<object> => {
    const { actor, address, now } = caller;
    const account = await change(otherAccount(caller, params.account_id), { actor, address });
    return presentListedAccount(account, deps.tiers, now);
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
