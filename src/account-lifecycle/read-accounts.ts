import type { Account, AccountStatus, AccountStore } from '../accounts/account-store';
import { accountNotFound } from '../accounts/manage-accounts';
import { readPage, type PageQuery } from '../platform/cursor';

/**
 * Finds an account by its `external_id`, or by its id.
 *
 * @throws NotFoundError when there is none
 */
export async function findAccount(
  { accounts }: { readonly accounts: Pick<AccountStore, 'findNamed'> },
  named: string,
): Promise<Account> {
  const account = await accounts.findNamed(named);
  if (!account) throw accountNotFound(named);
  return account;
}

/**
 * One page of the accounts with a status, or of all, newest first.
 *
 * @throws InvalidRequestError for an invalid cursor
 */
export function listAccountsOf(
  { accounts }: { readonly accounts: Pick<AccountStore, 'page'> },
  status: AccountStatus | undefined,
  query: PageQuery,
) {
  return readPage('accounts', query, (limit, after) => accounts.page(status, limit, after));
}
