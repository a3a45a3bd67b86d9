import type { z } from 'zod';
import { statusOf, type AccountStore } from '../accounts/account-store';
import type { AccountSearchStore } from '../accounts/account-search-store';
import { listAccountsOf } from '../account-lifecycle/read-accounts';
import type { Tier } from '../domain/tiers';
import type { accountListView, accountQuery } from './account-schema';
import { presentAccountTier, presentListedAccount } from './present-account';

/** What the list of accounts reads. */
export interface ListAccountsDeps {
  readonly accounts: Pick<AccountStore, 'page'>;
  readonly accountSearch: AccountSearchStore;
  readonly tiers: ReadonlyMap<string, Tier>;
}

/** Of each kind: by `external_id`, by name. */
const MAX_FOUND = 100;

/**
 * The accounts of the installation and the tiers: a page, newest first, or what a search finds, the exact match first.
 *
 * @throws InvalidRequestError for an invalid cursor
 */
export async function listAccounts(
  deps: ListAccountsDeps,
  { q, status, ...query }: z.output<typeof accountQuery>,
  now: Date,
): Promise<z.output<typeof accountListView>> {
  const tiers = [...deps.tiers.values()].map(presentAccountTier);
  if (q !== undefined) {
    const found = await deps.accountSearch.find(q, MAX_FOUND);
    const wanted = found.filter((account) => status === undefined || statusOf(account) === status);
    return {
      ...{ accounts: wanted.map((account) => presentListedAccount(account, deps.tiers, now)), tiers },
      ...{ next_cursor: null, more: found.length >= MAX_FOUND },
    };
  }
  const { page, nextCursor } = await listAccountsOf(deps, status, query);
  return {
    ...{ accounts: page.map((account) => presentListedAccount(account, deps.tiers, now)), tiers },
    ...{ next_cursor: nextCursor, more: false },
  };
}
