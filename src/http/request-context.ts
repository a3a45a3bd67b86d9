import { newId } from '../platform/ids';
import type { Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import type { HttpContext, HttpMiddleware } from './request-state';

/** Gives each request its id, its log and its line in the access log. */
export function createRequestContext(deps: { logger: Logger; metrics: Metrics }): HttpMiddleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = newId('req');
    ctx.state.requestId = requestId;
    ctx.state.log = deps.logger.child({ request_id: requestId });
    ctx.set('X-Request-Id', requestId);
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.res.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1_000;
      const labels = { method: ctx.method, route: routeOf(ctx), status_code: ctx.res.statusCode };
      const { errorCode } = ctx.state;
      deps.metrics.httpRequests.observe(labels, seconds);
      if (labels.status_code === 429 && errorCode !== undefined)
        deps.metrics.limitedRequests.inc({ reason: errorCode });
      // The pattern, not the path: ids are in the other fields, and a path may hold what a client put there by mistake.
      ctx.state.log.info({ ...labels, code: errorCode, duration_ms: Math.round(seconds * 1_000) }, 'request');
    });
    await next();
  };
}

function routeOf(ctx: HttpContext): string {
  const pattern: unknown = ctx['_matchedRoute'];
  return typeof pattern === 'string' ? pattern : 'unmatched';
}
