import { sleep } from '../platform/sleep';
import { createTurns } from '../platform/turns';
import type { HttpMiddleware } from './request-state';

/**
 * Twice the largest body that an operation takes, a batch: a client that sends slightly too much can read the answer and
 * keep its connection.
 */
const MAX_DISCARDED_BYTES = 4 * 1_024 * 1_024;
/** Between two chunks of 64 KiB, of all connections: at most 32 MiB a second. Unlimited, three clients send ten times that. */
const PAUSE_MS = 2;
/** Each of them holds one or two chunks: at most 16 MiB. */
const MAX_WAITING = 128;

/**
 * Discards the rest of a body that was answered without being read. Closing at once would reset the connection before
 * the client has the answer, and Node itself would read for as long as the client sends. After 4 MiB the connection is
 * closed.
 *
 * The client has its answer, so the rest is not urgent: the connections take turns, a chunk at a time, and leave the
 * event loop to others. A connection that would be one too many to wait is closed.
 */
export function createDiscardUnreadBody(): HttpMiddleware {
  const turns = createTurns(1);
  return async (ctx, next) => {
    await next();
    const { req } = ctx;
    if (req.complete || req.destroyed) return;
    let left = MAX_DISCARDED_BYTES;
    req.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0 || turns.waiting() >= MAX_WAITING) return void req.socket.destroy();
      req.pause();
      void turns.take(async () => void (req.destroyed || (await sleep(PAUSE_MS)))).then(() => req.resume());
    });
    // A handler that started to read has paused it.
    req.resume();
  };
}
