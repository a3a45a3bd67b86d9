import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

/** Seals and opens what one account sent and what its receivers answered. All functions are synchronous and take microseconds. */
export interface AccountKey {
  /**
   * @param owner the document that the box belongs to, such as `event:<id>`: it has a key of its own
   * @param part binds the box to its place in that document
   * @returns the version, a nonce (12 bytes), the ciphertext and a tag (16 bytes)
   */
  seal(owner: string, part: string, bytes: Uint8Array): Buffer;
  /** @throws Error if the box was changed, or belongs to another owner or part */
  open(owner: string, part: string, box: Uint8Array): Buffer;
  /** What a search value is stored as: equal for equal values, 22 characters of base64url. */
  searchToken(value: string): string;
  /** What the hash of a payload is stored as: it can be compared to a guess only with the key. */
  hashToken(hash: string): string;
}

/** The length of a data key, for AES-256. */
export const DATA_KEY_BYTES = 32;

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEARCH_TOKEN_BYTES = 16;

/**
 * The functions of an account's data key. The data key itself seals nothing: each owner's key is derived from it, so the
 * limit of 2^32 random nonces for one key (NIST SP 800-38D, 8.3) is one for each document and not for an account.
 *
 * @param dataKey 32 random bytes
 */
export function createAccountKey(dataKey: Uint8Array): AccountKey {
  const derive = (purpose: string): Buffer => createHmac('sha256', dataKey).update(purpose).digest();
  const searchKey = derive('search values');
  const hashKey = derive('payload hashes');
  return {
    seal(owner, part, bytes) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', derive(owner), nonce).setAAD(Buffer.from(part));
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
    },
    open(owner, part, box) {
      if (box[0] !== VERSION) throw new Error(`a sealed payload has the unknown version ${box[0]}`);
      const nonce = box.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', derive(owner), nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(part))
        .setAuthTag(box.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(box.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    },
    searchToken: (value) =>
      createHmac('sha256', searchKey).update(value).digest().subarray(0, SEARCH_TOKEN_BYTES).toString('base64url'),
    hashToken: (hash) => createHmac('sha256', hashKey).update(hash).digest('base64url'),
  };
}
