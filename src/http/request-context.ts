import { newId } from '../platform/ids';
import { withoutRedaction, type Logger } from '../platform/logger';
import type { Metrics } from '../platform/metrics';
import { PROBES } from './health';
import type { HttpContext, HttpMiddleware, RequestState } from './request-state';

/** Gives each request its id, its logger and its line in the access log. */
export function createRequestContext(deps: {
  logger: Logger;
  metrics: Metrics;
  clientAddress: (ctx: HttpContext) => string;
}): HttpMiddleware {
  // Its lines contain only ids, numbers, addresses and our own words.
  const accessLog = withoutRedaction(deps.logger);
  return async (ctx, next) => {
    const startedAt = performance.now();
    const requestId = newId('req');
    const { state, ids } = createState(deps.logger, requestId, startedAt);
    ctx.state = state;
    ctx.set('X-Request-Id', requestId);
    ctx.set('X-Content-Type-Options', 'nosniff');
    // Now, because a closed connection has no address. By the whole URL, because `path` throws if it is malformed.
    const client = PROBES.includes(ctx.url) ? undefined : deps.clientAddress(ctx);
    ctx.res.once('close', () => {
      const seconds = (performance.now() - startedAt) / 1_000;
      const labels = { method: ctx.method, route: ctx.state.route ?? 'unmatched', status_code: ctx.res.statusCode };
      const { errorCode } = ctx.state;
      deps.metrics.httpRequests.observe(labels, seconds);
      if (labels.status_code === 429 && errorCode !== undefined)
        deps.metrics.limitedRequests.inc({ reason: errorCode });
      // The pattern, not the path: ids are in the other fields, and a path may contain what a client put there by
      // mistake.
      const fields = { ...ids, client, ...labels, code: errorCode, duration_ms: Math.round(seconds * 1_000) };
      // Probes are most of the calls of a quiet installation, and say nothing while they are well.
      accessLog[PROBES.includes(labels.route) ? 'debug' : 'info'](fields, 'request');
    });
    await next();
  };
}

/** A request's state, which starts with its id. Its logger is created with the first line. */
function createState(logger: Logger, requestId: string, startedAt: number) {
  const ids: Record<string, string> = { request_id: requestId };
  let log: Logger | undefined;
  const state = {
    requestId,
    ageMs: () => performance.now() - startedAt,
    get log(): Logger {
      return (log ??= logger.child(ids));
    },
    identify(more: Readonly<Record<string, string>>): void {
      Object.assign(ids, more);
      log = undefined;
    },
  };
  // The middlewares named at the fields set what is missing.
  return { ids, state: state as RequestState };
}
