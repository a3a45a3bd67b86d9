import { Command } from 'commander';
import { addAccountCommands } from './cli/account-commands';
import { addAuditCommands } from './cli/audit-commands';
import { addCatalogCommands } from './cli/catalog-commands';
import { createCommandLine } from './cli/command-line';
import { addDeliveryCommands } from './cli/delivery-commands';
import { addEndpointCommands } from './cli/endpoint-commands';
import { addKeyCommands } from './cli/key-commands';
import { addListenCommand } from './cli/listen-commands';
import { addReplayCommands } from './cli/replay-commands';
import { addSecretCommands } from './cli/secret-commands';
import { addUsageCommands } from './cli/usage-commands';
import { addUserCommands } from './cli/user-commands';
import { ConfigError, loadConfig, type Config } from './config';
import { AppError } from './domain/errors';

/** Builds the operator's command line. The commands of each noun are in `cli/<noun>-commands.ts`. */
export function createCli(config: Config, print: (text: string) => void): Command {
  const cli = new Command('everpost')
    .description('Manages accounts, users, keys and prices of an Everpost installation, directly in MongoDB.')
    .showHelpAfterError();
  const commandLine = createCommandLine(config, print);
  addAccountCommands(cli, commandLine);
  addKeyCommands(cli, commandLine);
  addUserCommands(cli, commandLine);
  addEndpointCommands(cli, commandLine);
  addDeliveryCommands(cli, commandLine);
  addReplayCommands(cli, commandLine);
  addListenCommand(cli, config, print);
  addCatalogCommands(cli, commandLine);
  addUsageCommands(cli, commandLine);
  addSecretCommands(cli, commandLine);
  addAuditCommands(cli, commandLine, print);
  return cli;
}

async function main(): Promise<void> {
  await createCli(loadConfig(), (text) => process.stdout.write(`${text}\n`)).parseAsync();
}

if (require.main === module) {
  main().catch((error: unknown) => {
    const known = error instanceof AppError || error instanceof ConfigError;
    console.error(known ? error.message : error);
    process.exitCode = 1;
  });
}
