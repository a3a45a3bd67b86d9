import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { UnavailableError } from '../domain/errors';
import { createConcurrencyLimit } from './concurrency-limit';

/**
 * The package's default algorithm, Argon2id, at OWASP's parameters (Password Storage Cheat Sheet): 19 MiB, two passes,
 * one lane.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** About three seconds of waiting. */
const MAX_WAITING = 60;

export type PasswordHasher = ReturnType<typeof createPasswordHasher>;

/**
 * Hashes passwords slowly, and never so many at a time that sign-ins use up the process's memory.
 *
 * Users who are known by a session or by a browser that signed in before have a lane of their own, so strangers can't
 * fill it. In that lane each user has one password at a time; another one waits among the strangers, so one user can't
 * fill it either. Strangers use at most half of one processor: after each password their lane rests for as long as the
 * password took.
 */
export function createPasswordHasher() {
  const strangers = createConcurrencyLimit(1, 1);
  const known = createConcurrencyLimit(1);
  const inKnownLane = new Set<string>();
  const mayUseKnownLane = (knownAs: string | undefined): knownAs is string =>
    knownAs !== undefined && !inKnownLane.has(knownAs) && known.waiting() < MAX_WAITING;
  const requireCapacity = (knownAs: string | undefined): void => {
    if (!mayUseKnownLane(knownAs) && strangers.waiting() >= MAX_WAITING) throw signInBusy();
  };
  const inTurn = async <T>(work: () => Promise<T>, knownAs: string | undefined): Promise<T> => {
    requireCapacity(knownAs);
    if (mayUseKnownLane(knownAs)) {
      inKnownLane.add(knownAs);
      return known.run(work).finally(() => inKnownLane.delete(knownAs));
    }
    return strangers.run(work);
  };

  let decoy: Promise<string> | undefined;
  return {
    /**
     * Refuses early, before a caller has cost anything else.
     *
     * @param knownAs the user, if known
     * @throws UnavailableError when too many wait already
     */
    requireCapacity,
    /**
     * @param knownAs the user, if known
     * @throws UnavailableError when too many wait already
     */
    hash: (password: string, knownAs?: string) => inTurn(() => hash(password, PARAMETERS), knownAs),
    /**
     * @param stored the result of `hash`; undefined takes the same time and never matches, so that the time does not
     *   reveal whether an account exists
     * @param knownAs the user, if known
     * @throws UnavailableError when too many wait already
     */
    async verify(stored: string | undefined, password: string, knownAs?: string): Promise<boolean> {
      decoy ??= hash(randomBytes(32), PARAMETERS);
      const fallback = await decoy;
      const isRight = await inTurn(() => verify(stored ?? fallback, password), knownAs);
      return isRight && stored !== undefined;
    },
  };
}

/** The error when too many wait for their password. */
export function signInBusy(): UnavailableError {
  return new UnavailableError('Too many people sign in at this moment. Try again.', 'sign_in_busy', 2);
}
