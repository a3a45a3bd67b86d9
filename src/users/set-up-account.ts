import { createHash, randomBytes } from 'node:crypto';
import { normaliseEmail } from '../accounts/email';
import { actorOf, type By } from '../domain/audit-actions';
import { NotFoundError } from '../domain/errors';
import type { Client } from './start-session';
import { countSignUp } from './limit-tries';
import { emailTaken, newUser } from './create-user';
import type { SetupLinkStore } from './setup-link-store';
import type { SignedIn } from './sign-in';
import { enter, type SignUpDeps } from './sign-up';

/** What claiming needs. */
export interface SetUpDeps extends Omit<SignUpDeps, 'signUpIsOpen'> {
  readonly setupLinks: SetupLinkStore;
}

/**
 * Makes a link with which its user becomes the owner of the account, and an operator. It works once, for 24 hours; a
 * later link replaces it.
 *
 * @returns the token of the link, which is not stored
 */
export async function createSetupLink(
  deps: { setupLinks: SetupLinkStore },
  accountId: string,
  by: By,
): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  await deps.setupLinks.replace(hashOf(token), accountId, by);
  return token;
}

/**
 * Makes the user of a set-up link the owner of its account and an operator, and signs in.
 *
 * @throws NotFoundError when the link was used, has expired, or never existed
 * @throws UnprocessableError for a password that is easy to guess; the link remains valid
 * @throws ConflictError when the e-mail address already has an account; the link remains valid
 */
export async function setUpAccount(
  deps: SetUpDeps,
  input: { token: string; email: string; password: string },
  client: Client,
): Promise<SignedIn> {
  const email = normaliseEmail(input.email);
  await countSignUp(deps.tries, client.address);
  const hash = hashOf(input.token);
  const link = await deps.setupLinks.find(hash);
  if (!link) throw linkNotFound();
  const { password } = input;
  const user = await newUser(deps, { accountId: link.account_id, email, password, operator: true });
  const by: By = { actor: actorOf(user), address: client.address };
  const isInserted = await deps.users.insertWithLink(user, by, async (session) => {
    if (!(await deps.setupLinks.remove(hash, session))) throw linkNotFound();
  });
  if (!isInserted) throw emailTaken(email);
  return enter(deps, user, client);
}

function linkNotFound(): NotFoundError {
  return new NotFoundError(
    'This set-up link was used or has expired. "npm start" and "everpost user setup-link" make a new one.',
    'setup_link_not_found',
  );
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
