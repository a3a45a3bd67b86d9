import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { addAccountCommands } from './cli/account-commands';
import { addAdminKeyCommands } from './cli/admin-key-commands';
import { addAuditCommands } from './cli/audit-commands';
import { addCatalogCommands } from './cli/catalog-commands';
import { createCommandLine } from './cli/command-line';
import { addDeliveryCommands } from './cli/delivery-commands';
import { addEndpointCommands } from './cli/endpoint-commands';
import { addErasureCommands } from './cli/erasure-commands';
import { addEventTypeCommands } from './cli/event-type-commands';
import { addKeyCommands } from './cli/key-commands';
import { ListenError } from './cli/event-stream';
import { listenCommand } from './cli/listen-commands';
import { addRehearseCommand } from './cli/rehearse-command';
import { addReplayCommands } from './cli/replay-commands';
import { addSecretCommands } from './cli/secret-commands';
import { addStartCommand } from './cli/start-command';
import { addUsageCommands } from './cli/usage-commands';
import { addUserCommands } from './cli/user-commands';
import { ConfigError, loadConfig, type Config } from './config';
import { AppError } from './domain/errors';
import { printable } from './domain/plain-text';
import { productVersion } from './platform/product-version';

/** How the user calls it, for the help: by npm in a checkout, which has this file's source. */
const COMMAND = existsSync(join(__dirname, '..', '..', 'src', 'cli.ts')) ? 'npm run --silent cli --' : 'everpost';

/**
 * Builds the operator's command line. The commands of each noun are in `cli/<noun>-commands.ts`.
 *
 * @param write gets each line. Tenants choose labels and descriptions, so no line has characters that a terminal obeys
 */
export function createCli(config: Config, write: (text: string) => void): Command {
  const print = (text: string): void => write(printable(text));
  const cli = new Command(COMMAND)
    .description('Manages accounts, users, keys and prices of an Everpost installation, directly in MongoDB.')
    .showHelpAfterError();
  const commandLine = createCommandLine(config, print);
  addStartCommand(cli);
  addAccountCommands(cli, commandLine);
  addKeyCommands(cli, commandLine);
  addAdminKeyCommands(cli, commandLine);
  addUserCommands(cli, commandLine);
  addEndpointCommands(cli, commandLine);
  addDeliveryCommands(cli, commandLine);
  addReplayCommands(cli, commandLine);
  addErasureCommands(cli, commandLine);
  addRehearseCommand(cli, commandLine);
  cli.addCommand(listenCommand('listen', `http://127.0.0.1:${config.port}`, print).copyInheritedSettings(cli));
  addEventTypeCommands(cli, commandLine);
  addCatalogCommands(cli, commandLine);
  addUsageCommands(cli, commandLine);
  addSecretCommands(cli, commandLine);
  addAuditCommands(cli, commandLine, print);
  return cli;
}

/** Prints a line. Ends the program when no process reads its output any more, as with `| head`. */
function printLine(text: string): void {
  process.stdout.write(`${text}\n`, (error) => {
    if (!error) return;
    const isUnread = (error as NodeJS.ErrnoException).code === 'EPIPE';
    if (!isUnread) console.error(error.message);
    process.exit(isUnread ? 0 : 1);
  });
}

async function main(): Promise<void> {
  // `printLine` gets the errors too.
  process.stdout.on('error', () => undefined);
  // This file as built is dist/src/cli.js.
  const cli = createCli(loadConfig(), printLine).version(productVersion());
  await cli.parseAsync();
}

if (require.main === module) {
  main().catch((error: unknown) => {
    const known = [AppError, ConfigError, ListenError].some((Known) => error instanceof Known);
    console.error(known ? (error as Error).message : error);
    process.exitCode = 1;
  });
}
