import { createHash, randomBytes } from 'node:crypto';
import type { SecretBox } from '../platform/secret-box';
import type { User, UserStore } from './user-store';

/** What sealing and opening a proof needs. */
export interface DeviceDeps {
  readonly secretBox: SecretBox;
  readonly users: Pick<UserStore, 'findByEmail'>;
}

/** Key id and box of a `SealedSecret`, the latter in base64url, which cookies allow. */
const PROOF = /^([0-9a-f]{8})\.([\w-]{1,200})$/;

/**
 * Makes the proof that a browser signed in as this user (OWASP, "Device cookies"). It grants no access. With it, tries
 * to sign in count separately, so that other people's tries don't lock the user out. It is void after the user's
 * password changes.
 */
export function proveDevice({ secretBox }: Pick<DeviceDeps, 'secretBox'>, user: User): string {
  const device = randomBytes(16).toString('hex');
  const sealed = secretBox.seal(`${device} ${fingerprintOf(user)}`, contextOf(user.email));
  return `${sealed.key_id}.${Buffer.from(sealed.box, 'base64').toString('base64url')}`;
}

/**
 * The device of a proof; undefined if it was not made for this user with the current password.
 *
 * @param email as `normaliseEmail` spells it
 */
export async function findDevice(
  { secretBox, users }: DeviceDeps,
  proof: string | undefined,
  email: string,
): Promise<string | undefined> {
  const opened = open(secretBox, proof, email);
  if (opened === undefined) return undefined;
  // Only now: an invented proof costs no query, and the time does not reveal who has an account.
  const user = await users.findByEmail(email);
  const [device, fingerprint] = opened.split(' ');
  return user && fingerprint === fingerprintOf(user) ? device : undefined;
}

function open(secretBox: SecretBox, proof: string | undefined, email: string): string | undefined {
  const [, keyId, box] = PROOF.exec(proof ?? '') ?? [];
  if (keyId === undefined || box === undefined) return undefined;
  try {
    return secretBox.open({ key_id: keyId, box }, contextOf(email));
  } catch {
    // Another user's, invented, or sealed with a removed key.
    return undefined;
  }
}

function contextOf(email: string): string {
  return `device of ${email}`;
}

function fingerprintOf(user: User): string {
  return createHash('sha256').update(user.password_hash).digest('hex');
}
