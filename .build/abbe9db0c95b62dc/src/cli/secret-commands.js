"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addSecretCommands = addSecretCommands;
const config_1 = require("../config");
const audit_actions_1 = require("../domain/audit-actions");
const reseal_secrets_1 = require("../endpoints/reseal-secrets");
const secret_box_1 = require("../platform/secret-box");
const data_dir_1 = require("./data-dir");
/** `everpost secrets …` */
function addSecretCommands(cli, { add, run }) {
    const secrets = cli.command('secrets').description('what is sealed with ENCRYPTION_KEY');
    add(secrets, 'reseal', 'seal everything with the first key of ENCRYPTION_KEY, so that the others can be retired')
        .option('--dry-run', 'only count what is sealed with which key')
        .action(run(async (deps, options) => {
        const parts = await partsOf(deps);
        if ('dryRun' in options)
            return report(await (0, reseal_secrets_1.countKeys)(parts));
        // Before the first change, so that none is without an entry, even after a crash.
        const [detail] = parts.secretBox.keyIds;
        await deps.audit.record({
            ...audit_actions_1.BY_COMMAND_LINE,
            accountId: null,
            action: 'secrets.resealed',
            object: null,
            detail,
        });
        return report(await (0, reseal_secrets_1.resealSecrets)(parts));
    }));
}
async function partsOf({ config, sealed }) {
    const keys = await (0, data_dir_1.keysOfDataDir)(config.dataDir, config.encryptionKeys);
    if (keys.length === 0)
        throw new config_1.ConfigError('ENCRYPTION_KEY is not set: give it the keys that the processes have.');
    return { sealed, secretBox: (0, secret_box_1.createSecretBox)(keys) };
}
function report(keys) {
    return keys.map(({ keyId, resealed, values }, index) => ({
        key_id: keyId,
        values,
        resealed,
        use: useOf(index, values),
    }));
}
/** What may be done with a key, when everything could be opened. */
function useOf(index, values) {
    if (index === 0)
        return 'seals';
    return values === 0 ? 'may be retired' : 'in use';
}
//# sourceMappingURL=secret-commands.js.map