import type { Account } from '../accounts/account-store';
import { accountNotFound } from '../accounts/manage-accounts';
import { isOwnAccountId } from '../domain/external-id';
import type { CliDeps } from './command-line';

/**
 * The account that an option names by its id or its `external_id`.
 *
 * @throws NotFoundError for an unknown account
 */
export async function findAccount({ accounts }: Pick<CliDeps, 'accounts'>, named: string): Promise<Account> {
  const account = await accounts.findNamed(named);
  if (!account) throw accountNotFound(named);
  return account;
}

/**
 * The id of the account that an option names. An id (`acc_…`) stays as it is, because an account that is gone has an
 * audit log too.
 *
 * @throws NotFoundError for an unknown `external_id`
 */
export async function accountIdOf(deps: Pick<CliDeps, 'accounts'>, named: string): Promise<string> {
  return isOwnAccountId(named) ? named : (await findAccount(deps, named))._id;
}
