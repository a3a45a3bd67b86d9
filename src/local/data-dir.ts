import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalStackError, reasonOf } from './local-stack-error';

/** What a running stack tells whoever asks at its data folder. */
export interface StackStatus {
  readonly pid: number;
  /** Undefined while it starts. */
  readonly apiUrl?: string | undefined;
  readonly temporalUiUrl?: string | undefined;
  readonly inboxUrl?: string | undefined;
  /** Where its MongoDB is, for the operator's commands. */
  readonly mongodbUri?: string | undefined;
  /** And its Temporal. */
  readonly temporalAddress?: string | undefined;
}

/** The right to use a data folder. The system takes it back when this process is gone, however it went. */
export interface DataDir {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Changes what others are told. */
  announce(status: Omit<StackStatus, 'pid'>): void;
  release(): Promise<void>;
}

/** Unix sockets have short names: 104 bytes on macOS, 108 on Linux, the closing zero included. */
const LONGEST_SOCKET_PATH = 100;
const ANSWER_TIMEOUT_MS = 2_000;
/** Longer than anybody needs between finding a dead socket and replacing it. */
const SETTLE_MS = 150;

/**
 * Takes a data folder for this process, and makes it when it is missing. Whether somebody has it already is decided
 * by asking a socket: a process id in a file could belong to anybody by now.
 *
 * @throws LocalStackError naming the running stack's addresses when there is one
 */
export async function takeDataDir(folder: string): Promise<DataDir> {
  const path = makeFolder(folder);
  const socketPath = socketPathOf(path);
  const identity = randomUUID();
  let status: StackStatus = { pid: process.pid };
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(JSON.stringify({ identity, ...status }));
  });
  if (!(await listen(server, socketPath))) {
    const owner = await ask(socketPath);
    if (owner) throw alreadyRunning(path, owner);
    // Left by a process that was killed.
    rmSync(socketPath, { force: true });
    if (!(await listen(server, socketPath))) throw alreadyRunning(path, await ask(socketPath));
  }
  // Two starts at once may both have found a dead socket; whoever answers in the end has the folder.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const owner = await ask(socketPath);
  if (owner?.identity !== identity) {
    server.close();
    throw alreadyRunning(path, owner);
  }
  server.unref();
  return {
    path,
    announce: (news) => void (status = { pid: process.pid, ...news }),
    release: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** What the stack that runs on a data folder says of itself; `undefined` when none runs. */
export async function askDataDir(folder: string): Promise<StackStatus | undefined> {
  try {
    return await ask(socketPathOf(realpathSync(folder)));
  } catch {
    return undefined;
  }
}

function makeFolder(folder: string): string {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return realpathSync(folder);
  } catch (error) {
    throw new LocalStackError(
      `The data folder ${folder} can't be made: ${reasonOf(error)}. Set EVERPOST_DATA_DIR to another.`,
    );
  }
}

function socketPathOf(path: string): string {
  const inside = join(path, 'everpost.sock');
  if (Buffer.byteLength(inside) <= LONGEST_SOCKET_PATH) return inside;
  return join(tmpdir(), `everpost-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.sock`);
}

async function listen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return resolve(false);
      reject(
        new LocalStackError(
          `The socket ${path} can't be made: ${reasonOf(error)}. Set EVERPOST_DATA_DIR to another folder.`,
        ),
      );
    };
    server.once('error', onError);
    server.listen(path, () => {
      server.off('error', onError);
      resolve(true);
    });
  });
}

async function ask(path: string): Promise<(StackStatus & { identity: string }) | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path);
    // A living process that is too busy to answer is alive all the same.
    const timer = setTimeout(() => {
      socket.destroy();
      resolve({ pid: 0, identity: '' });
    }, ANSWER_TIMEOUT_MS);
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => (text += part));
    socket.once('error', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    socket.once('end', () => {
      clearTimeout(timer);
      resolve(parseAnswer(text));
    });
  });
}

/** It answered, so it is alive, even if what it said was cut off. */
function parseAnswer(text: string): StackStatus & { identity: string } {
  try {
    return JSON.parse(text) as StackStatus & { identity: string };
  } catch {
    return { pid: 0, identity: '' };
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
