import { z } from 'zod';
import { beginDeletion, type BeginDeletionDeps } from '../account-lifecycle/delete-account';
import { resumeAccount, suspendAccount } from '../account-lifecycle/suspend-account';
import type { Account } from '../accounts/account-store';
import type { AuditLog } from '../accounts/audit-store';
import { listAccounts, setTier, type AccountDeps } from '../accounts/manage-accounts';
import type { By } from '../domain/audit-actions';
import { ConflictError } from '../domain/errors';
import { addOperation, type Api, type WrittenOperation } from '../http/operation';
import { readBody, validate } from '../http/read-body';
import type { HttpContext } from '../http/request-state';
import { presentListedAccount, presentTier } from './present';
import { requireOperator } from './require-session';
import { accountListView, accountQuery, accountView, tierBody } from './schema';

/** What the operator's page of accounts needs. */
export interface AccountRouteDeps extends AccountDeps, BeginDeletionDeps {
  readonly audit: AuditLog;
}

const PATH = '/dashboard/api/accounts';
const NOT_POSSIBLE = { 409: "It is the operator's own account, or it is being deleted." };

/** Adds what operators see of all accounts, and do to them. */
export function addAccountRoutes(api: Api, deps: AccountRouteDeps): void {
  addOperation(
    api,
    {
      id: 'listAccounts',
      method: 'get',
      path: PATH,
      tag: 'Accounts',
      summary: 'List all accounts',
      description: 'For operators: the accounts of the installation, newest first, and the tiers there are.',
      query: accountQuery,
      answers: { 200: { description: 'The accounts.', schema: accountListView } },
      errors: { 404: 'The user is no operator.' },
    },
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

  addChange(
    api,
    {
      id: 'setTier',
      method: 'patch',
      path: `${PATH}/{account_id}`,
      summary: "Set an account's tier",
      description: 'For operators. Takes effect with the next call.',
      body: tierBody,
    },
    async (ctx, accountId, by) => {
      const { value } = await readBody(ctx, tierBody);
      return setTier(deps, { accountId, tier: value.tier }, by);
    },
  );
  addLifecycle(api, deps);
}

function addLifecycle(api: Api, deps: AccountRouteDeps): void {
  addChange(
    api,
    {
      id: 'suspendAccount',
      method: 'post',
      path: `${PATH}/{account_id}/suspend`,
      summary: 'Suspend an account',
      description: 'For operators. Its keys, sessions and streams end within a second; pending deliveries are held.',
      errors: NOT_POSSIBLE,
    },
    (ctx, accountId, by) => suspendAccount(deps, otherAccount(ctx, accountId), by),
  );
  addChange(
    api,
    {
      id: 'resumeAccount',
      method: 'post',
      path: `${PATH}/{account_id}/resume`,
      summary: 'Resume an account',
      description: 'For operators. Its keys work again, and its held deliveries are sent.',
      errors: NOT_POSSIBLE,
    },
    (ctx, accountId, by) => resumeAccount(deps, otherAccount(ctx, accountId), by),
  );
  addChange(
    api,
    {
      id: 'deleteAccount',
      method: 'delete',
      path: `${PATH}/{account_id}`,
      summary: 'Delete an account',
      description: 'For operators. Suspends the account; a worker removes it and everything it owns, for good.',
      errors: NOT_POSSIBLE,
    },
    (ctx, accountId, by) => beginDeletion(deps, otherAccount(ctx, accountId), by),
    202,
  );
}

/** Adds an operator's change of one account, which writes its own entry in the audit log. */
function addChange(
  api: Api,
  operation: Pick<WrittenOperation, 'id' | 'method' | 'summary' | 'description' | 'body' | 'errors'> & {
    readonly path: `/dashboard/api/${string}`;
  },
  act: (ctx: HttpContext, accountId: string, by: By) => Promise<Account>,
  status: 200 | 202 = 200,
): void {
  addOperation(
    api,
    {
      ...operation,
      tag: 'Accounts',
      recordsItself: true,
      params: { account_id: z.string() },
      answers: { [status]: { description: 'The account.', schema: accountView } },
      errors: { 404: 'There is no such account, or the user is no operator.', ...operation.errors },
    },
    async (ctx) => {
      requireOperator(ctx);
      const { actor, address, now } = ctx.state.caller;
      const account = await act(ctx, ctx.params['account_id']!, { actor, address });
      ctx.status = status;
      ctx.body = presentListedAccount(account, now);
    },
  );
}

/** @throws ConflictError for the operator's own account: nobody would be left to undo it */
function otherAccount(ctx: HttpContext, accountId: string): string {
  if (accountId !== ctx.state.caller.accountId) return accountId;
  throw new ConflictError(
    'This is your own account. Another operator, or the command line, can do that.',
    'own_account',
  );
}
