import type { HttpContext } from './request-state';

/** What a call holds in memory while it waits, and when its client leaves. */
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
