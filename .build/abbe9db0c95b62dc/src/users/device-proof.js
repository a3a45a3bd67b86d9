"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.proveDevice = proveDevice;
exports.findDevice = findDevice;
const node_crypto_1 = require("node:crypto");
/** Key id and box of a `SealedSecret`, the latter in base64url: what a cookie may hold. */
const PROOF = /^([0-9a-f]{8})\.([\w-]{1,200})$/;
/**
 * Makes the proof that a browser signed in as this user (OWASP, "Device cookies"). It opens nothing: with it, tries to sign
 * in count by themselves, so that nobody else's lock the user out. It is worth nothing after the user's password changes.
 */
function proveDevice({ secretBox }, user) {
    const device = (0, node_crypto_1.randomBytes)(16).toString('hex');
    const sealed = secretBox.seal(`${device} ${fingerprintOf(user)}`, contextOf(user.email));
    return `${sealed.key_id}.${Buffer.from(sealed.box, 'base64').toString('base64url')}`;
}
/**
 * The device that a proof is of; undefined for what was not made for this user with the present password.
 *
 * @param email as `normaliseEmail` spells it
 */
async function findDevice({ secretBox, users }, proof, email) {
    const opened = open(secretBox, proof, email);
    if (opened === undefined)
        return undefined;
    // Only now: a stranger's invention costs no query, and nobody learns from its time who has an account.
    const user = await users.findByEmail(email);
    const [device, fingerprint] = opened.split(' ');
    return user && fingerprint === fingerprintOf(user) ? device : undefined;
}
function open(secretBox, proof, email) {
    const [, keyId, box] = PROOF.exec(proof ?? '') ?? [];
    if (keyId === undefined || box === undefined)
        return undefined;
    try {
        return secretBox.open({ key_id: keyId, box }, contextOf(email));
    }
    catch {
        // Another user's, an invention, or sealed with a key that was retired.
        return undefined;
    }
}
function contextOf(email) {
    return `device of ${email}`;
}
function fingerprintOf(user) {
    return (0, node_crypto_1.createHash)('sha256').update(user.password_hash).digest('hex');
}
//# sourceMappingURL=device-proof.js.map