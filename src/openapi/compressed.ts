import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { HttpContext } from '../http/request-state';

const compress = promisify(gzip);
const compressed = new WeakMap<Buffer, Promise<Buffer>>();

/**
 * Answers with bytes that everybody gets: compressed for whoever takes gzip.
 *
 * They are compressed once, however often they are asked for: strangers cost no processor time. Only for what holds no
 * secret (BREACH).
 */
export async function sendPublic(ctx: HttpContext, bytes: Buffer): Promise<void> {
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    ctx.body = bytes;
    return;
  }
  const made = compressed.get(bytes) ?? compress(bytes, { level: constants.Z_BEST_COMPRESSION });
  compressed.set(bytes, made);
  ctx.set('Content-Encoding', 'gzip');
  ctx.body = await made;
}
