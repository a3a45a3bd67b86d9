import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { formatPortalToken } from '../domain/portal-token';
import { createSecretBox, type SealedSecret } from '../platform/secret-box';

/** 256 bits: too many to guess, so a plain hash is enough to store. */
const RANDOM_BYTES = 32;

/** A new token of a session. */
export function newToken(): string {
  return formatPortalToken(newCode());
}

/** A new code, which is swapped for the token. */
export function newCode(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** The hash by which a token or a code is looked up: SHA-256, hexadecimal. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Seals a token so that only its code opens it: neither can be read in the database. */
export function sealToken(token: string, code: string, sessionId: string): SealedSecret {
  return boxOf(code).seal(token, sessionId);
}

/** The token that `sealToken` sealed. @throws Error for another code */
export function openToken(sealed: SealedSecret, code: string, sessionId: string): string {
  return boxOf(code).open(sealed, sessionId);
}

/** HKDF keeps the key apart from the hash of the code, which is stored. */
function boxOf(code: string) {
  const key = hkdfSync('sha256', code, '', 'portal session token', RANDOM_BYTES);
  return createSecretBox([Buffer.from(key).toString('base64')]);
}
