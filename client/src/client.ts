import { setTimeout as sleep } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import { createAccount, type EverpostAccount } from './account.ts';
import { createAccounts, type Accounts } from './accounts.ts';
import { createRetryingFetch } from './back-off.ts';
import type { paths } from './schema.ts';

/** The address and the key for an Everpost installation. */
export interface EverpostOptions {
  /** For example `https://everpost.example.com`. */
  readonly baseUrl: string;
  /** `svc_live_weh_…` of one account, or a management key, `svc_admin_…`. */
  readonly apiKey: string;
  /** A custom `fetch`, for a proxy or a test. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A client: of the account of its key, or with a management key of all accounts. */
export interface Everpost extends EverpostAccount {
  /**
   * The same calls for one account, with a management key: they carry the header `Everpost-Account`. It sends nothing
   * by itself.
   *
   * @param id your own id of the account (`external_id`), or `acc_…`
   */
  account(id: string): EverpostAccount;
  /** Creates, changes, lists and deletes accounts, with a management key. */
  readonly accounts: Accounts;
}

/** Makes a client that waits and retries as the API requires. */
export function createEverpost({ baseUrl, apiKey, fetch = globalThis.fetch }: EverpostOptions): Everpost {
  const retrying = createRetryingFetch({ fetch, sleep: sleepUntilAborted, random: Math.random });
  const apiWith = (headers: Readonly<Record<string, string>>) =>
    createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}`, ...headers }, fetch: retrying });
  const api = apiWith({});
  return {
    ...createAccount(api),
    account: (id) => createAccount(apiWith({ 'Everpost-Account': id })),
    accounts: createAccounts(api),
  };
}

/** The next try of an aborted request throws the reason, so the wait only ends. */
function sleepUntilAborted(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined);
}
