import { findAccount } from '../account-lifecycle/read-accounts';
import { isOwnAccountId } from '../domain/external-id';
import type { CliDeps } from './command-line';

/**
 * The id of the account that an option names. An id (`acc_…`) stays as it is, because an account that is gone has an
 * audit log too.
 *
 * @throws NotFoundError for an unknown `external_id`
 */
export async function accountIdOf(deps: Pick<CliDeps, 'accounts'>, named: string): Promise<string> {
  return isOwnAccountId(named) ? named : (await findAccount(deps, named))._id;
}
