import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from '@playwright/test';

/** Names the browser to test in, as a path; without it one is looked for. */
export const CHROMIUM_VARIABLE = 'CHROMIUM_PATH';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const INSTALL_TIMEOUT_MS = 300_000;
const ANSWER_TIMEOUT_MS = 30_000;
const PLAYWRIGHT = require.resolve('@playwright/test/cli');

/**
 * Finds a Chromium: the one that the environment names, one on PATH, or Playwright's own. If there is none, lets
 * Playwright download its own; if that can't be reached, uses apt-get, which needs root.
 *
 * @param env has PATH, and may name the browser
 * @param onProgress called with what takes long
 * @throws Error that says what to do if there is none in the end
 */
export async function findChromium(env: NodeJS.ProcessEnv, onProgress: (line: string) => void): Promise<string> {
  const found = await lookForChromium(env);
  if (found !== undefined) return found;
  onProgress('No Chromium on this machine; installing one …');
  const isRoot = process.getuid?.() === 0;
  const ways: (readonly [file: string, ...args: string[]])[] = [
    [process.execPath, PLAYWRIGHT, 'install', ...(isRoot ? ['--with-deps'] : []), 'chromium'],
  ];
  if (isRoot) {
    ways.push(['apt-get', 'update'], ['apt-get', 'install', '-y', '--no-install-recommends', 'chromium']);
  }
  for (const [file, ...args] of ways) {
    const problem = await promisify(execFile)(file, args, {
      timeout: INSTALL_TIMEOUT_MS,
      env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
    }).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (problem instanceof Error) onProgress(`${[file, ...args].join(' ')}: ${problem.message.split('\n')[0]}`);
    const installed = await lookForChromium(env);
    if (installed !== undefined) return installed;
  }
  throw new Error(`No Chromium. Install one, or name it in ${CHROMIUM_VARIABLE}.`);
}

/** Chromium refuses its sandbox to root; the other flags switch off background activity. */
export function chromiumFlags(): string[] {
  return [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ];
}

async function lookForChromium(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const named = env[CHROMIUM_VARIABLE];
  if (named !== undefined && named !== '') return named;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const candidates = [
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
    chromium.executablePath(),
  ];
  for (const file of candidates) if (existsSync(file) && (await runs(file))) return file;
  return undefined;
}

/** A download without the system's libraries is there, and doesn't run. */
function runs(file: string): Promise<boolean> {
  return promisify(execFile)(file, ['--version'], { timeout: ANSWER_TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
}
