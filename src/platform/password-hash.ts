import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { UnavailableError } from '../domain/errors';
import { createTurns } from './turns';

/**
 * The package's default algorithm, Argon2id, at OWASP's parameters (Password Storage Cheat Sheet): 19 MiB, two passes,
 * one lane.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** Half of libuv's four threads, which DNS and files need too. */
const MAX_AT_ONCE = 2;
/** About two seconds of waiting. */
const MAX_WAITING = 60;

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/** Hashes passwords slowly, and never so many at a time that sign-ins use up the process's memory. */
export function createPasswordHasher() {
  const turns = createTurns(MAX_AT_ONCE);
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (turns.waiting() >= MAX_WAITING) throw signInBusy();
    return turns.take(work);
  };

  let nobodys: Promise<string> | undefined;
  return {
    /** @throws UnavailableError when too many wait already */
    hash: (password: string) => inTurn(() => hash(password, PARAMETERS)),
    /**
     * @param stored the result of `hash`; undefined takes the same time and never matches, so that the time does not
     *   reveal whether an account exists
     * @throws UnavailableError when too many wait already
     */
    async verify(stored: string | undefined, password: string): Promise<boolean> {
      nobodys ??= hash(randomBytes(32), PARAMETERS);
      const fallback = await nobodys;
      const isRight = await inTurn(() => verify(stored ?? fallback, password));
      return isRight && stored !== undefined;
    },
  };
}

/** The error when too many wait for their password. */
export function signInBusy(): UnavailableError {
  return new UnavailableError('Too many people sign in at this moment. Try again.', 'sign_in_busy', 2);
}
