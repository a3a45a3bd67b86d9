import { normaliseEmail } from '../accounts/email';
import { requireAccount } from '../accounts/require-account';
import type { AccountStore } from '../accounts/account-store';
import type { By } from '../domain/audit-actions';
import type { Clock } from '../platform/clock';
import { newId } from '../platform/ids';
import type { PasswordHasher } from '../platform/password-hash';
import type { IsGuessable } from '../platform/password-strength';
import { normalisePassword, requireGoodPassword } from './password-rules';
import { emailTaken } from './sign-up';
import type { User, UserStore } from './user-store';

/** What the operator's command needs. */
export interface CreateUserDeps {
  readonly users: UserStore;
  readonly accounts: AccountStore;
  readonly hasher: PasswordHasher;
  readonly isGuessable: IsGuessable;
  readonly clock: Clock;
}

/**
 * Makes a user of an account that is there.
 *
 * @throws NotFoundError for an unknown account
 * @throws InvalidRequestError for what is no e-mail address
 * @throws UnprocessableError for a password that is easy to guess
 * @throws ConflictError when the address is a user's already
 */
export async function createUser(
  deps: CreateUserDeps,
  input: { accountId: string; email: string; password: string; operator: boolean },
  by: By,
): Promise<User> {
  const email = normaliseEmail(input.email);
  await requireGoodPassword(deps, input.password, email);
  await requireAccount(deps.accounts, input.accountId);
  const user: User = {
    _id: newId('usr'),
    account_id: input.accountId,
    email,
    password_hash: await deps.hasher.hash(normalisePassword(input.password)),
    role: 'owner',
    operator: input.operator,
    created_at: new Date(deps.clock()),
  };
  if (!(await deps.users.insert(user, by))) throw emailTaken(email);
  return user;
}
