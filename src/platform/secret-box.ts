import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** A secret at rest: AES-256-GCM, and which key opens it. */
export interface SealedSecret {
  /** First 8 hexadecimal digits of the SHA-256 of the key. */
  readonly key_id: string;
  /** Nonce (12 bytes), ciphertext and tag (16 bytes), in base64. */
  readonly box: string;
}

/** Encrypts what must not stand in the database in the clear. */
export interface SecretBox {
  /** @param context binds the secret to its owner: it can't be opened in another's place */
  seal(secret: string, context: string): SealedSecret;
  /** @throws Error when no configured key opens it */
  open(sealed: SealedSecret, context: string): string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * @param keys AES-256 keys in base64, newest first: the first one seals, all of them open
 * @throws Error when there is no key
 */
export function createSecretBox(keys: readonly string[]): SecretBox {
  const ring = keys.map((base64) => {
    const key = Buffer.from(base64, 'base64');
    return { key, id: createHash('sha256').update(key).digest('hex').slice(0, 8) };
  });
  const [newest] = ring;
  if (!newest) throw new Error('ENCRYPTION_KEY is not set. Make one with: openssl rand -base64 32');
  return {
    seal(secret, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', newest.key, nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return { key_id: newest.id, box: sealed.toString('base64') };
    },
    open(sealed, context) {
      const entry = ring.find(({ id }) => id === sealed.key_id);
      if (!entry) throw new Error(`no ENCRYPTION_KEY with the id ${sealed.key_id} is configured`);
      const bytes = Buffer.from(sealed.box, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', entry.key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString();
    },
  };
}
