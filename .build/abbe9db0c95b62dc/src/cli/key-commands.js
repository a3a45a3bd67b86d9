"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addKeyCommands = addKeyCommands;
const audit_actions_1 = require("../domain/audit-actions");
const scopes_1 = require("../domain/scopes");
const manage_keys_1 = require("../keys/manage-keys");
const present_1 = require("../keys/present");
/** `everpost key …` */
function addKeyCommands(cli, { add, run }) {
    const key = cli.command('key').description('API keys');
    add(key, 'create', 'create a key; it is shown once')
        .requiredOption('--account <account>', 'account id')
        .requiredOption('--product <product>', 'weh, sec, pii, dep, rat or api')
        .requiredOption('--label <label>', 'what the key is for')
        .option('--scopes <scopes>', `what it may do, separated by commas: ${scopes_1.SCOPE_NAMES.join(', ')} (default: all)`)
        .option('--expires <duration>', 'how long it is valid, such as 12h or 90d (default: forever)')
        .action(run(async (deps, { account: accountId, product, label, scopes, expires }) => {
        const input = {
            accountId: accountId,
            product: product,
            label: label,
            ...(scopes !== undefined && { scopes: scopes.split(',').map((scope) => scope.trim()) }),
            ...(expires !== undefined && { expiresIn: expires }),
        };
        const { record, key: secret } = await (0, manage_keys_1.createKey)(deps, input, audit_actions_1.BY_COMMAND_LINE);
        const { id, product: prefix, label: name, account_id, scopes: held, expires_at } = (0, present_1.presentKey)(record);
        return { id, key: secret, product: prefix, label: name, account_id, scopes: held, expires_at };
    }));
    add(key, 'list', "list an account's keys, masked")
        .requiredOption('--account <account>', 'account id')
        .action(run(async (deps, { account: accountId }) => (await (0, manage_keys_1.listKeys)(deps, accountId)).map(present_1.presentKey)));
    add(key, 'revoke', 'revoke a key for good')
        .requiredOption('--id <key>', 'key id (not the key itself)')
        .action(run(async (deps, { id }) => {
        const revoked = await (0, manage_keys_1.revokeKey)(deps, { id: id }, audit_actions_1.BY_COMMAND_LINE);
        return (0, present_1.presentKey)(revoked);
    }));
}
//# sourceMappingURL=key-commands.js.map