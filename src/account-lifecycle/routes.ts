import { addOperation } from '../http/operation';
import { EXAMPLE_ID, type Api, type Tag } from '../http/route';
import { readAccountUsage, type AccountUsageDeps } from './account-usage';
import { beginDeletion, type BeginDeletionDeps } from './delete-account';
import { accountParams, newAccountParams } from './params';
import { presentAccount } from './present';
import { findAccount, listAccountsOf } from './read-accounts';
import { putAccount, type PutAccountDeps } from './put-account';
import {
  accountListQuery,
  accountListView,
  accountUsageQuery,
  accountUsageView,
  accountView,
  putAccountBody,
} from './schema';

/** What the operations on accounts need. */
export type AccountRouteDeps = PutAccountDeps & BeginDeletionDeps & AccountUsageDeps;

const PATH = '/api/v1/accounts';
const ONE = `${PATH}/{external_id}` as const;

const TAG: Tag = {
  name: 'Accounts',
  description:
    'The accounts of your customers, for management keys. Every other call works for one of them with the header ' +
    '`Everpost-Account: <external_id>`.',
};

const OF_INSTALLATION = { tag: TAG, forInstallation: true } as const;

const ACCOUNT_EXAMPLE = {
  id: `acc_${EXAMPLE_ID}`,
  external_id: 'cus_42',
  name: 'Acme Inc.',
  email: null,
  tier: 'enterprise',
  limits: { per_minute: 600 },
  search_fields: [],
  defaults: { body: 'data' } as const,
  event_types: null,
  retention_days: null,
  metadata: { plan: 'gold' },
  status: 'active',
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
};

const NOT_FOUND = {
  errors: { 404: 'There is no such account.' },
  errorExamples: { 404: { error: 'There is no account cus_42.', code: 'account_not_found' } },
} as const;

const DELETING = {
  error: 'The account cus_42 is being deleted. Wait until it is gone, and create it again.',
  code: 'account_being_deleted',
} as const;

const RETENTION_TOO_LONG = {
  error: '"retention_days" must be at most 30: this installation keeps no event longer.',
  code: 'retention_too_long',
} as const;

/** Adds the operations on the accounts of an installation. */
export function addAccountRoutes(api: Api, deps: AccountRouteDeps): void {
  addPut(api, deps);
  addReads(api, deps);
  addUsage(api, deps);
  addRemove(api, deps);
}

function addPut(api: Api, deps: AccountRouteDeps): void {
  addOperation(
    api,
    {
      id: 'putAccount',
      method: 'put',
      path: ONE,
      scopes: ['accounts:write'],
      ...OF_INSTALLATION,
      summary: 'Create or change an account',
      description:
        'Creates the account of this `external_id`, or changes it if it exists: absent fields stay as they are, null ' +
        'removes one. The same call again changes nothing. Limits apply from the next call.',
      params: newAccountParams,
      body: putAccountBody,
      bodyIsOptional: true,
      bodyExample: { name: 'Acme Inc.', limits: { per_minute: 600 }, metadata: { plan: 'gold' } },
      recordsItself: true,
      answers: {
        200: { description: 'The changed account.', schema: accountView, example: ACCOUNT_EXAMPLE },
        201: { description: 'The new account.', schema: accountView, example: ACCOUNT_EXAMPLE },
      },
      errors: {
        404: 'There is no account with this id: only one of your own ids can be created.',
        409: 'Another account has the e-mail address, or the account is being deleted.',
        422: 'The installation keeps no event for as long as `retention_days`.',
      },
      errorExamples: { ...NOT_FOUND.errorExamples, 409: DELETING, 422: RETENTION_TOO_LONG },
    },
    async ({ params, body, caller: { actor, address }, ctx }) => {
      const { account, isNew } = await putAccount(deps, params.external_id, body, { actor, address });
      ctx.status = isNew ? 201 : 200;
      return presentAccount(account);
    },
  );
}

function addReads(api: Api, deps: AccountRouteDeps): void {
  addOperation(
    api,
    {
      id: 'listAccounts',
      method: 'get',
      path: PATH,
      scopes: ['accounts:read'],
      ...OF_INSTALLATION,
      summary: 'List accounts',
      description: 'The accounts of the installation, newest first.',
      query: accountListQuery,
      answers: {
        200: {
          description: 'A page of accounts.',
          schema: accountListView,
          example: { accounts: [ACCOUNT_EXAMPLE], next_cursor: null },
        },
      },
    },
    async ({ query: { status, ...query } }) => {
      const { page, nextCursor } = await listAccountsOf(deps, status, query);
      return { accounts: page.map(presentAccount), next_cursor: nextCursor };
    },
  );
}

function addUsage(api: Api, deps: AccountRouteDeps): void {
  // Before the one account: its path would fit.
  addOperation(
    api,
    {
      id: 'getAccountUsage',
      method: 'get',
      path: `${PATH}/usage`,
      scopes: ['accounts:read'],
      ...OF_INSTALLATION,
      summary: 'Get the usage of all accounts',
      description:
        'What each account did on each day (UTC), for bills and reports: a page of accounts, newest first, each with its ' +
        'days in order. Days without anything are left out, and so are test events, `everpost.*` events and their ' +
        'attempts. Complete to within a few seconds, and kept for 400 days.',
      query: accountUsageQuery,
      answers: {
        200: {
          description: 'The usage.',
          schema: accountUsageView,
          example: {
            usage: [
              {
                account_id: `acc_${EXAMPLE_ID}`,
                external_id: 'cus_42',
                day: '2026-11-21',
                ...{ events: 380, deliveries: 760, attempts: 802, failed_attempts: 42, calls: 391 },
              },
            ],
            next_cursor: null,
          },
        },
      },
    },
    ({ query }) => readAccountUsage(deps, query),
  );
  addOperation(
    api,
    {
      id: 'getAccount',
      method: 'get',
      path: ONE,
      scopes: ['accounts:read'],
      ...OF_INSTALLATION,
      summary: 'Get an account',
      description: 'The account, with its own limits: an absent one is that of its tier.',
      params: accountParams,
      answers: { 200: { description: 'The account.', schema: accountView, example: ACCOUNT_EXAMPLE } },
      ...NOT_FOUND,
    },
    async ({ params }) => presentAccount(await findAccount(deps, params.external_id)),
  );
}

function addRemove(api: Api, deps: AccountRouteDeps): void {
  addOperation(
    api,
    {
      id: 'deleteAccount',
      method: 'delete',
      path: ONE,
      scopes: ['accounts:write'],
      ...OF_INSTALLATION,
      summary: 'Delete an account',
      description:
        'Erases the account and everything that it owns, which takes a minute or more and cannot be undone. It is ' +
        '`deleting` until then; its calls are refused, and nothing more is delivered.',
      params: accountParams,
      recordsItself: true,
      answers: {
        202: {
          description: 'The deletion has begun.',
          schema: accountView,
          example: { ...ACCOUNT_EXAMPLE, status: 'deleting' },
        },
      },
      ...NOT_FOUND,
    },
    async ({ params, caller: { actor, address } }) => {
      const { _id: id } = await findAccount(deps, params.external_id);
      return presentAccount(await beginDeletion(deps, id, { actor, address }));
    },
  );
}
