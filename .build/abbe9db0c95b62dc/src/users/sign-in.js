"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.signIn = signIn;
exports.noteSession = noteSession;
const errors_1 = require("../domain/errors");
const email_1 = require("../accounts/email");
const start_session_1 = require("./start-session");
const device_proof_1 = require("./device-proof");
const limit_tries_1 = require("./limit-tries");
const password_rules_1 = require("./password-rules");
/**
 * Signs a user in. A wrong password and an unknown address can't be told apart by the answer or its timing.
 *
 * @param client `deviceProof` is what the browser kept of an earlier sign-in
 * @throws UnauthorizedError when address and password do not match
 * @throws TooManyRequestsError after too many tries
 */
async function signIn(deps, input, client) {
    const email = spellingOf(input.email);
    const device = await (0, device_proof_1.findDevice)(deps, client.deviceProof, email);
    const trier = { email, address: client.address, device };
    await (0, limit_tries_1.countSignIn)(deps.tries, trier);
    const user = await deps.users.findByEmail(email);
    if (!(await deps.hasher.verify(user?.password_hash, (0, password_rules_1.normalisePassword)(input.password)))) {
        await refuse(deps, trier, user);
    }
    const signedIn = { user: user, ...(await (0, start_session_1.startSession)(deps, user, client)) };
    const asNow = await deps.users.find(user._id);
    if (asNow?.password_hash !== user.password_hash) {
        // The password was changed while this one was verified, so this is the old one.
        await deps.sessions.revoke(user._id, signedIn.id);
        await refuse(deps, trier, user);
    }
    await (0, limit_tries_1.forgetSignIns)(deps.tries, trier);
    await noteSession(deps, signedIn, client);
    return signedIn;
}
/** Writes down that a session was started. */
async function noteSession(deps, { user, id }, client) {
    await deps.audit.record({
        accountId: user.account_id,
        actor: { type: 'user', id: user._id, name: user.email },
        action: 'session.started',
        object: id,
        address: client.address,
    });
}
async function refuse(deps, { email, address }, user) {
    await deps.audit.record({
        accountId: user?.account_id ?? null,
        // Never what was typed, unless it is a user's address: people type passwords into the wrong field.
        actor: { type: 'user', id: user?._id ?? null, name: user ? email : 'an unknown address' },
        action: 'session.refused',
        object: null,
        address,
    });
    throw new errors_1.UnauthorizedError('Wrong e-mail address or password.', 'invalid_credentials');
}
/** An invalid address belongs to nobody; it is refused like any other. */
function spellingOf(email) {
    try {
        return (0, email_1.normaliseEmail)(email);
    }
    catch {
        return email.trim().toLowerCase();
    }
}
//# sourceMappingURL=sign-in.js.map