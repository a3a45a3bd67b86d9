import { requireAccount } from '../accounts/require-account';
import type { KeyDeps } from './create-key';
import type { ApiKey } from '../domain/api-key-record';

/**
 * An account's keys, oldest first, revoked ones included.
 *
 * @throws NotFoundError for an unknown account
 */
export async function listKeys(deps: Omit<KeyDeps, 'clock'>, accountId: string): Promise<ApiKey[]> {
  await requireAccount(deps.accounts, accountId);
  return deps.keys.listByAccount(accountId);
}
