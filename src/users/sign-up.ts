import { normaliseEmail } from '../accounts/email';
import type { Account } from '../accounts/account-store';
import { actorOf, type By } from '../domain/audit-actions';
import { ConflictError, ForbiddenError } from '../domain/errors';
import type { Clock } from '../platform/clock';
import { newId } from '../platform/ids';
import type { IsGuessable } from '../platform/password-strength';
import { startSession, type Client } from './start-session';
import { countSignUp } from './limit-tries';
import { normalisePassword, requireGoodPassword } from './password-rules';
import { noteSession, type SignedIn, type SignInDeps } from './sign-in';
import type { User } from './user-store';

/** What signing up needs. */
export interface SignUpDeps extends SignInDeps {
  readonly isGuessable: IsGuessable;
  readonly clock: Clock;
  /** Whether strangers may make accounts. */
  readonly signUpIsOpen: boolean;
}

const FIRST_TIER = 'free';

/**
 * Makes an account with its owner, and signs the owner in.
 *
 * @throws ForbiddenError when sign-up is switched off
 * @throws UnprocessableError for a password that is easy to guess
 * @throws ConflictError when the address has an account already
 * @throws TooManyRequestsError after 10 from one client address in an hour
 */
export async function signUp(
  deps: SignUpDeps,
  input: { email: string; password: string },
  client: Client,
): Promise<SignedIn> {
  if (!deps.signUpIsOpen) {
    throw new ForbiddenError('Accounts are made by the operator of this installation.', 'sign_up_closed');
  }
  const email = normaliseEmail(input.email);
  await countSignUp(deps.tries, client.address);
  await requireGoodPassword(deps, input.password, email);
  const createdAt = new Date(deps.clock());
  const account: Account = {
    _id: newId('acc'),
    email,
    tier: FIRST_TIER,
    endpoints_version: 0,
    created_at: createdAt,
  };
  const user: User = {
    _id: newId('usr'),
    account_id: account._id,
    email,
    password_hash: await deps.hasher.hash(normalisePassword(input.password)),
    role: 'owner',
    operator: false,
    created_at: createdAt,
  };
  const by: By = { actor: actorOf(user), address: client.address };
  if (!(await deps.users.insertWithAccount(user, account, by))) throw emailTaken(email);
  return enter(deps, user, client);
}

/** Signs in somebody who has just been made a user. */
export async function enter(
  deps: Pick<SignInDeps, 'sessions' | 'audit'>,
  user: User,
  client: Client,
): Promise<SignedIn> {
  const session = await startSession(deps, user, client);
  await noteSession(deps, { user, id: session.id }, client);
  return { user, token: session.token };
}

export function emailTaken(email: string): ConflictError {
  return new ConflictError(`There is an account for ${email} already.`, 'email_taken');
}
