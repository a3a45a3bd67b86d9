import { constants, gzipSync } from 'node:zlib';
import type { HttpContext } from './request-state';

/** A text that is sent to everybody, as it is and compressed. */
export interface CompressedOnce {
  readonly plain: Buffer;
  readonly gzip: Buffer;
}

/**
 * Compresses a text that has no secrets (BREACH), once, so that strangers' requests cost no processor time. One buffer
 * serves all answers: otherwise each slow client would hold a copy.
 *
 * @param text is called at the first request: a process starts sooner
 */
export function compressOnce(text: () => string): () => CompressedOnce {
  let made: CompressedOnce | undefined;
  return () => {
    if (made) return made;
    const plain = Buffer.from(text());
    made = { plain, gzip: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }) };
    return made;
  };
}

/** Answers with the text, compressed for clients that accept gzip. */
export function sendCompressed(ctx: HttpContext, { plain, gzip }: CompressedOnce): void {
  ctx.vary('Accept-Encoding');
  const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isCompressed) ctx.set('Content-Encoding', 'gzip');
  ctx.body = isCompressed ? gzip : plain;
}
