import { sleep } from '../platform/sleep';
import { createConcurrencyLimit } from '../platform/concurrency-limit';
import type { HttpMiddleware } from './request-state';

/**
 * Twice the largest body that an operation takes, a batch: a client that sends slightly too much can read the answer and
 * keep its connection.
 */
const MAX_DISCARDED_BYTES = 4 * 1_024 * 1_024;
/**
 * Between two chunks of 64 KiB, of all connections: at most 6 MiB a second. With 2 ms, three clients that sent 300 KB in
 * each call could make a tenant's p99 four times as long (`npm run bench:abusers`).
 */
const PAUSE_MS = 10;

/**
 * Discards the rest of a body that was answered without being read. Closing at once would reset the connection before
 * the client has the answer, and Node itself would read for as long as the client sends. After 4 MiB the connection is
 * closed.
 *
 * The client has its answer, so the rest is not urgent: the connections take turns, a chunk at a time, and leave the
 * event loop to others. While one waits for its turn, its bytes stay in the system's buffers.
 */
export function createDiscardUnreadBody(): HttpMiddleware {
  const slots = createConcurrencyLimit(1);
  const turn = (): Promise<void> => slots.run(() => sleep(PAUSE_MS));
  return async (ctx, next) => {
    await next();
    const { req } = ctx;
    if (!req.complete && !req.destroyed) req.discard(MAX_DISCARDED_BYTES, turn);
  };
}
