import type { HttpContext, HttpMiddleware } from './request-state';

const EXPOSED = {
  'Access-Control-Expose-Headers':
    'ETag, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Quota-Used, X-Quota-Limit',
};
// Two hours, the longest that browsers keep it.
const KEPT = { 'Access-Control-Max-Age': '7200' };

/** Nothing here depends on cookies, so any page may call it and read the answer (Fetch standard, "CORS protocol"). */
const READABLE = { ...EXPOSED, 'Access-Control-Allow-Origin': '*' };
const PREFLIGHT = {
  ...KEPT,
  'Access-Control-Allow-Methods': 'GET, HEAD, POST',
  'Access-Control-Allow-Headers': 'Content-Type, If-None-Match, X-Api-Key',
};
const PREFLIGHT_OF_API = {
  ...KEPT,
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-Match, If-None-Match',
};

/** Lets pages of other origins use the estimator. A preflight request doesn't count against any limit. */
export const allowAnyOrigin: HttpMiddleware = (ctx, next) => {
  ctx.set(READABLE);
  if (!isPreflight(ctx)) return next();
  ctx.set(PREFLIGHT);
  ctx.status = 204;
};

/**
 * Lets pages of these origins call the API and read its answers, by a token in a header: no cookie is ever sent along.
 * Other origins learn nothing.
 *
 * @param origins as browsers write them: `https://app.example.com`
 */
export function createAllowOrigins(origins: readonly string[]): HttpMiddleware {
  const allowed = new Set(origins);
  return (ctx, next) => {
    if (allowed.size === 0) return next();
    // A cache must not give the answer for one origin to another.
    ctx.vary('Origin');
    const origin = ctx.get('Origin');
    if (!allowed.has(origin)) return next();
    ctx.set({ ...EXPOSED, 'Access-Control-Allow-Origin': origin });
    if (!isPreflight(ctx)) return next();
    ctx.set(PREFLIGHT_OF_API);
    ctx.status = 204;
  };
}

function isPreflight(ctx: HttpContext): boolean {
  return ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') !== '';
}
