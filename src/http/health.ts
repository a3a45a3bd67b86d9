import type { Readiness } from '../platform/readiness';
import { requireRead } from './not-found';
import type { HttpMiddleware } from './request-state';

/** The paths that load balancers ask every few seconds. */
export const PROBES = ['/healthz', '/readyz'];

export interface HealthDeps {
  readonly readiness: () => Promise<Readiness>;
  /** Problems that an operator should look at, although the process works. */
  readonly warnings: () => readonly string[];
}

/**
 * `/healthz`: the process runs. `/readyz`: it can do all of its work. While Temporal is away it is `degraded` but still
 * ready, because events are accepted and delivered later. Warnings change neither.
 */
export function createHealth(deps: HealthDeps): HttpMiddleware {
  return async (ctx, next) => {
    if (PROBES.includes(ctx.path)) ctx.state.route = ctx.path;
    if (ctx.path === '/healthz') {
      requireRead(ctx);
      ctx.body = { status: 'ok' };
    } else if (ctx.path === '/readyz') {
      requireRead(ctx);
      const { isReady, status, states } = await deps.readiness();
      ctx.status = isReady ? 200 : 503;
      const warnings = deps.warnings();
      ctx.body = { status, ...states, ...(warnings.length > 0 && { warnings }) };
    } else {
      return next();
    }
    ctx.set('Cache-Control', 'no-store');
  };
}
