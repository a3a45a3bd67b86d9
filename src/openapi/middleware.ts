import { compressOnce, sendCompressed } from '../http/compressed-once';
import { requireRead } from '../http/not-found';
import type { HttpMiddleware } from '../http/request-state';

/** Serves the OpenAPI document at `/openapi.json`. */
export function createOpenApiRoute(document: () => object): HttpMiddleware {
  const content = compressOnce(() => JSON.stringify(document()));
  return (ctx, next) => {
    if (ctx.path !== '/openapi.json') return next();
    requireRead(ctx);
    ctx.type = 'application/json';
    sendCompressed(ctx, content());
    return undefined;
  };
}
