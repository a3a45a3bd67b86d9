import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIfThere } from '../platform/private-file';

/** What a running stack reports about itself at its data folder. */
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

/** Unix sockets have short names: 104 bytes on macOS, 108 on Linux, the closing zero included. */
const LONGEST_SOCKET_PATH = 100;
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
  if (Buffer.byteLength(inside) <= LONGEST_SOCKET_PATH) return inside;
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

/** It answered, so it is alive, even if what it said was cut off. */
function parseAnswer(text: string): StackStatus & { identity: string } {
  try {
    return JSON.parse(text) as StackStatus & { identity: string };
  } catch {
    return { pid: 0, identity: '' };
  }
}

/** Where a data folder keeps the key that `npm start` made for it. */
export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'encryption-key');
}

/**
 * The keys for secrets at rest: those that are configured, and behind them the one that the data folder keeps, so
 * that what it sealed can still be opened.
 *
 * @param configured from the settings; the first one seals
 */
export async function keysOfDataDir(dataDir: string, configured: readonly string[]): Promise<readonly string[]> {
  const kept = (await readIfThere(keyFileOf(dataDir)))?.trim();
  return !kept || configured.includes(kept) ? configured : [...configured, kept];
}
