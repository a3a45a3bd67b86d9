"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.signUp = signUp;
exports.enter = enter;
const email_1 = require("../accounts/email");
const audit_actions_1 = require("../domain/audit-actions");
const errors_1 = require("../domain/errors");
const ids_1 = require("../platform/ids");
const start_session_1 = require("./start-session");
const limit_tries_1 = require("./limit-tries");
const create_user_1 = require("./create-user");
const sign_in_1 = require("./sign-in");
const FIRST_TIER = 'free';
/**
 * Makes an account with its owner, and signs the owner in.
 *
 * @throws ForbiddenError when sign-up is switched off
 * @throws UnprocessableError for a password that is easy to guess
 * @throws ConflictError when the address has an account already
 * @throws TooManyRequestsError after 10 from one client address in an hour
 */
async function signUp(deps, input, client) {
    if (!deps.signUpIsOpen) {
        throw new errors_1.ForbiddenError('Only the operator of this installation can create accounts.', 'sign_up_closed');
    }
    const email = (0, email_1.normaliseEmail)(input.email);
    await (0, limit_tries_1.countSignUp)(deps.tries, client.address);
    const accountId = (0, ids_1.newId)('acc');
    const user = await (0, create_user_1.newUser)(deps, { accountId, email, password: input.password, operator: false });
    const account = {
        _id: accountId,
        email,
        tier: FIRST_TIER,
        endpoints_version: 0,
        created_at: user.created_at,
    };
    const by = { actor: (0, audit_actions_1.actorOf)(user), address: client.address };
    if (!(await deps.users.insertWithAccount(user, account, by)))
        throw (0, create_user_1.emailTaken)(email);
    return enter(deps, user, client);
}
/** Signs in somebody who has just been made a user. */
async function enter(deps, user, client) {
    const session = await (0, start_session_1.startSession)(deps, user, client);
    await (0, sign_in_1.noteSession)(deps, { user, id: session.id }, client);
    return { user, token: session.token };
}
//# sourceMappingURL=sign-up.js.map