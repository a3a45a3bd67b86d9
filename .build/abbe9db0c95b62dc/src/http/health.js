"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createHealth = createHealth;
/**
 * `/healthz`: the process runs. `/readyz`: it can do all of its work; with Temporal away it is `degraded` and still
 * ready, because events are still accepted and delivered later. Warnings change neither.
 */
function createHealth(deps) {
    return async (ctx, next) => {
        if (ctx.path === '/healthz') {
            ctx.body = { status: 'ok' };
        }
        else if (ctx.path === '/readyz') {
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
        }
        else {
            return next();
        }
        ctx.set('Cache-Control', 'no-store');
    };
}
//# sourceMappingURL=health.js.map