import { createList, type List, type ListQuery } from './list.ts';
import type { CallOptions } from './patience.ts';
import type {
  Account,
  AccountChange,
  AccountDay,
  AccountList,
  AccountUsage,
  PortalSession,
  PortalSessionInput,
} from './schema.ts';
import { segment, type Transport } from './transport.ts';

/** The accounts of an installation, for a management key. An `id` is your own (`external_id`), or `acc_…`. */
export interface Accounts {
  /**
   * Creates an account, or changes it if it exists. The same call again changes nothing.
   *
   * @throws EverpostError when it is refused
   */
  put(id: string, change?: AccountChange, options?: CallOptions): Promise<Account>;
  /** @throws EverpostError with the code `account_not_found` if there is none */
  get(id: string, options?: CallOptions): Promise<Account>;
  /** Accounts, newest first. */
  list(query?: ListQuery<'listAccounts'>, options?: CallOptions): List<Account, AccountList>;
  /** Begins to erase an account with everything it owns. @throws EverpostError if there is none */
  delete(id: string, options?: CallOptions): Promise<Account>;
  /** What each account did on each day. */
  usage(query: ListQuery<'getAccountUsage'>, options?: CallOptions): List<AccountDay, AccountUsage>;
  /** Sessions of the customers' portal. */
  readonly portalSessions: {
    /**
     * Opens the portal for a person whom you have signed in: send the browser to `url`, or frame it, within a minute.
     *
     * @throws EverpostError when it is refused
     */
    create(id: string, session: PortalSessionInput, options?: CallOptions): Promise<PortalSession>;
  };
}

/** Makes the calls about accounts. */
export function createAccounts({ api, call }: Transport): Accounts {
  const path = '/api/v1/accounts' as const;
  const one = `${path}/{external_id}` as const;
  const of = (id: string) => ({ params: { path: { external_id: segment(id) } } });
  return {
    put: async (id, body = {}, options) => call(options, (how) => api.PUT(one, { ...of(id), body, ...how })),
    get: async (id, options) => call(options, (how) => api.GET(one, { ...of(id), ...how })),
    list: (query, options) =>
      createList(
        query,
        (at) => call(options, (how) => api.GET(path, { params: { query: at }, ...how })),
        ({ accounts }) => accounts,
      ),
    delete: async (id, options) => call(options, (how) => api.DELETE(one, { ...of(id), ...how })),
    usage: (query, options) =>
      createList(
        query,
        (at) => call(options, (how) => api.GET(`${path}/usage`, { params: { query: at }, ...how })),
        ({ usage }) => usage,
      ),
    portalSessions: {
      create: async (id, body, options) =>
        call(options, (how) => api.POST(`${one}/portal-sessions`, { ...of(id), body, ...how })),
    },
  };
}
