import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { ConfigError, type Config } from '../config';
import { byCommandLine, type By } from '../domain/audit-actions';
import { systemClock, type Clock } from '../platform/clock';
import { createMongo } from '../platform/mongo';
import { isMongoUnavailable } from '../platform/mongo-unavailable';
import { createStores, type Stores } from '../wiring/create-stores';
import { InvalidRequestError } from '../domain/errors';
import { timeParam } from '../http/list-query';
import { askDataDir, keysOfDataDir } from './data-dir';
import { asTable, printArray, printTable, type Output, type Pages } from './table';

/** What a command works with. It uses MongoDB directly, so it works when the API is down. */
export interface CliDeps extends Stores {
  readonly config: Config;
  readonly tiers: Config['limits']['tiers'];
  readonly clock: Clock;
  /** The author of what the command does. */
  readonly by: By;
}

/** Values of a command's options, by their long names in camel case; a flag is `true` if given. */
export type Options = Readonly<Record<string, string | undefined>>;

/** Adds commands for each noun. */
export interface CommandLine {
  /** Adds a command with the option `--json`. */
  add(group: Command, name: string, about: string): Command;
  /**
   * Makes a command's action: opens the database, runs `work`, prints the result, closes the database. `work` gets the
   * options and then the arguments.
   */
  run(
    work: (deps: CliDeps, options: Options, ...args: string[]) => Promise<Output | Pages | undefined>,
  ): (...received: unknown[]) => Promise<void>;
}

/** @param print writes to standard output and ends the line */
export function createCommandLine(config: Config, print: (text: string) => void): CommandLine {
  return {
    add: (group, name, about) =>
      group.command(name).description(about).option('--json', 'print exactly one JSON value'),
    run:
      (work) =>
      async (...received) => {
        const command = received.at(-1) as Command;
        const options = command.opts<Options>();
        // Inside, because pages are read from the database while they are printed.
        await withDeps(config, async (deps) => printResult(await work(deps, options, ...command.args), options, print));
      },
  };
}

/** A command that prints by itself has no result. */
async function printResult(
  result: Output | Pages | undefined,
  options: Options,
  print: (text: string) => void,
): Promise<void> {
  if (result === undefined) return;
  const asJson = 'json' in options;
  if (Symbol.asyncIterator in result) await (asJson ? printArray : printTable)(result, print);
  else print(asJson ? JSON.stringify(result) : asTable(result));
}

async function withDeps<T>(config: Config, work: (deps: CliDeps) => Promise<T>): Promise<T> {
  const uri = config.mongodb.uri ?? (await askDataDir(config.dataDir))?.mongodbUri;
  if (uri === undefined) {
    // The usual port may be that of another folder's stack, whose accounts the user did not mean.
    throw new ConfigError(
      `No stack runs on the data folder ${config.dataDir}. Run \`npm start\` or \`everpost start\`, or set ` +
        'EVERPOST_DATA_DIR or MONGODB_URI to reach another one.',
    );
  }
  const mongo = createMongo(uri);
  try {
    const encryptionKeys = await keysOfDataDir(config.dataDir, config.encryptionKeys);
    const stores = createStores(mongo.db, { ...config, encryptionKeys });
    const { accounts, users, keys, managementKeys } = stores;
    await Promise.all([accounts, users, keys, managementKeys].map((store) => store.ensureIndexes()));
    return await work({
      ...stores,
      config,
      tiers: config.limits.tiers,
      clock: systemClock,
      by: byCommandLine(osUser()),
    });
  } catch (error) {
    if (!isMongoUnavailable(error)) throw error;
    const where = config.mongodb.uri ? 'at MONGODB_URI' : `for the data folder ${config.dataDir}`;
    throw new ConfigError(
      `MongoDB does not answer ${where}. Set MONGODB_URI or EVERPOST_DATA_DIR to reach another one.`,
    );
  } finally {
    await mongo.close();
  }
}

/** The operating system's user. In a container it may have no name. */
function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/**
 * Parses a time in the API's format. `Date` also accepts forms whose meaning depends on the machine.
 *
 * @param name of the option, for the error
 * @throws InvalidRequestError
 */
export function readTime(name: string, text: string): Date {
  const parsed = timeParam.safeParse(text);
  if (!parsed.success) throw new InvalidRequestError(`${name} ${parsed.error.issues[0]!.message}.`);
  return parsed.data;
}

/** The restrictions of a new key, as its commands take them. */
export function readRestrictions({ scopes, expires }: Options) {
  return {
    ...(scopes !== undefined && { scopes: scopes.split(',').map((scope) => scope.trim()) }),
    ...(expires !== undefined && { expiresIn: expires }),
  };
}
