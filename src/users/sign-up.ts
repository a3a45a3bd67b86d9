import { normaliseEmail } from '../accounts/email';
import { actorOf } from '../domain/audit-actions';
import { ForbiddenError } from '../domain/errors';
import { startSession, type Client } from './start-session';
import { countSignUp } from './limit-tries';
import { createUserWithAccount, type NewUserDeps } from './create-user';
import { noteSession, type SignedIn, type SignInDeps } from './sign-in';
import type { User } from './user-store';

/** What signing up needs. */
export interface SignUpDeps extends SignInDeps, NewUserDeps {
  /** Whether anyone may create an account. */
  readonly signUpIsOpen: boolean;
}

const FIRST_TIER = 'free';

/**
 * Creates an account and its owner, and signs the owner in.
 *
 * @throws ForbiddenError when sign-up is switched off
 * @throws UnprocessableError for a password that is easy to guess
 * @throws ConflictError when the address already has an account
 * @throws TooManyRequestsError after 10 from one client address in an hour
 */
export async function signUp(
  deps: SignUpDeps,
  input: { email: string; password: string },
  client: Client,
): Promise<SignedIn> {
  if (!deps.signUpIsOpen) {
    throw new ForbiddenError('Only the operator of this installation can create accounts.', 'sign_up_closed');
  }
  // An invalid address is no try.
  const email = normaliseEmail(input.email);
  await countSignUp(deps.tries, client.address);
  const user = await createUserWithAccount(
    deps,
    { email, password: input.password, tier: FIRST_TIER, operator: false },
    (owner) => ({ actor: actorOf(owner), address: client.address }),
  );
  return enter(deps, user, client);
}

/** Signs in a user who was just created. */
export async function enter(
  deps: Pick<SignInDeps, 'sessions' | 'audit'>,
  user: User,
  client: Client,
): Promise<SignedIn> {
  const session = await startSession(deps, user, client);
  await noteSession(deps, { user, id: session.id }, client);
  return { user, token: session.token };
}
