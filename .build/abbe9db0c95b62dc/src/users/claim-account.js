"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createSetupLink = createSetupLink;
exports.claimAccount = claimAccount;
const node_crypto_1 = require("node:crypto");
const email_1 = require("../accounts/email");
const audit_actions_1 = require("../domain/audit-actions");
const errors_1 = require("../domain/errors");
const limit_tries_1 = require("./limit-tries");
const create_user_1 = require("./create-user");
const sign_up_1 = require("./sign-up");
/**
 * Makes a link with which its holder becomes the owner of the account, and the installation's operator. It can be used
 * once, for 24 hours; a later link takes its place.
 *
 * @returns the token that the link carries, which exists nowhere else
 */
async function createSetupLink(deps, accountId, by) {
    const token = (0, node_crypto_1.randomBytes)(24).toString('base64url');
    await deps.setupLinks.replace(hashOf(token), accountId, by);
    return token;
}
/**
 * Makes the holder of a set-up link the owner of its account and an operator, and signs in.
 *
 * @throws NotFoundError when the link was used, has expired, or never existed
 * @throws UnprocessableError for a password that is easy to guess; the link stays
 * @throws ConflictError when the e-mail address has an account already; the link stays
 */
async function claimAccount(deps, input, client) {
    const email = (0, email_1.normaliseEmail)(input.email);
    await (0, limit_tries_1.countSignUp)(deps.tries, client.address);
    const link = await deps.setupLinks.take(hashOf(input.token));
    if (!link) {
        throw new errors_1.NotFoundError('This set-up link was used or has expired. `npm start` prints a new one.', 'setup_link_not_found');
    }
    const claim = async () => {
        const { password } = input;
        const user = await (0, create_user_1.newUser)(deps, { accountId: link.account_id, email, password, operator: true });
        const by = { actor: (0, audit_actions_1.actorOf)(user), address: client.address };
        if (!(await deps.users.insertClaiming(user, by)))
            throw (0, create_user_1.emailTaken)(email);
        return user;
    };
    const user = await claim().catch(async (error) => {
        await deps.setupLinks.giveBack(link);
        throw error;
    });
    return (0, sign_up_1.enter)(deps, user, client);
}
function hashOf(token) {
    return (0, node_crypto_1.createHash)('sha256').update(token).digest('hex');
}
//# sourceMappingURL=claim-account.js.map