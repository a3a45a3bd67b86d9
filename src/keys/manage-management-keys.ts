import { randomBytes } from 'node:crypto';
import { formatManagementKey } from '../domain/api-key';
import { MANAGEMENT, type ManagementKey } from '../domain/api-key-record';
import type { By } from '../domain/audit-actions';
import { MANAGEMENT_SCOPE_NAMES } from '../domain/scopes';
import type { Clock } from '../platform/clock';
import { keyNotFound, newKeyFields, readLabel } from './manage-keys';
import type { ManagementKeyStore } from './management-key-store';
import { readExpiry, readScopes } from './read-restrictions';

/** What the operations on management keys need. */
export interface ManagementKeyDeps {
  readonly managementKeys: ManagementKeyStore;
  readonly clock: Clock;
}

/**
 * Creates a key of the installation, which acts for any account.
 *
 * @param input `scopes` limits what the key may do, `expiresIn` (such as `90d`) for how long; neither ever changes
 * @returns the record, and the full key, which exists outside its owner's hands only at this moment
 * @throws InvalidRequestError for an unknown scope, an empty or overlong label, or a lifetime of zero
 */
export async function createManagementKey(
  deps: ManagementKeyDeps,
  input: { readonly label: string; readonly scopes?: readonly string[]; readonly expiresIn?: string },
  by: By,
): Promise<{ record: ManagementKey; key: string }> {
  const label = readLabel(input.label);
  const createdAt = deps.clock();
  const key = formatManagementKey(randomBytes(16).toString('hex'));
  const record: ManagementKey = {
    ...newKeyFields(key, { label, createdAt, by }),
    product: MANAGEMENT,
    ...(input.scopes && { scopes: readScopes(input.scopes, MANAGEMENT_SCOPE_NAMES) }),
    ...(input.expiresIn !== undefined && { expires_at: readExpiry(input.expiresIn, createdAt) }),
  };
  await deps.managementKeys.insert(record, by);
  return { record, key };
}

/**
 * Revokes a management key permanently; every process refuses it in under a second.
 *
 * @throws NotFoundError if there is no such key
 */
export async function revokeManagementKey(deps: ManagementKeyDeps, id: string, by: By): Promise<ManagementKey> {
  const key = await deps.managementKeys.revoke(id, new Date(deps.clock()), by);
  if (!key) throw keyNotFound(id);
  return key;
}
