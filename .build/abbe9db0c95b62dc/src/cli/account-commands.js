"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addAccountCommands = addAccountCommands;
const promises_1 = require("node:timers/promises");
const manage_accounts_1 = require("../accounts/manage-accounts");
const delete_account_1 = require("../account-lifecycle/delete-account");
const present_1 = require("../accounts/present");
const suspend_account_1 = require("../account-lifecycle/suspend-account");
const audit_actions_1 = require("../domain/audit-actions");
/** `everpost account …` */
function addAccountCommands(cli, { add, run }) {
    const account = cli.command('account').description('accounts and their tiers');
    add(account, 'create', 'create an account')
        .requiredOption('--email <email>', 'e-mail address of its owner')
        .option('--tier <tier>', 'tier id', 'free')
        .action(run(async (deps, { email, tier }) => {
        return (0, present_1.presentAccount)(await (0, manage_accounts_1.createAccount)(deps, { email: email, tier: tier }, audit_actions_1.BY_COMMAND_LINE));
    }));
    add(account, 'list', 'list all accounts').action(run(async (deps) => (await deps.accounts.list()).map(present_1.presentAccount)));
    add(account, 'set-tier', 'move an account to another tier')
        .requiredOption('--id <account>', 'account id')
        .requiredOption('--tier <tier>', 'tier id')
        .action(run(async (deps, { id, tier }) => {
        return (0, present_1.presentAccount)(await (0, manage_accounts_1.setTier)(deps, { accountId: id, tier: tier }, audit_actions_1.BY_COMMAND_LINE));
    }));
    add(account, 'suspend', 'suspend an account: its keys stop working, and pending deliveries are held')
        .requiredOption('--id <account>', 'account id')
        .action(run(async (deps, { id }) => (0, present_1.presentAccount)(await (0, suspend_account_1.suspendAccount)(deps, id, audit_actions_1.BY_COMMAND_LINE))));
    add(account, 'resume', 'lift a suspension: held deliveries are sent')
        .requiredOption('--id <account>', 'account id')
        .action(run(async (deps, { id }) => (0, present_1.presentAccount)(await (0, suspend_account_1.resumeAccount)(deps, id, audit_actions_1.BY_COMMAND_LINE))));
    add(account, 'delete', 'suspend an account and delete everything it owns, for good; run it again if it was interrupted')
        .requiredOption('--id <account>', 'account id')
        .action(run(async (deps, { id }) => {
        const deleted = await (0, delete_account_1.beginDeletion)(deps, id, audit_actions_1.BY_COMMAND_LINE);
        for (;;) {
            const { againInMs } = await (0, delete_account_1.continueDeletion)(deps, id);
            if (againInMs === 0)
                return { ...(0, present_1.presentAccount)(deleted), state: 'deleted' };
            await (0, promises_1.setTimeout)(againInMs);
        }
    }));
}
//# sourceMappingURL=account-commands.js.map