import type { By } from '../domain/audit-actions';
import { NotFoundError } from '../domain/errors';
import type { KeyDeps } from './create-key';
import type { ApiKey } from '../domain/api-key-record';

/**
 * Revokes a key for good; every process refuses it in under a second.
 *
 * @param input `accountId` limits the search to the owner's own keys
 * @throws NotFoundError when there is no such key
 */
export async function revokeKey(deps: KeyDeps, input: { id: string; accountId?: string }, by: By): Promise<ApiKey> {
  const key = await deps.keys.revoke(input.id, new Date(deps.clock()), by, input.accountId);
  if (!key) throw new NotFoundError(`There is no key ${input.id}.`, 'key_not_found');
  return key;
}
