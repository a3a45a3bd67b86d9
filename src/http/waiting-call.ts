import type { HttpContext } from './request-state';

/** How much memory a waiting call holds, and a way to hear that its client has left. */
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
