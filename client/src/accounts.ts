import type { Client } from 'openapi-fetch';
import { dataOf } from './answer.ts';
import { at, createList, type List, type ListQuery } from './list.ts';
import type {
  Account,
  AccountChange,
  AccountList,
  AccountUsage,
  paths,
  PortalSession,
  PortalSessionInput,
} from './schema.ts';

/** The accounts of an installation, for a management key. An `id` is your own (`external_id`), or `acc_…`. */
export interface Accounts {
  /**
   * Creates an account, or changes it if it exists. The same call again changes nothing.
   *
   * @throws EverpostError when it is refused
   */
  put(id: string, change?: AccountChange): Promise<Account>;
  /** @throws EverpostError with the code `account_not_found` if there is none */
  get(id: string): Promise<Account>;
  /** Accounts, newest first. */
  list(query?: ListQuery<'listAccounts'>): List<Account, AccountList>;
  /** Begins to erase an account with everything it owns. @throws EverpostError if there is none */
  delete(id: string): Promise<Account>;
  /** What each account did on each day. */
  usage(query: ListQuery<'getAccountUsage'>): List<AccountUsage['usage'][number], AccountUsage>;
  readonly portalSessions: {
    /**
     * Opens the portal for a person whom you have signed in: send the browser to `url`, or frame it, within a minute.
     *
     * @throws EverpostError when it is refused
     */
    create(id: string, session: PortalSessionInput): Promise<PortalSession>;
  };
}

/** Makes the calls about accounts. */
export function createAccounts(api: Client<paths>): Accounts {
  const path = '/api/v1/accounts/{external_id}' as const;
  const of = (id: string) => ({ params: { path: { external_id: id } } });
  return {
    put: async (id, change) => dataOf(await api.PUT(path, { ...of(id), body: change ?? {} })),
    get: async (id) => dataOf(await api.GET(path, of(id))),
    list: ({ cursor, ...query } = {}) =>
      createList(
        cursor,
        async (from) => dataOf(await api.GET('/api/v1/accounts', at(query, from))),
        ({ accounts }) => accounts,
      ),
    delete: async (id) => dataOf(await api.DELETE(path, of(id))),
    usage: ({ cursor, ...query }) =>
      createList(
        cursor,
        async (from) => dataOf(await api.GET('/api/v1/accounts/usage', at(query, from))),
        ({ usage }) => usage,
      ),
    portalSessions: {
      create: async (id, body) => dataOf(await api.POST(`${path}/portal-sessions`, { ...of(id), body })),
    },
  };
}
