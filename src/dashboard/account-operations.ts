import { z } from 'zod';
import type { AccountDeps } from '../accounts/create-account';
import { listAccounts } from '../accounts/list-accounts';
import { setTier } from '../accounts/set-tier';
import { listAudit } from '../audit/list-audit';
import type { AuditStore } from '../audit/store';
import { addOperation, type Api } from '../http/operation';
import { readBody, validate } from '../http/read-body';
import { presentAuditEntry, presentListedAccount, presentTier } from './present';
import { requireOperator } from './require-session';
import { accountListView, accountQuery, accountView, auditListView, auditQuery, tierBody } from './schema';

/** What the operator's pages and the audit log need. */
export interface AccountPageDeps extends AccountDeps {
  readonly audit: AuditStore;
}

/** Asks for the log of what belongs to no account: sign-ins with unknown addresses. */
const NO_ACCOUNT = 'none';

/** Adds the audit log, and the operator's view of all accounts. */
export function addAccountOperations(api: Api, deps: AccountPageDeps): void {
  addOperation(
    api,
    {
      id: 'listAudit',
      method: 'get',
      path: '/dashboard/api/audit',
      tag: 'Audit',
      summary: 'List the audit log',
      description:
        "The account's log, newest first. Operators may name another account, or `none` for what belongs to no account.",
      query: auditQuery,
      answers: { 200: { description: 'A page of the log.', schema: auditListView } },
    },
    async (ctx) => {
      const { account_id: named, ...query } = validate(auditQuery, { ...ctx.query }, 'query');
      const { accountId } = ctx.state.caller;
      if (named !== undefined && named !== accountId) requireOperator(ctx);
      const whose = named === NO_ACCOUNT ? null : (named ?? accountId);
      const { page, nextCursor } = await listAudit(deps, whose, query);
      ctx.body = { entries: page.map(presentAuditEntry), next_cursor: nextCursor };
    },
  );

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
      answers: { 200: { description: 'The account.', schema: accountView } },
      errors: { 404: 'There is no such account, or the user is no operator.' },
    },
    async (ctx) => {
      requireOperator(ctx);
      const { value } = await readBody(ctx, tierBody);
      const { actor, address, now } = ctx.state.caller;
      const account = await setTier(deps, { accountId: ctx.params['account_id'] ?? '', tier: value.tier });
      // Into the log of the account that it happened to.
      const what = { action: 'account.tier_changed', object: account._id, detail: account.tier } as const;
      await deps.audit.record({ accountId: account._id, actor, address, ...what });
      ctx.body = presentListedAccount(account, now);
    },
  );
}
