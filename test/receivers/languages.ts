import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
export const RECEIVERS = join(ROOT, 'docs', 'receivers');
/** Programs that were compiled by an earlier run. */
const CACHE = join(ROOT, 'node_modules', '.cache', 'everpost-receivers');

/** How the receiver of one language is run. */
export interface Language {
  readonly name: string;
  /** Why it can't be run on this machine, if so. */
  readonly missing: string | undefined;
  /** Compiles it into the folder, if necessary; returns the command line without what depends on the port. */
  prepare(folder: string): readonly string[];
  /** What comes after it, for a port. */
  readonly args?: (port: number) => readonly string[];
  /** PHP starts again for each request, so it can't refuse to start. */
  readonly startsWithoutSecret?: boolean;
}

/** All languages of docs/receivers, whether they are on this machine or not. */
export const LANGUAGES: readonly Language[] = [
  {
    name: 'JavaScript',
    missing: undefined,
    prepare: () => [process.execPath, join(RECEIVERS, 'javascript', 'receiver.mjs')],
  },
  {
    name: 'Python',
    missing: lacking('python3', ['-c', 'import http.server']),
    prepare: () => ['python3', '-W', 'error', join(RECEIVERS, 'python', 'receiver.py')],
  },
  {
    name: 'Go',
    missing: lacking('go', ['version']),
    prepare() {
      // The cache of compiled packages is Go's usual one, outside the repository; nothing is downloaded.
      const env = { ...process.env, GOTOOLCHAIN: 'local', GOPROXY: 'off', GOFLAGS: '' };
      const source = join(RECEIVERS, 'go', 'receiver.go');
      const folder = compiled(source, ['go', 'version'], (target) =>
        run('go', ['build', '-o', join(target, 'receiver'), source], target, env),
      );
      return [join(folder, 'receiver')];
    },
  },
  {
    name: 'Java',
    missing: lacking('javac', ['--release', '17', '-version']) ?? lacking('java', ['-version']),
    prepare() {
      const source = join(RECEIVERS, 'java', 'Receiver.java');
      const folder = compiled(source, ['javac', '-version'], (target) =>
        run('javac', ['--release', '17', '-Xlint', '-Werror', '-d', target, source], target),
      );
      return ['java', '-cp', folder, 'Receiver'];
    },
  },
  {
    name: 'Ruby',
    missing: lacking('ruby', ['-e', 'require "webrick"']),
    prepare: () => ['ruby', '-w', join(RECEIVERS, 'ruby', 'receiver.rb')],
  },
  {
    name: 'PHP',
    missing: lacking('php', ['-r', 'exit(version_compare(PHP_VERSION, "8.1", ">=") ? 0 : 1);']),
    prepare: () => ['php', '-d', 'error_reporting=-1'],
    args: (port) => ['-S', `127.0.0.1:${port}`, join(RECEIVERS, 'php', 'receiver.php')],
    startsWithoutSecret: true,
  },
];

/** Why a program can't be used here: it isn't installed, or it lacks a feature. */
export function lacking(program: string, args: readonly string[]): string | undefined {
  const { error, status } = spawnSync(program, args, { stdio: 'ignore' });
  if (error) return `${program} is not installed here`;
  return status === 0 ? undefined : `${[program, ...args].join(' ')} fails here`;
}

/**
 * Compiles a source, unless this compiler did so in an earlier run.
 *
 * @returns the folder of what it became
 */
function compiled(source: string, version: readonly [string, string], compile: (target: string) => void): string {
  const { stdout, stderr } = spawnSync(version[0], [version[1]], { encoding: 'utf8' });
  const hash = createHash('sha256').update(`${stdout}${stderr}`).update(readFileSync(source)).digest('hex');
  const folder = join(CACHE, hash.slice(0, 16));
  if (existsSync(folder)) return folder;
  // Under another name first: what was interrupted is never used.
  const part = `${folder}-${randomBytes(4).toString('hex')}`;
  mkdirSync(part, { recursive: true });
  try {
    compile(part);
    if (!existsSync(folder)) renameSync(part, folder);
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return folder;
}

function run(program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = process.env): void {
  const { error, status, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (error || status !== 0) throw new Error(`${[program, ...args].join(' ')}: ${error?.message ?? stderr}`);
}
