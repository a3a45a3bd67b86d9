"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addUserCommands = addUserCommands;
const node_crypto_1 = require("node:crypto");
const consumers_1 = require("node:stream/consumers");
const manage_accounts_1 = require("../accounts/manage-accounts");
const audit_actions_1 = require("../domain/audit-actions");
const password_hash_1 = require("../platform/password-hash");
const password_strength_1 = require("../platform/password-strength");
const claim_account_1 = require("../users/claim-account");
const create_user_1 = require("../users/create-user");
const password_rules_1 = require("../users/password-rules");
const change_password_1 = require("../users/change-password");
const PASSWORD_STDIN = 'read the password from standard input (default: one is generated and shown once)';
/** `everpost user …` */
function addUserCommands(cli, { add, run }) {
    const user = cli.command('user').description('people who sign in to the dashboard');
    add(user, 'create', 'create a user, and an account unless one is named')
        .requiredOption('--email <email>', 'e-mail address to sign in with')
        .option('--account <account>', 'account id')
        .option('--tier <tier>', 'tier id of a new account', 'free')
        .option('--operator', 'sees all accounts, and sets their tiers')
        .option('--password-stdin', PASSWORD_STDIN)
        .action(run(async (deps, { email, account, tier, operator, passwordStdin }) => {
        const all = withPasswords(deps);
        const given = await readPassword(passwordStdin);
        const password = given ?? newPassword();
        // Before anything is created.
        await (0, password_rules_1.requireGoodPassword)(all, password, email);
        const accountId = account ?? (await createOwnAccount(deps, email, tier));
        const input = { accountId, email: email, password, operator: operator !== undefined };
        const created = await (0, create_user_1.createUser)(all, input, audit_actions_1.BY_COMMAND_LINE);
        return { ...presentUser(created), ...(given === undefined && { password }) };
    }));
    add(user, 'list', 'list all users').action(run(async ({ users }) => (await users.list()).map(presentUser)));
    add(user, 'reset-password', 'set a new password and end all sessions of the user')
        .requiredOption('--email <email>', 'e-mail address of the user')
        .option('--password-stdin', PASSWORD_STDIN)
        .action(run(async (deps, { email, passwordStdin }) => {
        const given = await readPassword(passwordStdin);
        const password = given ?? newPassword();
        const changed = await (0, change_password_1.resetPassword)(withPasswords(deps), { email: email, password }, audit_actions_1.BY_COMMAND_LINE);
        return { ...presentUser(changed), ...(given === undefined && { password }) };
    }));
    add(user, 'setup-link', 'create a one-time link that makes its holder the owner of an account, and an operator')
        .requiredOption('--account <account>', 'account id')
        .option('--base-url <url>', 'address of the dashboard (default: HOST and PORT)')
        .action(run(async (deps, { account, baseUrl }) => {
        const found = await (0, manage_accounts_1.requireAccount)(deps.accounts, account);
        const token = await (0, claim_account_1.createSetupLink)(deps, found._id, audit_actions_1.BY_COMMAND_LINE);
        const base = baseUrl ?? `http://${deps.config.host}:${deps.config.port}`;
        return { account_id: found._id, url: `${base}/dashboard/setup#${token}`, valid_for: '24 hours, once' };
    }));
}
async function createOwnAccount(deps, email, tier) {
    return (await (0, manage_accounts_1.createAccount)(deps, { email, tier }, audit_actions_1.BY_COMMAND_LINE))._id;
}
function withPasswords(deps) {
    return { ...deps, hasher: (0, password_hash_1.createPasswordHasher)(), isGuessable: (0, password_strength_1.createIsGuessable)() };
}
function presentUser({ _id: id, email, account_id, operator }) {
    return { id, email, account_id, operator: operator ? 'yes' : 'no' };
}
/** 120 random bits. */
function newPassword() {
    return (0, node_crypto_1.randomBytes)(15).toString('base64url');
}
async function readPassword(isAsked) {
    return isAsked === undefined ? undefined : (await (0, consumers_1.text)(process.stdin)).replace(/\r?\n$/, '');
}
//# sourceMappingURL=user-commands.js.map