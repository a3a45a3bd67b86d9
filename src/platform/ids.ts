import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * A new identifier: `<prefix>_` and 26 base-32 characters (130 random bits; Crockford's alphabet, lower-case,
 * so that nobody mistakes 0 for o or 1 for l).
 */
export function newId(prefix: 'acc' | 'key' | 'ep' | 'req'): string {
  const bytes = randomBytes(26);
  let text = '';
  for (const byte of bytes) text += ALPHABET[byte & 31]!;
  return `${prefix}_${text}`;
}
