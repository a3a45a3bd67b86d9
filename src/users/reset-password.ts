import { normaliseEmail } from '../accounts/email';
import type { By } from '../domain/audit-actions';
import { NotFoundError } from '../domain/errors';
import { setPassword, type PasswordDeps } from './change-password';
import { requireGoodPassword } from './password-rules';
import type { User } from './user-store';

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
  const user = await deps.users.findByEmail(email);
  if (!user) throw new NotFoundError(`There is no user with the address ${email}.`, 'user_not_found');
  await requireGoodPassword(deps, input.password, email);
  await setPassword(deps, user, input.password, { ...by, action: 'password.reset' });
  return user;
}
