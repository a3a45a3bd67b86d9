import { z } from 'zod';
import type { AccountDeps } from '../accounts/create-account';
import { listAccounts } from '../accounts/list-accounts';
import { setTier } from '../accounts/set-tier';
import type { AuditLog } from '../accounts/audit-store';
import { addOperation, type Api } from '../http/operation';
import { readBody, validate } from '../http/read-body';
import { presentListedAccount, presentTier } from './present';
import { requireOperator } from './require-session';
import { accountListView, accountQuery, accountView, tierBody } from './schema';

/** What the operator's page of accounts needs. */
export interface AccountPageDeps extends AccountDeps {
  readonly audit: AuditLog;
}

/** Adds the operator's view of all accounts. */
export function addAccountOperations(api: Api, deps: AccountPageDeps): void {
  addOperation(
    api,
    {
      id: 'listAccounts',
      method: 'get',
      path: '/dashboard/api/accounts',
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

  addTier(api, deps);
}

function addTier(api: Api, deps: AccountPageDeps): void {
  addOperation(
    api,
    {
      id: 'setTier',
      method: 'patch',
      path: '/dashboard/api/accounts/{account_id}',
      tag: 'Accounts',
      summary: "Set an account's tier",
      description: 'For operators. Holds from the next call on.',
      params: { account_id: z.string() },
      body: tierBody,
      recordsItself: true,
      answers: { 200: { description: 'The account.', schema: accountView } },
      errors: { 404: 'There is no such account, or the user is no operator.' },
    },
    async (ctx) => {
      requireOperator(ctx);
      const { value } = await readBody(ctx, tierBody);
      const { actor, address, now } = ctx.state.caller;
      const input = { accountId: ctx.params['account_id'] ?? '', tier: value.tier };
      const account = await setTier(deps, input, { actor, address });
      ctx.body = presentListedAccount(account, now);
    },
  );
}
