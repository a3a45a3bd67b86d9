"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.normaliseEmail = normaliseEmail;
const errors_1 = require("../domain/errors");
const MAX_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/**
 * The one spelling under which an address is stored and looked for: without spaces around it, in lower case, one form
 * of each character (NFC). Dots and `+tags` stay: only some providers ignore them.
 *
 * @throws InvalidRequestError for an invalid address
 */
function normaliseEmail(text) {
    const email = text.trim().normalize('NFC').toLowerCase();
    const [local = '', domain = ''] = email.split('@');
    const isAddress = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email) && !/^\.|\.$|\.\./.test(local) && !/^[.-]|[.-]$|\.\./.test(domain);
    if (!isAddress || email.length > MAX_LENGTH || local.length > MAX_LOCAL_LENGTH) {
        throw new errors_1.InvalidRequestError(`"${text.slice(0, MAX_LENGTH)}" is not an e-mail address.`, 'invalid_email');
    }
    return email;
}
//# sourceMappingURL=email.js.map