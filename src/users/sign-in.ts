import type { AuditLog } from '../accounts/audit-store';
import { UnauthorizedError } from '../domain/errors';
import { normaliseEmail } from '../accounts/email';
import type { PasswordHasher } from '../platform/password-hash';
import { startSession, type Client } from './start-session';
import type { SessionStore } from './session-store';
import { findDevice, type DeviceDeps } from './device-proof';
import { countSignIn, forgetSignIns } from './limit-tries';
import { normalisePassword } from './password-rules';
import type { User, UserStore } from './user-store';
import type { TryCounter } from './try-count-store';

/** What signing in needs. */
export interface SignInDeps extends DeviceDeps {
  readonly users: UserStore;
  readonly sessions: SessionStore;
  readonly tries: TryCounter;
  readonly hasher: PasswordHasher;
  readonly audit: AuditLog;
}

/** A user who has just signed in. */
export interface SignedIn {
  readonly user: User;
  /** For the cookie. */
  readonly token: string;
}

/**
 * Signs a user in. A wrong password and an unknown address can't be told apart by the answer or its timing.
 *
 * @param client `deviceProof` is the browser's proof of an earlier sign-in
 * @throws UnauthorizedError when address and password do not match
 * @throws TooManyRequestsError after too many tries
 */
export async function signIn(
  deps: SignInDeps,
  input: { email: string; password: string },
  client: Client & { readonly deviceProof: string | undefined },
): Promise<SignedIn> {
  const email = spellingOf(input.email);
  const device = await findDevice(deps, client.deviceProof, email);
  const trier = { email, address: client.address, device };
  const knownAs = device === undefined ? undefined : email;
  // A try that gets no turn is no guess, and must not cost MongoDB its counts.
  deps.hasher.requireCapacity(knownAs);
  await countSignIn(deps.tries, trier);
  const user = await deps.users.findByEmail(email);
  if (!(await deps.hasher.verify(user?.password_hash, normalisePassword(input.password), knownAs))) {
    await refuse(deps, trier, user);
  }
  const signedIn = { user: user!, ...(await startSession(deps, user!, client)) };
  const asNow = await deps.users.find(user!._id);
  if (asNow?.password_hash !== user!.password_hash) {
    // The password was changed while it was verified, so this was the old one.
    await deps.sessions.revoke(user!._id, signedIn.id);
    await refuse(deps, trier, user);
  }
  await forgetSignIns(deps.tries, trier);
  await noteSession(deps, signedIn, client);
  return signedIn;
}

/** Records that a session was started. */
export async function noteSession(
  deps: Pick<SignInDeps, 'audit'>,
  { user, id }: { user: User; id: string },
  client: Client,
): Promise<void> {
  await deps.audit.record({
    accountId: user.account_id,
    actor: { type: 'user', id: user._id, name: user.email },
    action: 'session.started',
    object: id,
    address: client.address,
  });
}

async function refuse(
  deps: SignInDeps,
  { email, address }: { email: string; address: string },
  user: User | null,
): Promise<never> {
  await deps.audit.record({
    accountId: user?.account_id ?? null,
    // Never what was typed, unless it is a user's address: people type passwords into the wrong field.
    actor: { type: 'user', id: user?._id ?? null, name: user ? email : 'an unknown address' },
    action: 'session.refused',
    object: null,
    address,
  });
  throw new UnauthorizedError('Wrong e-mail address or password.', 'invalid_credentials');
}

/** An invalid address belongs to no user; it is refused like any other. */
function spellingOf(email: string): string {
  try {
    return normaliseEmail(email);
  } catch {
    return email.trim().toLowerCase();
  }
}
