// `npm run dev`: the stack of `npm start`, with the API and the worker replaced when their code changes, and the web
// page from Vite's own server. PROCESSES=2 gives them separate processes behind one port.

import { spawn, type ChildProcess } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
// oxlint-disable-next-line import/no-unassigned-import -- it is a program
import './start';

const ROOT = join(__dirname, '..', '..');
const SOURCES = ['src', 'workflows', 'activities'];

const watched = new Set<string>();

let running = builtState();
let isBuilding = false;
let hasChanged = false;

/** Builds until nothing has changed meanwhile: one save causes several events. */
async function onChange(): Promise<void> {
  hasChanged = true;
  if (isBuilding) return;
  isBuilding = true;
  while (hasChanged) {
    hasChanged = false;
    watchFolders();
    const [code] = await once(run('bootstrap/ready.js', 'server'), 'exit');
    const built = builtState();
    if (code !== 0 || built === running) continue;
    running = built;
    process.stderr.write('Replacing the API and the worker …\n');
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  }
  isBuilding = false;
}

/** Each folder separately: with `recursive`, Node 20 loses a file that an editor replaces by another one (Linux). */
function watchFolders(): void {
  const entries = SOURCES.flatMap((name) => readdirSync(join(ROOT, name), { recursive: true, withFileTypes: true }));
  for (const folder of new Set(entries.map(({ parentPath }) => parentPath))) {
    if (watched.has(folder)) continue;
    watched.add(folder);
    watch(folder, () => void onChange());
  }
}

/** The state of the sources that `dist` was built from. */
function builtState(): string | undefined {
  try {
    return readFileSync(join(ROOT, 'dist', '.server'), 'utf8');
  } catch {
    // The last build failed.
    return undefined;
  }
}

function run(script: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [script, ...args], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
}

watchFolders();
const page = run('node_modules/vite/bin/vite.js', 'dashboard', '--clearScreen', 'false');
process.once('exit', () => page.kill());
