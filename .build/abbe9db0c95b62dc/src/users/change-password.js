"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.changePassword = changePassword;
exports.resetPassword = resetPassword;
const audit_actions_1 = require("../domain/audit-actions");
const errors_1 = require("../domain/errors");
const email_1 = require("../accounts/email");
const device_proof_1 = require("./device-proof");
const limit_tries_1 = require("./limit-tries");
const password_rules_1 = require("./password-rules");
/**
 * Changes a user's password and ends every other session of the user.
 *
 * @param by `deviceProof` is what the browser kept of an earlier sign-in
 * @returns the user with the new password
 * @throws ForbiddenError when the current password is wrong
 * @throws TooManyRequestsError after 5 wrong ones in 15 minutes: a stolen session must not be a way to guess it
 * @throws UnprocessableError for a new one that is easy to guess
 */
async function changePassword(deps, by, input) {
    const { user, address } = by;
    const device = await (0, device_proof_1.findDevice)(deps, by.deviceProof, user.email);
    const trier = { email: user.email, address, device };
    await (0, limit_tries_1.countSignIn)(deps.tries, trier);
    if (!(await deps.hasher.verify(user.password_hash, (0, password_rules_1.normalisePassword)(input.current)))) {
        throw new errors_1.ForbiddenError('The current password is wrong.', 'wrong_password');
    }
    await (0, limit_tries_1.forgetSignIns)(deps.tries, trier);
    await (0, password_rules_1.requireGoodPassword)(deps, input.next, user.email);
    return setPassword(deps, user, input.next, {
        ...{ action: 'password.changed', actor: (0, audit_actions_1.actorOf)(user), address },
        ...{ keepSessionId: by.sessionId, expectedHash: user.password_hash },
    });
}
/**
 * Sets a user's password and ends the user's sessions.
 *
 * Sessions are ended before and after: whatever is killed in between, none outlives the old password but one that was
 * started in that very moment, and `signIn` itself looks again.
 *
 * @returns the user with the new password
 * @throws NotFoundError when the user is gone, or somebody else changed the password meanwhile
 */
async function setPassword(deps, user, password, options) {
    const { keepSessionId, expectedHash, action, ...by } = options;
    const to = await deps.hasher.hash((0, password_rules_1.normalisePassword)(password));
    await deps.sessions.revokeAllOf(user._id, keepSessionId);
    const change = { to, action, ...(expectedHash !== undefined && { from: expectedHash }) };
    if (!(await deps.users.setPasswordHash(user._id, change, by))) {
        throw new errors_1.NotFoundError('This password has just been changed in another window.', 'user_not_found');
    }
    await deps.sessions.revokeAllOf(user._id, keepSessionId);
    return { ...user, password_hash: to };
}
/**
 * Sets a user's password without knowing the old one, and ends all sessions of the user.
 *
 * @throws NotFoundError for an unknown address
 * @throws UnprocessableError for a password that is easy to guess
 */
async function resetPassword(deps, input, by) {
    const email = (0, email_1.normaliseEmail)(input.email);
    const user = await deps.users.findByEmail(email);
    if (!user)
        throw new errors_1.NotFoundError(`There is no user with the address ${email}.`, 'user_not_found');
    await (0, password_rules_1.requireGoodPassword)(deps, input.password, email);
    await setPassword(deps, user, input.password, { ...by, action: 'password.reset' });
    return user;
}
//# sourceMappingURL=change-password.js.map