import { Command } from 'commander';
import { createAccount } from './accounts/create-account';
import { presentAccount } from './accounts/present';
import { setTier } from './accounts/set-tier';
import { createAccountStore } from './accounts/store';
import { ConfigError, loadConfig, type Config } from './config';
import { AppError } from './domain/errors';
import { createKey } from './keys/create-key';
import { listKeys } from './keys/list-keys';
import { presentKey } from './keys/present';
import { revokeKey } from './keys/revoke-key';
import { createKeyStore } from './keys/store';
import { askDataDir } from './local/data-dir';
import { systemClock } from './platform/clock';
import { createMongo, isMongoUnavailable } from './platform/mongo';

/** What a command works with: MongoDB directly, so that an operator can always get in. */
interface CliDeps {
  readonly accounts: ReturnType<typeof createAccountStore>;
  readonly keys: ReturnType<typeof createKeyStore>;
  readonly tiers: Config['limits']['tiers'];
  readonly clock: typeof systemClock;
}

/** A row or rows for people; with `--json` the value itself. */
type Row = Readonly<Record<string, string | null>>;
type Output = Row | readonly Row[];

/** Builds the operator's command line. */
export function createCli(config: Config, print: (text: string) => void): Command {
  const cli = new Command('everpost')
    .description('Accounts and keys of an Everpost installation. Works on MongoDB directly.')
    .showHelpAfterError();

  const run =
    (work: (deps: CliDeps, options: Record<string, string>) => Promise<Output>) =>
    async (options: Record<string, string>) => {
      const result = await withDeps(config, (deps) => work(deps, options));
      print('json' in options ? JSON.stringify(result) : asTable(result));
    };
  const add = (group: Command, name: string, about: string): Command =>
    group.command(name).description(about).option('--json', 'print exactly one JSON value');

  const account = cli.command('account').description('accounts and their tiers');
  add(account, 'create', 'create an account')
    .requiredOption('--email <email>', 'e-mail address of its owner')
    .option('--tier <tier>', 'tier id', 'free')
    .action(
      run(async (deps, { email, tier }) => presentAccount(await createAccount(deps, { email: email!, tier: tier! }))),
    );
  add(account, 'list', 'list all accounts').action(
    run(async (deps) => (await deps.accounts.list()).map(presentAccount)),
  );
  add(account, 'set-tier', 'move an account to another tier')
    .requiredOption('--id <account>', 'account id')
    .requiredOption('--tier <tier>', 'tier id')
    .action(run(async (deps, { id, tier }) => presentAccount(await setTier(deps, { accountId: id!, tier: tier! }))));

  const key = cli.command('key').description('API keys');
  add(key, 'create', 'create a key; it is shown once')
    .requiredOption('--account <account>', 'account id')
    .requiredOption('--product <product>', 'weh, sec, pii, dep, rat or api')
    .requiredOption('--label <label>', 'what the key is for')
    .action(
      run(async (deps, { account: accountId, product, label }) => {
        const created = await createKey(deps, { accountId: accountId!, product: product!, label: label! });
        const { record } = created;
        return {
          id: record._id,
          key: created.key,
          product: record.product,
          label: record.label,
          account_id: record.account_id,
        };
      }),
    );
  add(key, 'list', "list an account's keys, masked")
    .requiredOption('--account <account>', 'account id')
    .action(run(async (deps, { account: accountId }) => (await listKeys(deps, accountId!)).map(presentKey)));
  add(key, 'revoke', 'revoke a key for good')
    .requiredOption('--id <key>', 'key id (not the key itself)')
    .action(run(async (deps, { id }) => presentKey(await revokeKey(deps, { id: id! }))));
  return cli;
}

async function withDeps<T>(config: Config, work: (deps: CliDeps) => Promise<T>): Promise<T> {
  const mongo = createMongo(config.mongodb.uri ?? (await embeddedUri(config)));
  try {
    const accounts = createAccountStore(mongo.db);
    const keys = createKeyStore(mongo.db);
    await Promise.all([accounts.ensureIndexes(), keys.ensureIndexes()]);
    return await work({ accounts, keys, tiers: config.limits.tiers, clock: systemClock });
  } catch (error) {
    if (!isMongoUnavailable(error)) throw error;
    const where = config.mongodb.uri
      ? 'at MONGODB_URI'
      : `for the data folder ${config.dataDir} (is \`npm start\` running?)`;
    throw new ConfigError(
      `MongoDB does not answer ${where}. Set MONGODB_URI, EVERPOST_DATA_DIR or MONGODB_PORT to reach another one.`,
    );
  } finally {
    await mongo.close();
  }
}

/** The embedded server of the data folder's running stack; should that not answer, the one on the configured port. */
async function embeddedUri(config: Config): Promise<string> {
  const stack = await askDataDir(config.dataDir);
  return stack?.mongodbUri ?? `mongodb://127.0.0.1:${config.mongodb.port}/?directConnection=true`;
}

/** One line a row, one column a field, as wide as its longest value. */
function asTable(output: Output): string {
  const rows: readonly Row[] = Array.isArray(output) ? output : [output as Row];
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return '(none)';
  const cells = [names, ...rows.map((row) => names.map((name) => row[name] ?? '-'))];
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
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
