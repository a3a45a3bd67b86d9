import { requireRead } from './not-found';
import type { HttpMiddleware } from './request-state';

export interface HealthDeps {
  readonly isMongoUp: () => Promise<boolean>;
  readonly isTemporalUp: () => Promise<boolean>;
  /** False as soon as the process is told to stop. */
  readonly isAccepting: () => boolean;
  /** True once the process has everything that its operations need: the indexes of lists, the catalog. */
  readonly hasStarted: () => boolean;
  /** Problems that an operator should look at, although the process works. */
  readonly warnings: () => readonly string[];
}

/**
 * `/healthz`: the process runs. `/readyz`: it can do all of its work. While Temporal is away it is `degraded` but still
 * ready, because events are accepted and delivered later. Warnings change neither.
 */
export function createHealth(deps: HealthDeps): HttpMiddleware {
  return async (ctx, next) => {
    if (ctx.path === '/healthz') {
      requireRead(ctx);
      ctx.body = { status: 'ok' };
    } else if (ctx.path === '/readyz') {
      requireRead(ctx);
      const [mongodb, temporal] = await Promise.all([deps.isMongoUp(), deps.isTemporalUp()]);
      const available = mongodb && deps.isAccepting();
      const ready = available && deps.hasStarted();
      ctx.status = ready ? 200 : 503;
      const warnings = deps.warnings();
      ctx.body = {
        status: !available ? 'unavailable' : !ready ? 'starting' : temporal ? 'ok' : 'degraded',
        mongodb: mongodb ? 'up' : 'down',
        temporal: temporal ? 'up' : 'down',
        ...(warnings.length > 0 && { warnings }),
      };
    } else {
      return next();
    }
    ctx.set('Cache-Control', 'no-store');
  };
}
