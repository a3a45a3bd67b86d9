import type { HttpContext } from './request-state';

/**
 * The memory that a waiting call holds, how long it has waited, and a way to notice that its client has disconnected.
 *
 * @param waitedMs `ctx.state.ageMs()` before its body was read
 */
export function waitingCallOf(ctx: HttpContext, { bytes, waitedMs }: { bytes: number; waitedMs: number }) {
  return {
    bytes,
    waitedMs,
    onGone(listener: () => void): () => void {
      const onClose = (): void => {
        if (!ctx.res.writableEnded) listener();
      };
      ctx.res.once('close', onClose);
      return () => void ctx.res.off('close', onClose);
    },
  };
}
