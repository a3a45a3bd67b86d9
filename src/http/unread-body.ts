import type { HttpMiddleware } from './request-state';

/**
 * Twice the largest body that an operation takes, a batch: whoever sends somewhat too much reads the answer, and goes on
 * with the same connection.
 */
const MAX_THROWN_AWAY_BYTES = 4 * 1_024 * 1_024;

/**
 * Throws the rest of a body away that was answered without being read. Closing at once would reset the connection under
 * the answer, and Node by itself reads on for as long as the client sends: behind 4 MiB the connection is closed.
 */
export const throwAwayUnreadBody: HttpMiddleware = async (ctx, next) => {
  await next();
  const { req } = ctx;
  if (req.complete || req.destroyed) return;
  let left = MAX_THROWN_AWAY_BYTES;
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) req.socket.destroy();
  });
  // Whoever began to read has paused it.
  req.resume();
};
