import { NotFoundError } from '../domain/errors';
import type { Account, AccountStore } from './account-store';

/**
 * Reads an account.
 *
 * @throws NotFoundError for an unknown one
 */
export async function requireAccount(accounts: Pick<AccountStore, 'find'>, accountId: string): Promise<Account> {
  const account = await accounts.find(accountId);
  if (!account) throw accountNotFound(accountId);
  return account;
}

/** What whoever names an unknown account is answered. */
export function accountNotFound(accountId: string): NotFoundError {
  return new NotFoundError(`There is no account ${accountId}.`, 'account_not_found');
}
