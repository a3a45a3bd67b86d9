import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { UnavailableError } from '../domain/errors';

/** A secret at rest: AES-256-GCM, with the id of its key. */
export interface SealedSecret {
  /** First 8 hexadecimal digits of the SHA-256 of the key. */
  readonly key_id: string;
  /** Nonce (12 bytes), ciphertext and tag (16 bytes), in base64. */
  readonly box: string;
}

/** A secret is sealed with a key that this process does not have; other processes, or a later start, may have it. */
export class MissingKeyError extends UnavailableError {
  constructor(keyId: string) {
    super(
      'What this call needs is sealed with an encryption key that this server does not have. Try again in a moment; ' +
        'if that does not help, its operator has to add the key to ENCRYPTION_KEY. The log says which one.',
      'encryption_key_missing',
      RETRY_SECONDS,
      `no key with the id ${keyId} is in ENCRYPTION_KEY`,
    );
  }
}

/** As when the database is away: while processes restart one after the other, the next one may have the key. */
export const RETRY_SECONDS = 2;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type SecretBox = ReturnType<typeof createSecretBox>;

/**
 * Encrypts secrets that must not be stored in the clear.
 *
 * @param keys AES-256 keys in base64: the first one seals, all of them open
 * @throws Error when there is no key
 */
export function createSecretBox(keys: readonly string[]) {
  const ring = keys.map((base64) => {
    const key = Buffer.from(base64, 'base64');
    return { key, id: createHash('sha256').update(key).digest('hex').slice(0, 8) };
  });
  const [first, ...others] = ring;
  if (!first) throw new Error('ENCRYPTION_KEY is not set. Make one with: openssl rand -base64 32');
  const keyIds: readonly [string, ...string[]] = [first.id, ...others.map(({ id }) => id)];
  return {
    /** Ids of its keys: the first one seals, all of them open. At least one. */
    keyIds,
    /** @param context binds the secret to its owner, so it can't be opened in another's place */
    seal(secret: string, context: string): SealedSecret {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first.key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { key_id: first.id, box: sealed.toString('base64') };
    },
    /**
     * @throws MissingKeyError when this process does not have the key
     * @throws Error when the key is there and does not open it: it was changed, or is in another's place
     */
    open(sealed: SealedSecret, context: string): string {
      const entry = ring.find(({ id }) => id === sealed.key_id);
      if (!entry) throw new MissingKeyError(sealed.key_id);
      const bytes = Buffer.from(sealed.box, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', entry.key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString();
    },
  };
}
