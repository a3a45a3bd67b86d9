import { normaliseEmail } from '../accounts/email';
import type { By } from '../domain/audit-actions';
import type { ApiKey } from '../domain/api-key-record';
import { revokeKey, type KeyDeps } from '../keys/manage-keys';
import { requireUser } from './change-password';
import type { User, UserStore } from './user-store';

/**
 * Removes a person: sign-in and sessions end at once. The account stays, and so do keys, which programs use: a key that
 * its creator has copied still works, so they are listed, and revoked if that is wanted.
 *
 * @returns the user, and the keys that the user created and that were active
 * @throws NotFoundError for an unknown address
 */
export async function removeUser(
  deps: KeyDeps & { readonly users: UserStore },
  input: { readonly email: string; readonly revokesKeys: boolean },
  by: By,
): Promise<{ readonly removed: User; readonly keys: readonly ApiKey[] }> {
  const { _id: id, account_id: accountId } = await requireUser(deps, normaliseEmail(input.email));
  const removed = await deps.users.remove(id, by);
  // Another call removed the user meanwhile.
  if (!removed) return { removed: await requireUser(deps, normaliseEmail(input.email)), keys: [] };
  // Afterwards, so that no key can be created in between.
  const keys = await deps.keys.listActiveBy(id, accountId);
  if (input.revokesKeys) for (const { _id } of keys) await revokeKey(deps, { id: _id }, by);
  return { removed, keys };
}

/**
 * Makes a user an operator, or takes that back. It applies to the next call of every session; a second call changes
 * nothing.
 *
 * @throws NotFoundError for an unknown address
 */
export async function setOperator(
  deps: { readonly users: UserStore },
  input: { readonly email: string; readonly operator: boolean },
  by: By,
): Promise<User> {
  const user = await requireUser(deps, normaliseEmail(input.email));
  return (await deps.users.setOperator(user._id, input.operator, by)) ?? user;
}
