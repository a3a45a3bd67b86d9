import { createCli } from '../../src/cli';
import type { Config } from '../../src/config';
import type { Stack } from './build-stack';
import { uriWith } from './mongo-uri';

/** How long a command waits for MongoDB here: the tests' servers may have a busy machine. */
const PATIENCE_MS = 30_000;

/** The operator's command line, run in this process on a stack's database. */
export function cliOf(stack: Pick<Stack, 'config'>) {
  /** Runs a command. @returns its output for people */
  const printed = async (...args: string[]): Promise<string> => {
    const lines: string[] = [];
    await createCli(patient(stack.config), (text) => lines.push(text)).parseAsync(['node', 'everpost', ...args]);
    return lines.join('\n');
  };
  return {
    printed,
    /** Runs a command with --json. @returns the value that it printed */
    json: async <T = Record<string, string>>(...args: string[]): Promise<T> =>
      JSON.parse(await printed(...args, '--json')) as T,
    /** Expects a command to fail with a code, and to print nothing before. */
    async expectRefused(code: string, ...args: string[]): Promise<void> {
      await expect(printed(...args)).rejects.toMatchObject({ code });
    },
  };
}

function patient(config: Config): Config {
  if (config.mongodb.uri === undefined) return config;
  const times = { serverSelectionTimeoutMS: PATIENCE_MS, connectTimeoutMS: PATIENCE_MS };
  return { ...config, mongodb: { ...config.mongodb, uri: uriWith(config.mongodb.uri, times) } };
}
