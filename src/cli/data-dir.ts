import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIfThere } from '../platform/private-file';

/** The status that a running stack reports through its data folder. */
export interface StackStatus {
  readonly pid: number;
  /** Undefined while it starts. */
  readonly apiUrl?: string | undefined;
  readonly temporalUiUrl?: string | undefined;
  readonly inboxUrl?: string | undefined;
  /** The URI of its MongoDB, for the operator's commands. */
  readonly mongodbUri?: string | undefined;
  /** The address of its Temporal. */
  readonly temporalAddress?: string | undefined;
}

/** Unix socket paths are short: 104 bytes on macOS, 108 on Linux, including the final zero. */
const MAX_SOCKET_PATH_LENGTH = 100;
const ANSWER_TIMEOUT_MS = 2_000;

/** The status of the stack that runs on a data folder; `undefined` when none runs. */
export async function askDataDir(folder: string): Promise<StackStatus | undefined> {
  try {
    return await askSocket(socketPathOf(realpathSync(folder)));
  } catch {
    return undefined;
  }
}

/** The socket of a data folder, by its real path. */
export function socketPathOf(path: string): string {
  const inside = join(path, 'everpost.sock');
  if (Buffer.byteLength(inside) <= MAX_SOCKET_PATH_LENGTH) return inside;
  return join(tmpdir(), `everpost-${createHash('sha256').update(path).digest('hex').slice(0, 16)}.sock`);
}

/** The answer from a data folder's socket; `undefined` when nothing listens on it. */
export async function askSocket(path: string): Promise<(StackStatus & { identity: string }) | undefined> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(path);
    // A process that is too busy to answer is still alive.
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

/** It answered, so it is alive, even if the answer was cut off. */
function parseAnswer(text: string): StackStatus & { identity: string } {
  try {
    return JSON.parse(text) as StackStatus & { identity: string };
  } catch {
    return { pid: 0, identity: '' };
  }
}

/** The path of the key that `npm start` made for a data folder. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'encryption-key');
}

/**
 * The keys for secrets at rest: the configured ones, followed by the data folder's own, so that what it sealed can
 * still be opened.
 *
 * @param configured from the settings; the first one seals
 */
export async function keysOfDataDir(dataDir: string, configured: readonly string[]): Promise<readonly string[]> {
  const kept = (await readIfThere(keyFileOf(dataDir)))?.trim();
  return !kept || configured.includes(kept) ? configured : [...configured, kept];
}
