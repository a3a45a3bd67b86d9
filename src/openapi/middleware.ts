import { compressOnce, sendCompressed } from '../http/compressed-once';
import type { HttpMiddleware } from '../http/request-state';

/** Serves the OpenAPI document at `/openapi.json`. */
export function createOpenApiRoute(document: object): HttpMiddleware {
  const content = compressOnce(JSON.stringify(document));
  return (ctx, next) => {
    if (ctx.path !== '/openapi.json' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.type = 'application/json';
    sendCompressed(ctx, content);
    return undefined;
  };
}
