import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { askSocket, keyFileOf, keysOfDataDir, socketPathOf, type StackStatus } from '../src/cli/data-dir';
import { writePrivateFile } from '../src/platform/private-file';
import { sleep } from '../src/platform/sleep';
import { makeFolders } from './make-folders';
import { LocalStackError, reasonOf } from './messages';

/** The right to use a data folder. The system releases it when this process is gone, however it ended. */
export type DataDir = Awaited<ReturnType<typeof takeDataDir>>;

/** Longer than the time between finding a dead socket and replacing it. */
const SETTLE_MS = 150;

/**
 * Takes a data folder for this process, and creates it if it is missing. A socket shows whether another process has it:
 * a process id in a file could belong to another program by now.
 *
 * @throws LocalStackError naming the running stack's addresses if there is one
 */
export async function takeDataDir(folder: string) {
  const path = makeFolder(folder);
  const socketPath = socketPathOf(path);
  const identity = randomUUID();
  let status: StackStatus = { pid: process.pid };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(JSON.stringify({ identity, ...status }));
  });
  if (!(await listen(server, socketPath))) {
    const owner = await askSocket(socketPath);
    if (owner) throw alreadyRunning(path, owner);
    // Left by a process that was killed.
    rmSync(socketPath, { force: true });
    if (!(await listen(server, socketPath))) throw alreadyRunning(path, await askSocket(socketPath));
  }
  // Two starts at once may both have found a dead socket; the one that answers in the end has the folder.
  await sleep(SETTLE_MS);
  const owner = await askSocket(socketPath);
  if (owner?.identity !== identity) {
    server.close();
    throw alreadyRunning(path, owner);
  }
  server.unref();
  return {
    /** Absolute, without symbolic links. */
    path,
    /** Changes the status that others read. */
    announce: (news: Omit<StackStatus, 'pid'>) => void (status = { pid: process.pid, ...news }),
    release: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function makeFolder(folder: string): string {
  try {
    makeFolders(folder);
    return realpathSync(folder);
  } catch (error) {
    throw new LocalStackError(
      `The data folder ${folder} can't be made: ${reasonOf(error)}. Set EVERPOST_DATA_DIR to another.`,
    );
  }
}

/** @returns false if another process listens there, or did when it was killed */
async function listen(server: Server, path: string): Promise<boolean> {
  try {
    await once(server.listen(path), 'listening');
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw new LocalStackError(
      `The socket ${path} can't be made: ${reasonOf(error)}. Set EVERPOST_DATA_DIR to another folder.`,
    );
  }
}

function alreadyRunning(path: string, owner: StackStatus | undefined): LocalStackError {
  const who = owner?.pid ? ` (process ${owner.pid})` : '';
  const where = owner?.apiUrl
    ? `: API ${owner.apiUrl}, Temporal Web UI ${owner.temporalUiUrl ?? 'elsewhere'}, inbox ${owner.inboxUrl}`
    : '';
  return new LocalStackError(
    `Everpost runs already on ${path}${who}${where}. Stop it first, or set EVERPOST_DATA_DIR and the ports for a second one.`,
  );
}

/** Keys for secrets at rest (`keysOfDataDir`). A folder without a key gets a new one, which only its owner can read. */
export async function encryptionKeys(dataDir: string, configured: readonly string[]): Promise<readonly string[]> {
  const keys = await keysOfDataDir(dataDir, configured);
  if (keys.length > 0) return keys;
  const made = randomBytes(32).toString('base64');
  await writePrivateFile(keyFileOf(dataDir), `${made}\n`);
  return [made];
}
