import { gzipSync, constants } from 'node:zlib';
import type { HttpMiddleware } from '../http/request-state';

/**
 * Serves the OpenAPI document at `/openapi.json`, compressed for clients that accept gzip.
 *
 * It has no secrets (BREACH), and is compressed only once, so that strangers' requests cost no processor time. One buffer
 * serves all answers: otherwise each slow client would hold a copy.
 */
export function createOpenApiRoute(document: object): HttpMiddleware {
  const plain = Buffer.from(JSON.stringify(document));
  const compressed = gzipSync(plain, { level: constants.Z_BEST_COMPRESSION });
  return (ctx, next) => {
    if (ctx.path !== '/openapi.json' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.vary('Accept-Encoding');
    ctx.type = 'application/json';
    const isCompressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isCompressed) ctx.set('Content-Encoding', 'gzip');
    ctx.body = isCompressed ? compressed : plain;
    return undefined;
  };
}
