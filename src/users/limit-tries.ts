import { TooManyRequestsError } from '../domain/errors';
import { networksOf } from '../domain/client-networks';
import type { TryCounter, TryLimit } from './try-count-store';

const QUARTER_HOUR_MS = 15 * 60_000;

/** Wrong passwords for one e-mail address from one client address, or from one browser that signed in before. */
const PER_PERSON: TryLimit = { tries: 5, windowMs: QUARTER_HOUR_MS };
/** Wrong passwords from one client address, for any user: against trying one password on many users. */
const PER_ADDRESS: TryLimit = { tries: 50, windowMs: QUARTER_HOUR_MS };
/** Wrong passwords for one e-mail address from everywhere, after which each client address has one try instead of five. */
const PER_USER: TryLimit = { tries: 20, windowMs: QUARTER_HOUR_MS };
const PER_PERSON_THEN: TryLimit = { tries: 1, windowMs: QUARTER_HOUR_MS };
/** New accounts, and set-up links, from one client address. */
const SIGN_UPS: TryLimit = { tries: 10, windowMs: 4 * QUARTER_HOUR_MS };

/** Who tries to sign in, and from where. */
export interface Trier {
  readonly email: string;
  readonly address: string;
  /** The browser that signed in with this e-mail address before (`findDevice`). */
  readonly device: string | undefined;
}

/**
 * Counts a try to sign in. Tries of a browser that signed in before count separately: tries of others at the same
 * address don't lock its user out. Nor do tries from everywhere: they only take tries from each address.
 *
 * @throws TooManyRequestsError after 5 tries for one e-mail address from one client address (or one such browser) in 15
 *   minutes, after one while guesses for it come from many addresses, and after 50 from one client address
 */
export async function countSignIn(tries: TryCounter, trier: Trier): Promise<void> {
  if (trier.device !== undefined) return countTry(tries, deviceOf(trier.device), PER_PERSON);
  await countIn(tries, 'address', trier.address, PER_ADDRESS);
  await countTry(tries, personOf(trier), PER_PERSON);
  const isGuessed = (await tries.count(userOf(trier), PER_USER)) > 0;
  if (isGuessed) await countTry(tries, `${personOf(trier)} then`, PER_PERSON_THEN);
}

/** The password was right: earlier tries for this user no longer count. */
export async function forgetSignIns(tries: TryCounter, trier: Trier): Promise<void> {
  if (trier.device !== undefined) return tries.forget(deviceOf(trier.device));
  // A correct password must not erase the tries for other users from the same address.
  await Promise.all([
    tries.forget(personOf(trier)),
    tries.forget(`${personOf(trier)} then`),
    tries.takeBack(userOf(trier)),
    ...networksOf(trier.address).map(({ network }) => tries.takeBack(`address ${network}`)),
  ]);
}

/** @throws TooManyRequestsError after 10 from one client address in an hour */
export function countSignUp(tries: TryCounter, address: string): Promise<void> {
  return countIn(tries, 'sign-up', address, SIGN_UPS);
}

function deviceOf(device: string): string {
  return `device ${device}`;
}

function personOf({ email, address }: Trier): string {
  return `person ${email} ${address}`;
}

function userOf({ email }: Trier): string {
  return `user ${email}`;
}

/** Counts in the client's networks, the smallest first: what one of them refuses uses up nothing of the wider ones. */
async function countIn(tries: TryCounter, what: string, address: string, limit: TryLimit): Promise<void> {
  for (const { network, share } of networksOf(address)) {
    await countTry(tries, `${what} ${network}`, { ...limit, tries: limit.tries * share });
  }
}

async function countTry(tries: TryCounter, what: string, limit: TryLimit): Promise<void> {
  const waitSeconds = await tries.count(what, limit);
  if (waitSeconds === 0) return;
  const minutes = Math.ceil(waitSeconds / 60);
  throw new TooManyRequestsError(
    `Too many tries from here. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    'too_many_tries',
    waitSeconds,
  );
}
