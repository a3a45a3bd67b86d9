import { createCli } from '../../src/cli';
import type { Stack } from './build-stack';

/** The operator's command line, run in this process on a stack's database. */
export function cliOf(stack: Pick<Stack, 'config'>) {
  /** Runs a command. @returns its output for people */
  const printed = async (...args: string[]): Promise<string> => {
    const lines: string[] = [];
    await createCli(stack.config, (text) => lines.push(text)).parseAsync(['node', 'everpost', ...args]);
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
