import { randomFillSync } from 'node:crypto';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 26;
/** Random bytes for the next ids: reading many at once costs as much as reading a few. */
const pool = Buffer.alloc(LENGTH * 128);
let used = pool.length;

/**
 * A new identifier: `<prefix>_` and 26 base-32 characters (130 random bits; Crockford's alphabet in lower case, so that
 * 0 and o, or 1 and l, can't be confused).
 */
export function newId(prefix: string): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let text = `${prefix}_`;
  for (const end = used + LENGTH; used < end; used += 1) text += ALPHABET[pool[used]! & 31]!;
  return text;
}
