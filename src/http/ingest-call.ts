import type { IngestCall } from '../events/ingest-room';
import type { HttpContext } from './request-state';

/** What an ingest holds in memory while it waits, and when its client leaves. */
export function ingestCallOf(ctx: HttpContext, bytes: number): IngestCall {
  return {
    bytes,
    onGone(listener) {
      const onClose = (): void => {
        if (!ctx.res.writableEnded) listener();
      };
      ctx.res.once('close', onClose);
      return () => void ctx.res.off('close', onClose);
    },
  };
}
