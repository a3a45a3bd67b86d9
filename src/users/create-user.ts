import type { AccountStore } from '../accounts/account-store';
import { normaliseEmail } from '../accounts/email';
import { newAccount, requireAccount } from '../accounts/manage-accounts';
import type { By } from '../domain/audit-actions';
import { ConflictError } from '../domain/errors';
import type { Clock } from '../platform/clock';
import { newId } from '../platform/ids';
import type { PasswordHasher } from '../platform/password-hash';
import type { IsGuessable } from '../platform/password-strength';
import { normalisePassword, requireGoodPassword } from './password-rules';
import type { User, UserStore } from './user-store';

/** What creating a user needs. */
export interface NewUserDeps {
  readonly hasher: PasswordHasher;
  readonly isGuessable: IsGuessable;
  readonly clock: Clock;
}

/**
 * Makes a user that is not stored yet.
 *
 * @param input `email` as `normaliseEmail` spells it
 * @throws UnprocessableError for a password that is easy to guess
 */
export async function newUser(
  deps: NewUserDeps,
  input: { accountId: string; email: string; password: string; operator: boolean },
): Promise<User> {
  const { accountId, email, password, operator } = input;
  await requireGoodPassword(deps, password, email);
  return {
    _id: newId('usr'),
    account_id: accountId,
    email,
    password_hash: await deps.hasher.hash(normalisePassword(password)),
    role: 'owner',
    operator,
    created_at: new Date(deps.clock()),
  };
}

/**
 * Creates a user of an existing account.
 *
 * @throws NotFoundError for an unknown account
 * @throws InvalidRequestError for an invalid e-mail address
 * @throws UnprocessableError for a password that is easy to guess
 * @throws ConflictError when the address belongs to a user already
 */
export async function createUser(
  deps: NewUserDeps & { readonly users: UserStore; readonly accounts: AccountStore },
  input: { accountId: string; email: string; password: string; operator: boolean },
  by: By,
): Promise<User> {
  const email = normaliseEmail(input.email);
  const user = await newUser(deps, { ...input, email });
  await requireAccount(deps.accounts, input.accountId);
  if (!(await deps.users.insert(user, by))) throw emailTaken(email);
  return user;
}

/**
 * Creates a user and the user's own account: both or neither.
 *
 * @param byOf the author, who may be the new user
 * @throws InvalidRequestError for an invalid e-mail address
 * @throws UnprocessableError for a password that is easy to guess
 * @throws ConflictError when the address belongs to an account or a user already
 */
export async function createUserWithAccount(
  deps: NewUserDeps & { readonly users: UserStore },
  input: { email: string; password: string; tier: string; operator: boolean },
  byOf: (user: User) => By,
): Promise<User> {
  const { tier, ...rest } = input;
  const account = newAccount(normaliseEmail(input.email), tier, deps.clock());
  const user = await newUser(deps, { ...rest, email: account.email, accountId: account._id });
  if (!(await deps.users.insertWithAccount(user, account, byOf(user)))) throw emailTaken(account.email);
  return user;
}

/** The error for an e-mail address that is taken. */
export function emailTaken(email: string): ConflictError {
  return new ConflictError(`There is an account for ${email} already.`, 'email_taken');
}
