import { NotFoundError } from '../domain/errors';
import type { KeyDeps } from './create-key';
import type { ApiKey } from './store';

/**
 * An account's keys, oldest first, revoked ones included.
 *
 * @throws NotFoundError for an unknown account
 */
export async function listKeys(deps: Omit<KeyDeps, 'clock'>, accountId: string): Promise<ApiKey[]> {
  if (!(await deps.accounts.find(accountId))) {
    throw new NotFoundError(`There is no account ${accountId}.`, 'account_not_found');
  }
  return deps.keys.listByAccount(accountId);
}
