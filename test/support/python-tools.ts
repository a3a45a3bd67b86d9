import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../../src/config';

/** How a program ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A Python with the packages of `test/contract/requirements.txt`. */
export interface PythonTools {
  /** Its program. */
  readonly python: string;
  run(args: readonly string[], options?: { cwd?: string; stdin?: string }): Promise<Ended>;
}

const ROOT = join(__dirname, '..', '..');
const REQUIREMENTS = join(ROOT, 'test', 'contract', 'requirements.txt');
const CACHE = join(loadConfig().cacheDir, 'python');
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/**
 * Finds the tools, and installs them the first time.
 *
 * @returns undefined if there is no python3 with pip on this machine, and `CI` does not require one
 * @throws Error when they can't be installed
 */
export async function pythonTools(): Promise<PythonTools | undefined> {
  const version = await run('python3', ['-c', 'import sys, venv, ensurepip; print(sys.version)']);
  if (version.code !== 0) {
    if (process.env['CI']) throw new Error(`python3 with venv and pip is needed here: ${version.stderr}`);
    process.stderr.write(
      "SKIPPED: there is no python3 with venv and pip, so strangers' Python tools did not look at the API.\n",
    );
    return undefined;
  }
  const hash = createHash('sha256')
    .update(version.stdout)
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 16);
  const folder = join(CACHE, hash);
  if (!existsSync(folder)) await install(folder);
  const python = join(folder, 'bin', 'python');
  return { python, run: (args, options) => run(python, args, options) };
}

/** Under another name first: an interrupted install is never used. Scripts in `bin` are not used, so it may move. */
async function install(folder: string): Promise<void> {
  const part = `${folder}-${randomBytes(4).toString('hex')}`;
  process.stderr.write('Installing schemathesis, mypy and other Python tools for the tests …\n');
  try {
    await mkdir(CACHE, { recursive: true });
    const pip = [
      '-m',
      'pip',
      '--disable-pip-version-check',
      '--no-input',
      'install',
      '--quiet',
      '--requirement',
      REQUIREMENTS,
    ];
    for (const [file, args] of [
      ['python3', ['-m', 'venv', part]],
      [join(part, 'bin', 'python'), pip],
    ] as const) {
      const { code, stdout, stderr } = await run(file, args);
      if (code !== 0) throw new Error(`${file} ${args.join(' ')} failed:\n${stdout}${stderr}`);
    }
    await rename(part, folder).catch((error: unknown) => {
      // Another run was faster.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}

function run(file: string, args: readonly string[], options: { cwd?: string; stdin?: string } = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const settings = {
      cwd: options.cwd ?? ROOT,
      maxBuffer: MAX_OUTPUT_BYTES,
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', NO_COLOR: '1' },
    };
    const child = execFile(file, args, settings, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, stdout, stderr: stderr || (error?.message ?? '') });
    });
    child.stdin?.end(options.stdin ?? '');
  });
}
