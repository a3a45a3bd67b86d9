import { UnprocessableError } from '../domain/errors';
import type { IsGuessable } from '../platform/password-strength';

const MIN_LENGTH = 12;
const MAX_LENGTH = 128;

/** One form of each character (NIST SP 800-63B): the same password typed on another machine has the same bytes. */
export function normalisePassword(password: string): string {
  return password.normalize('NFKC');
}

/**
 * Checks a new password: its length, and how easy it is to guess. No rule requires particular kinds of characters.
 *
 * @throws UnprocessableError with what would be right
 */
export async function requireGoodPassword(
  deps: { isGuessable: IsGuessable },
  password: string,
  email: string,
): Promise<void> {
  const stored = normalisePassword(password);
  const { length } = Array.from(stored);
  if (length < MIN_LENGTH || length > MAX_LENGTH) {
    throw weak(`A password has ${MIN_LENGTH} to ${MAX_LENGTH} characters.`);
  }
  if (await deps.isGuessable(stored, [email, ...email.split('@'), ...email.split(/[@.+_-]/), 'everpost'])) {
    throw weak(
      'This password is easy to guess. Take several words that do not belong together, or let a password manager make one.',
    );
  }
}

function weak(message: string): UnprocessableError {
  return new UnprocessableError(message, 'weak_password', [{ path: 'password', message }]);
}
