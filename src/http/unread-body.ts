import type { HttpMiddleware } from './request-state';

/**
 * Twice the largest body that an operation takes, a batch: a client that sends slightly too much can read the answer and
 * keep its connection.
 */
const MAX_DISCARDED_BYTES = 4 * 1_024 * 1_024;

/**
 * Discards the rest of a body that was answered without being read. Closing at once would reset the connection before
 * the client has the answer, and Node itself would read for as long as the client sends. After 4 MiB the connection is
 * closed.
 */
export const discardUnreadBody: HttpMiddleware = async (ctx, next) => {
  await next();
  const { req } = ctx;
  if (req.complete || req.destroyed) return;
  let left = MAX_DISCARDED_BYTES;
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.socket.destroy();
  });
  // A handler that started to read has paused it.
  req.resume();
};
