import type { HttpContext } from './request-state';

/** The memory that a waiting call holds, and a way to notice that its client has disconnected. */
export function waitingCallOf(ctx: HttpContext, bytes: number) {
  return {
    bytes,
    onGone(listener: () => void): () => void {
      const onClose = (): void => {
        if (!ctx.res.writableEnded) listener();
      };
      ctx.res.once('close', onClose);
      return () => void ctx.res.off('close', onClose);
    },
  };
}
