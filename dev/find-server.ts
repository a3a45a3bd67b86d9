import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sourcesOf, type Source } from './download-server';
import { makeFolders } from './make-folders';
import { LocalStackError, reasonOf, type Progress } from './messages';
import { removeWithUs } from './reaper';
import { runProgram } from './run-program';
import { SERVERS, type ServerName } from './server-catalog';

export interface FindServerOptions {
  /** From a setting. If given, nothing else is searched. */
  readonly configuredPath?: string | undefined;
  /** The folder for downloads, shared by every checkout of the user. */
  readonly cacheDir: string;
  readonly onProgress: Progress;
  /** Replaces PATH. For tests. */
  readonly searchPath?: string;
  /** Ways to download, in order. For tests. */
  readonly sources?: readonly Source[];
}

/**
 * Finds an executable and checks that it runs. In this order: the configured path, PATH, an earlier download, a new
 * one. An earlier download comes before a newer one, because a data folder can't go back to an older server and should
 * not be upgraded unasked.
 *
 * @returns its path
 * @throws LocalStackError with one line that says what to install or which setting to use
 */
export async function findServer(name: ServerName, options: FindServerOptions): Promise<string> {
  const { problemOf, advice } = SERVERS[name];
  if (options.configuredPath !== undefined) {
    const problem = await problemOf(options.configuredPath);
    if (problem)
      throw new LocalStackError(
        `The configured ${name}, ${options.configuredPath}, can't be used: ${problem}. ${advice}`,
      );
    return options.configuredPath;
  }
  const sources = options.sources ?? sourcesOf(name);
  const downloads = sources.flatMap((source) => cachePath(name, source, options.cacheDir) ?? []);
  for (const path of [...(await candidatesOnPath(name, options.searchPath)), ...downloads.filter(existsSync)]) {
    const problem = await problemOf(path);
    if (!problem) return path;
    options.onProgress(`Skipping ${path}: ${problem}`);
  }
  return download(name, sources, options);
}

/** Asks the shell, so that PATH is read as everywhere else on the machine. */
async function candidatesOnPath(name: ServerName, searchPath: string | undefined): Promise<string[]> {
  const script = 'IFS=:; for d in $PATH; do [ -f "$d/$0" ] && [ -x "$d/$0" ] && printf "%s\\n" "$d/$0"; done; true';
  const env = searchPath === undefined ? {} : { env: { PATH: searchPath } };
  const { stdout } = await runProgram('/bin/sh', ['-c', script, name], env);
  return [...new Set(stdout.split('\n').filter((line) => line !== ''))];
}

async function download(name: ServerName, sources: readonly Source[], options: FindServerOptions): Promise<string> {
  const reasons: string[] = [];
  for (const source of sources) {
    const target = cachePath(name, source, options.cacheDir);
    if (target === undefined) {
      reasons.push(`${source.title} has none for ${process.platform} ${process.arch}`);
      continue;
    }
    try {
      await place(target, async (folder) => {
        const made = await source.download(name, folder, options.onProgress);
        await assertRuns(name, made);
        return made;
      });
      return target;
    } catch (error) {
      reasons.push(`${source.title} failed (${reasonOf(error)})`);
      options.onProgress(`${name}: ${reasons.at(-1)}`);
    }
  }
  throw new LocalStackError(`No ${name}: none on PATH; ${reasons.join('; ')}. ${SERVERS[name].advice}`);
}

/**
 * Writes a file under its final name, completely or not at all: it is made in a separate folder beside the target, and
 * renamed. Any number of processes may do so at once; the last rename wins, and each placed a complete file.
 */
async function place(target: string, produce: (folder: string) => Promise<string>): Promise<void> {
  const parent = dirname(target);
  makeFolders(parent);
  const folder = await mkdtemp(join(parent, '.part-'));
  removeWithUs(folder);
  try {
    await rename(await produce(folder), target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function assertRuns(name: ServerName, path: string): Promise<void> {
  await chmod(path, 0o755);
  const problem = await SERVERS[name].problemOf(path);
  if (problem) throw new Error(`what came can't be used: ${problem}`);
}

function cachePath(name: ServerName, source: Source, cacheDir: string): string | undefined {
  const fileName = source.fileName(name);
  return fileName && join(cacheDir, 'servers', fileName);
}
