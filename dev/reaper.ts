import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/**
 * Reads our end of a pipe: the kernel closes it when this process dies, even by `kill -9`. It has its own session, so
 * that neither a terminal's Ctrl-C nor a signal to our group ends it before its work is done.
 */
const SCRIPT = `
  const { rmSync } = require('node:fs');
  const pids = new Set();
  const folders = new Set();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});
  const lines = require('node:readline').createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const [word, value] = JSON.parse(line);
    if (word === 'end') pids.add(value);
    if (word === 'forget') pids.delete(value);
    if (word === 'remove') folders.add(value);
  });
  lines.on('close', () => {
    for (const pid of pids) {
      // Including its children, if it leads a group.
      for (const id of [-pid, pid]) { try { process.kill(id, 'SIGKILL'); } catch {} }
    }
    setTimeout(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      process.exit();
    }, 200);
  });
`;

let reaper: Writable | undefined;

/**
 * Makes a process end when this one does, however that happens: killing `npm start`, a demo, a benchmark or the tests
 * must never leave a database server running.
 *
 * @param child a process that was just started
 */
export function endWithUs(child: {
  readonly pid?: number | undefined;
  once(event: 'exit', done: () => void): unknown;
}) {
  const { pid } = child;
  if (pid === undefined) return;
  tell('end', pid);
  // Its process id may soon belong to another process.
  child.once('exit', () => tell('forget', pid));
}

/** Removes a folder when this process ends, however that happens. */
export function removeWithUs(folder: string): void {
  tell('remove', folder);
}

function tell(word: string, value: number | string): void {
  reaper ??= startReaper();
  reaper.write(`${JSON.stringify([word, value])}\n`);
}

/** A small process that outlives this one, and does not keep it alive. */
function startReaper(): Writable {
  const child = spawn(process.execPath, ['-e', SCRIPT], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.unref();
  (child.stdin as typeof child.stdin & { unref(): void }).unref();
  child.stdin.on('error', () => undefined);
  return child.stdin;
}
