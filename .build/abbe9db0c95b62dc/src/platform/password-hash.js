"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createPasswordHasher = createPasswordHasher;
const node_crypto_1 = require("node:crypto");
const argon2_1 = require("@node-rs/argon2");
const errors_1 = require("../domain/errors");
const turns_1 = require("./turns");
/** The package's default algorithm, Argon2id, at OWASP's parameters (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Half of libuv's four threads, which DNS and files need too. */
const MAX_AT_ONCE = 2;
/** About two seconds of waiting. */
const MAX_WAITING = 60;
function createPasswordHasher() {
    const turns = (0, turns_1.createTurns)(MAX_AT_ONCE);
    const inTurn = async (work) => {
        if (turns.waiting() >= MAX_WAITING) {
            throw new errors_1.UnavailableError('Too many people sign in at this moment. Try again.', 'sign_in_busy', 2);
        }
        return turns.take(work);
    };
    let nobodys;
    return {
        hash: (password) => inTurn(() => (0, argon2_1.hash)(password, PARAMETERS)),
        async verify(stored, password) {
            nobodys ??= (0, argon2_1.hash)((0, node_crypto_1.randomBytes)(32), PARAMETERS);
            const fallback = await nobodys;
            const isRight = await inTurn(() => (0, argon2_1.verify)(stored ?? fallback, password));
            return isRight && stored !== undefined;
        },
    };
}
//# sourceMappingURL=password-hash.js.map