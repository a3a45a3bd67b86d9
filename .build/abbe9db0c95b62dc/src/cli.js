"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createCli = createCli;
const commander_1 = require("commander");
const account_commands_1 = require("./cli/account-commands");
const audit_commands_1 = require("./cli/audit-commands");
const catalog_commands_1 = require("./cli/catalog-commands");
const command_line_1 = require("./cli/command-line");
const delivery_commands_1 = require("./cli/delivery-commands");
const endpoint_commands_1 = require("./cli/endpoint-commands");
const key_commands_1 = require("./cli/key-commands");
const listen_commands_1 = require("./cli/listen-commands");
const replay_commands_1 = require("./cli/replay-commands");
const secret_commands_1 = require("./cli/secret-commands");
const usage_commands_1 = require("./cli/usage-commands");
const user_commands_1 = require("./cli/user-commands");
const config_1 = require("./config");
const errors_1 = require("./domain/errors");
/** Builds the operator's command line. The commands of each noun are in `cli/<noun>-commands.ts`. */
function createCli(config, print) {
    const cli = new commander_1.Command('everpost')
        .description('Manages accounts, users, keys and prices of an Everpost installation, directly in MongoDB.')
        .showHelpAfterError();
    const commandLine = (0, command_line_1.createCommandLine)(config, print);
    (0, account_commands_1.addAccountCommands)(cli, commandLine);
    (0, key_commands_1.addKeyCommands)(cli, commandLine);
    (0, user_commands_1.addUserCommands)(cli, commandLine);
    (0, endpoint_commands_1.addEndpointCommands)(cli, commandLine);
    (0, delivery_commands_1.addDeliveryCommands)(cli, commandLine);
    (0, replay_commands_1.addReplayCommands)(cli, commandLine);
    (0, listen_commands_1.addListenCommand)(cli, config, print);
    (0, catalog_commands_1.addCatalogCommands)(cli, commandLine);
    (0, usage_commands_1.addUsageCommands)(cli, commandLine);
    (0, secret_commands_1.addSecretCommands)(cli, commandLine);
    (0, audit_commands_1.addAuditCommands)(cli, commandLine, print);
    return cli;
}
async function main() {
    await createCli((0, config_1.loadConfig)(), (text) => process.stdout.write(`${text}\n`)).parseAsync();
}
if (require.main === module) {
    main().catch((error) => {
        const known = error instanceof errors_1.AppError || error instanceof config_1.ConfigError;
        console.error(known ? error.message : error);
        process.exitCode = 1;
    });
}
//# sourceMappingURL=cli.js.map