"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.allowAnyOrigin = void 0;
/** Nothing here depends on cookies, so any page may call it and read the answer (Fetch standard, "CORS protocol"). */
const READABLE = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'ETag, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Quota-Used, X-Quota-Limit',
};
const PREFLIGHT = {
    'Access-Control-Allow-Methods': 'GET, HEAD, POST',
    'Access-Control-Allow-Headers': 'Content-Type, If-None-Match, X-Api-Key',
    // Two hours, the longest that browsers keep it.
    'Access-Control-Max-Age': '7200',
};
/** Lets pages of other origins use the estimator. A preflight request doesn't count against any limit. */
const allowAnyOrigin = (ctx, next) => {
    ctx.set(READABLE);
    if (ctx.method !== 'OPTIONS' || ctx.get('Access-Control-Request-Method') === '')
        return next();
    ctx.set(PREFLIGHT);
    ctx.status = 204;
};
exports.allowAnyOrigin = allowAnyOrigin;
//# sourceMappingURL=cross-origin.js.map