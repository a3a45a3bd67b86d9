import type { AuditLog } from '../accounts/audit-store';
import { actorOf, type By } from '../domain/audit-actions';
import { ForbiddenError, NotFoundError } from '../domain/errors';
import type { PasswordHasher } from '../platform/password-hash';
import type { IsGuessable } from '../platform/password-strength';
import { normaliseEmail } from '../accounts/email';
import type { SessionStore } from './session-store';
import { findDevice, type DeviceDeps } from './device-proof';
import { countSignIn, forgetSignIns } from './limit-tries';
import { normalisePassword, requireGoodPassword } from './password-rules';
import type { PasswordChange, User, UserStore } from './user-store';
import type { TryCounter } from './try-count-store';

/** What setting a password needs. */
export interface PasswordDeps {
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly hasher: PasswordHasher;
  readonly isGuessable: IsGuessable;
}

/**
 * Changes a user's password and ends every other session of the user.
 *
 * @param by `deviceProof` is the browser's proof of an earlier sign-in
 * @returns the user with the new password
 * @throws ForbiddenError when the current password is wrong
 * @throws TooManyRequestsError after 5 wrong ones in 15 minutes: a stolen session must not be a way to guess it
 * @throws UnprocessableError for a new one that is easy to guess
 */
export async function changePassword(
  deps: PasswordDeps & DeviceDeps & { readonly tries: TryCounter; readonly audit: AuditLog },
  by: { user: User; sessionId: string; address: string; deviceProof: string | undefined },
  input: { current: string; next: string },
): Promise<User> {
  const { user, address } = by;
  const device = await findDevice(deps, by.deviceProof, user.email);
  const trier = { email: user.email, address, device };
  await countSignIn(deps.tries, trier);
  if (!(await deps.hasher.verify(user.password_hash, normalisePassword(input.current), user.email))) {
    // Whoever stole a session guesses here.
    const entry = { actor: actorOf(user), address, accountId: user.account_id, object: user._id };
    await deps.audit.record({ ...entry, action: 'password.refused' });
    throw wrongPassword();
  }
  await forgetSignIns(deps.tries, trier);
  await requireGoodPassword(deps, input.next, user.email);
  const changed = await setPassword(deps, user, input.next, {
    ...{ action: 'password.changed', actor: actorOf(user), address },
    ...{ keepSessionId: by.sessionId, expectedHash: user.password_hash, knownAs: user.email },
  });
  // Another call changed it meanwhile.
  if (!changed) throw wrongPassword();
  return changed;
}

/**
 * Sets a user's password and ends the user's sessions.
 *
 * Sessions are ended before and after: whatever is killed in between, no session outlives the old password except one
 * that was started at that very moment, and `signIn` itself checks again.
 *
 * @returns the user with the new password; null when the user is gone, or the password was changed by another call
 *   meanwhile
 */
async function setPassword(
  deps: Omit<PasswordDeps, 'isGuessable'>,
  user: User,
  password: string,
  options: By & { action: PasswordChange['action']; keepSessionId?: string; expectedHash?: string; knownAs?: string },
): Promise<User | null> {
  const { keepSessionId, expectedHash, action, knownAs, ...by } = options;
  const to = await deps.hasher.hash(normalisePassword(password), knownAs);
  await deps.sessions.revokeAllOf(user._id, keepSessionId);
  const change = { to, action, ...(expectedHash !== undefined && { from: expectedHash }) };
  if (!(await deps.users.setPasswordHash(user._id, change, by))) return null;
  await deps.sessions.revokeAllOf(user._id, keepSessionId);
  return { ...user, password_hash: to };
}

/**
 * Sets a user's password without knowing the old one, and ends all sessions of the user.
 *
 * @throws NotFoundError for an unknown address
 * @throws UnprocessableError for a password that is easy to guess
 */
export async function resetPassword(
  deps: PasswordDeps,
  input: { email: string; password: string },
  by: By,
): Promise<User> {
  const email = normaliseEmail(input.email);
  const user = await requireUser(deps, email);
  await requireGoodPassword(deps, input.password, email);
  const reset = await setPassword(deps, user, input.password, { ...by, action: 'password.reset' });
  if (!reset) throw userNotFound(email);
  return reset;
}

/**
 * @param email as `normaliseEmail` spells it
 * @returns the user with this address
 * @throws NotFoundError for an unknown one
 */
export async function requireUser(deps: { readonly users: UserStore }, email: string): Promise<User> {
  const user = await deps.users.findByEmail(email);
  if (!user) throw userNotFound(email);
  return user;
}

function userNotFound(email: string): NotFoundError {
  return new NotFoundError(`There is no user with the address ${email}.`, 'user_not_found');
}

function wrongPassword(): ForbiddenError {
  return new ForbiddenError('The current password is wrong.', 'wrong_password');
}
