import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { ConfigError, type Config } from '../config';
import { byCommandLine, type By } from '../domain/audit-actions';
import { systemClock, type Clock } from '../platform/clock';
import { createMongo } from '../platform/mongo';
import { isMongoUnavailable } from '../platform/mongo-unavailable';
import { createStores, type Stores } from '../wiring/create-stores';
import { InvalidRequestError } from '../domain/errors';
import { printable } from '../domain/plain-text';
import { timeParam } from '../http/list-query';
import { askDataDir } from './data-dir';

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
    work: (deps: CliDeps, options: Options, ...args: string[]) => Promise<Output | undefined>,
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
        const result = await withDeps(config, (deps) => work(deps, options, ...command.args));
        // A command that prints by itself returns nothing.
        if (result === undefined) return;
        print('json' in options ? JSON.stringify(result) : asTable(result));
      },
  };
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
    const stores = createStores(mongo.db, config);
    await Promise.all([stores.accounts, stores.users, stores.keys].map((store) => store.ensureIndexes()));
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

/** A row or rows for people; `--json` prints the value itself. */
type Row = Readonly<Record<string, string | number | null | readonly string[]>>;
export type Output = Row | readonly Row[];

/** One line for each row, one column for each field, as wide as its longest value. */
function asTable(output: Output): string {
  const rows: readonly Row[] = Array.isArray(output) ? output : [output as Row];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (names.length === 0) return '(none)';
  const cells = [names, ...rows.map((row) => names.map((name) => cellOf(row[name])))];
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

/** On one line, and as wide as it is printed. */
function cellOf(value: Row[string] | undefined): string {
  return printable(String(value ?? '-')).replaceAll(/[\t\n]/g, ' ');
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
