import type { HttpMiddleware } from './request-state';

/** The largest body that an operation takes, a batch: whoever sends no more than that gets to read the answer. */
const MAX_THROWN_AWAY_BYTES = 2 * 1_024 * 1_024;

/**
 * Throws the rest of a body away that was answered without being read. Closing at once would reset the connection under
 * the answer, and Node by itself reads on for as long as the client sends: behind 2 MiB the connection is closed.
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
