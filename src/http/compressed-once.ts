import { createHash } from 'node:crypto';
import { constants, gzipSync } from 'node:zlib';
import type { HttpContext } from './request-state';

/** A text that is sent to everybody, as it is and compressed. */
export interface CompressedOnce {
  readonly plain: Buffer;
  readonly gzip: Buffer;
  /** A hash of the text, for the header `ETag`. */
  readonly tag: string;
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
    const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22);
    made = { plain, gzip: gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }), tag };
    return made;
  };
}

/**
 * Answers with the text, compressed for clients that accept gzip; with 304 and nothing if the client has it already. The tag
 * is weak (RFC 9110, 8.8.1), because it is the same for both forms of the text.
 */
export function sendCompressed(ctx: HttpContext, { plain, gzip, tag }: CompressedOnce): void {
  ctx.vary('Accept-Encoding');
  ctx.status = 200;
  ctx.set('ETag', `W/"${tag}"`);
  if (hasTag(ctx.get('If-None-Match'), tag)) {
    ctx.status = 304;
    return;
  }
  const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (isCompressed) ctx.set('Content-Encoding', 'gzip');
  ctx.body = isCompressed ? gzip : plain;
}

/** Unlike Koa's `fresh`, also for a client that sends `Cache-Control: no-cache` with it, as `fetch` of Node does. */
function hasTag(header: string, tag: string): boolean {
  return header.split(',').some((given) => given.trim().replace(/^W\//, '') === `"${tag}"`);
}
