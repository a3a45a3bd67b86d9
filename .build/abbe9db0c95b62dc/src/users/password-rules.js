"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.normalisePassword = normalisePassword;
exports.requireGoodPassword = requireGoodPassword;
const errors_1 = require("../domain/errors");
const MIN_LENGTH = 12;
const MAX_LENGTH = 128;
/** One form of each character (NIST SP 800-63B): the same password typed on another machine is the same bytes. */
function normalisePassword(password) {
    return password.normalize('NFKC');
}
/**
 * Judges a new password: its length and how easily it is guessed. No rule says which kinds of characters it needs.
 *
 * @throws UnprocessableError saying what would be right
 */
async function requireGoodPassword(deps, password, email) {
    const stored = normalisePassword(password);
    const { length } = Array.from(stored);
    if (length < MIN_LENGTH || length > MAX_LENGTH) {
        throw weak(`A password has ${MIN_LENGTH} to ${MAX_LENGTH} characters.`);
    }
    if (await deps.isGuessable(stored, [email, ...email.split('@'), ...email.split(/[@.+_-]/), 'everpost'])) {
        throw weak('This password is easy to guess. Take several words that do not belong together, or let a password manager make one.');
    }
}
function weak(message) {
    return new errors_1.UnprocessableError(message, 'weak_password', [{ path: 'password', message }]);
}
//# sourceMappingURL=password-rules.js.map