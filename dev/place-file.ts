import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const TEMPORARY_PREFIX = '.part-';
const ABANDONED_AFTER_MS = 86_400_000;

/**
 * Produces an executable under its final name, whole or not at all: it is made in a folder of its own beside the
 * target, checked, flushed and renamed. Any number of processes may do so at once; the last rename wins, and all
 * of them placed a whole file. What a killed process left is removed a day later.
 *
 * @param produce makes the file inside the given folder and returns its path
 */
export async function placeExecutable(target: string, produce: (folder: string) => Promise<string>): Promise<string> {
  const parent = dirname(target);
  await mkdir(parent, { recursive: true });
  await removeAbandoned(parent);
  const folder = join(parent, `${TEMPORARY_PREFIX}${basename(target)}-${randomBytes(6).toString('hex')}`);
  await mkdir(folder);
  try {
    const made = await produce(folder);
    await chmod(made, 0o755);
    await flush(made);
    await rename(made, target);
    await flush(parent);
    return target;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function removeAbandoned(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(TEMPORARY_PREFIX)) continue;
    const path = join(parent, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}
