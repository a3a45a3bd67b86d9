"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.newId = newId;
const node_crypto_1 = require("node:crypto");
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 26;
/** Random bytes for the next ids: asking for many at once costs as much as asking for a few. */
const pool = Buffer.alloc(LENGTH * 128);
let used = pool.length;
/**
 * A new identifier: `<prefix>_` and 26 base-32 characters (130 random bits; Crockford's alphabet, lower-case,
 * so that nobody mistakes 0 for o or 1 for l).
 */
function newId(prefix) {
    if (used === pool.length) {
        (0, node_crypto_1.randomFillSync)(pool);
        used = 0;
    }
    let text = `${prefix}_`;
    for (const end = used + LENGTH; used < end; used += 1)
        text += ALPHABET[pool[used] & 31];
    return text;
}
//# sourceMappingURL=ids.js.map