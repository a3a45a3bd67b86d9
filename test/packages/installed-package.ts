import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(__dirname, '..', '..');
const QUIET = ['--no-audit', '--no-fund', '--loglevel=error'];

/** An empty folder of its own, which the caller removes. */
export const makeFolder = async (): Promise<string> => realpath(await mkdtemp(join(tmpdir(), 'everpost-package-')));

/** What `npm run pack -- --json` says of a package. */
export interface Packed {
  readonly name: string;
  readonly version: string;
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

const ALL = ['--include-workspace-root', '--workspaces'];

/** Packs the three packages, or some of them, into a folder, as a release does. */
export async function pack(folder: string, which: readonly string[] = ALL): Promise<readonly Packed[]> {
  const args = ['run', '--silent', 'pack', '--', '--json', ...which, '--pack-destination', folder];
  const { stdout } = await run('npm', args, { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 });
  // The scripts that build them write before the list.
  return Object.values(JSON.parse(stdout.slice(stdout.search(/^[[{]$/m))) as readonly Packed[]);
}

/** A version of Node from npm's package `node`, whose script fetches it. @returns the path of its executable */
export async function installNode(version: string, folder: string): Promise<string> {
  const withScript = '--ignore-scripts=false';
  await run('npm', ['install', '--prefix', folder, '--no-save', withScript, ...QUIET, `node@${version}`]);
  return join(folder, 'node_modules', 'node', 'bin', 'node');
}

/** A project, copied to a folder of its own, with its dependencies and a package that is installed from its file. */
export async function installProject(source: string, tarball: string, folder: string) {
  await cp(source, folder, { recursive: true });
  await run('npm', ['install', '--prefer-offline', ...QUIET, tarball], { cwd: folder });
  return {
    /** Runs a script of the project to its end. @returns what it printed @throws Error with that when it fails */
    script: async (name: string, node: string, env: Record<string, string> = {}): Promise<string> => {
      // Programs of the project see a person's environment: no test, and the version of Node first on PATH.
      const { NODE_ENV: _, NODE_OPTIONS: __, ...own } = process.env;
      const path = `${dirname(node)}${delimiter}${process.env['PATH']}`;
      const options = {
        cwd: folder,
        env: { ...own, PATH: path, NEXT_TELEMETRY_DISABLED: '1', ...env },
        timeout: 240_000,
      };
      return run('npm', ['run', '--silent', name], options).then(
        ({ stdout }) => stdout,
        (error: unknown) => {
          const { stdout, stderr, message } = error as { stdout: string; stderr: string; message: string };
          throw new Error(`${message}\n${stdout}\n${stderr}`);
        },
      );
    },
  };
}

/** A package that is installed from its file in an otherwise empty folder, as on a user's machine. */
export async function installPackage(tarball: string, folder: string, node: string) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{}');
  await run('npm', ['install', '--omit=dev', '--prefer-offline', ...QUIET, tarball], { cwd: folder });
  const env = {
    ...process.env,
    // The commands begin with `#!/usr/bin/env node`.
    PATH: `${dirname(node)}${delimiter}${process.env['PATH']}`,
    // The folder that a stranger gets: `.everpost` in the current one.
    EVERPOST_DATA_DIR: '',
    ...{ PORT: '0', MONGODB_PORT: '0', TEMPORAL_PORT: '0', TEMPORAL_UI_PORT: '0' },
  };
  return {
    bytes: () => bytesIn(join(folder, 'node_modules')),
    /** Runs a command of the package to its end. */
    run: async (name: string, ...args: string[]) => {
      const file = join(folder, 'node_modules', '.bin', name);
      return run(file, args, { cwd: folder, env }).catch(
        (error: unknown) => error as { stdout: string; stderr: string },
      );
    },
    /** Runs a program with the version of Node. */
    evaluate: async (...args: string[]): Promise<string> => (await run(node, args, { cwd: folder, env })).stdout,
    /** Starts a command of the package. */
    start: (name: string, ...args: string[]): Running =>
      follow(spawn(join(folder, 'node_modules', '.bin', name), args, { cwd: folder, env })),
  };
}

/** A running command, and what it has printed. */
export interface Running {
  readonly printed: () => string;
  /** Sends a signal, and waits for the end. @returns the exit code */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
}

function follow(child: ChildProcess): Running {
  let text = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (part: Buffer) => (text += part.toString()));
  const ended = once(child, 'close') as Promise<[number | null]>;
  return {
    printed: () => text,
    stop: async (signal) => {
      child.kill(signal);
      return (await ended)[0];
    },
  };
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
