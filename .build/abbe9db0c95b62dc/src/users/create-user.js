"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.newUser = newUser;
exports.createUser = createUser;
exports.emailTaken = emailTaken;
const email_1 = require("../accounts/email");
const manage_accounts_1 = require("../accounts/manage-accounts");
const errors_1 = require("../domain/errors");
const ids_1 = require("../platform/ids");
const password_rules_1 = require("./password-rules");
/**
 * Makes a user that is not stored yet.
 *
 * @param input `email` as `normaliseEmail` spells it
 * @throws UnprocessableError for a password that is easy to guess
 */
async function newUser(deps, input) {
    const { accountId, email, password, operator } = input;
    await (0, password_rules_1.requireGoodPassword)(deps, password, email);
    return {
        _id: (0, ids_1.newId)('usr'),
        account_id: accountId,
        email,
        password_hash: await deps.hasher.hash((0, password_rules_1.normalisePassword)(password)),
        role: 'owner',
        operator,
        created_at: new Date(deps.clock()),
    };
}
/**
 * Creates a user of an existing account.
 *
 * @throws NotFoundError for an unknown account
 * @throws InvalidRequestError for an invalid e-mail address
 * @throws UnprocessableError for a password that is easy to guess
 * @throws ConflictError when the address is a user's already
 */
async function createUser(deps, input, by) {
    const email = (0, email_1.normaliseEmail)(input.email);
    const user = await newUser(deps, { ...input, email });
    await (0, manage_accounts_1.requireAccount)(deps.accounts, input.accountId);
    if (!(await deps.users.insert(user, by)))
        throw emailTaken(email);
    return user;
}
/** The error for an e-mail address that somebody has. */
function emailTaken(email) {
    return new errors_1.ConflictError(`There is an account for ${email} already.`, 'email_taken');
}
//# sourceMappingURL=create-user.js.map