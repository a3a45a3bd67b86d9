"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.MissingKeyError = void 0;
exports.createSecretBox = createSecretBox;
const node_crypto_1 = require("node:crypto");
const errors_1 = require("../domain/errors");
/** A secret is sealed with a key that this process does not have; other processes, or a later start, may have it. */
class MissingKeyError extends errors_1.UnavailableError {
    constructor(keyId) {
        super('A secret of the endpoint is sealed with an encryption key that this server does not have. Try again in a moment; ' +
            'if that does not help, its operator has to add the key to ENCRYPTION_KEY. The log says which one.', 'encryption_key_missing', RETRY_SECONDS, `no key with the id ${keyId} is in ENCRYPTION_KEY`);
    }
}
exports.MissingKeyError = MissingKeyError;
/** As for a database that is away: while processes restart one after the other, the next one asked may have the key. */
const RETRY_SECONDS = 2;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/**
 * @param keys AES-256 keys in base64: the first one seals, all of them open
 * @throws Error when there is no key
 */
function createSecretBox(keys) {
    const ring = keys.map((base64) => {
        const key = Buffer.from(base64, 'base64');
        return { key, id: (0, node_crypto_1.createHash)('sha256').update(key).digest('hex').slice(0, 8) };
    });
    const [first, ...others] = ring;
    if (!first)
        throw new Error('ENCRYPTION_KEY is not set. Make one with: openssl rand -base64 32');
    return {
        keyIds: [first.id, ...others.map(({ id }) => id)],
        seal(secret, context) {
            const nonce = (0, node_crypto_1.randomBytes)(NONCE_BYTES);
            const cipher = (0, node_crypto_1.createCipheriv)('aes-256-gcm', first.key, nonce).setAAD(Buffer.from(context));
            const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
            return { key_id: first.id, box: sealed.toString('base64') };
        },
        open(sealed, context) {
            const entry = ring.find(({ id }) => id === sealed.key_id);
            if (!entry)
                throw new MissingKeyError(sealed.key_id);
            const bytes = Buffer.from(sealed.box, 'base64');
            const decipher = (0, node_crypto_1.createDecipheriv)('aes-256-gcm', entry.key, bytes.subarray(0, NONCE_BYTES))
                .setAAD(Buffer.from(context))
                .setAuthTag(bytes.subarray(-TAG_BYTES));
            return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString();
        },
    };
}
//# sourceMappingURL=secret-box.js.map