import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';

/** Writes a file that only its owner can read, completely or not at all. */
export async function writePrivateFile(path: string, content: string): Promise<void> {
  const temporary = `${path}.part-${randomBytes(6).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
}

/** The file's content, or `undefined` if there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
