"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createRequestContext = createRequestContext;
const ids_1 = require("../platform/ids");
const logger_1 = require("../platform/logger");
/** Gives each request its id, its log and its line in the access log. */
function createRequestContext(deps) {
    // Its lines have nothing but ids, numbers and our own words.
    const accessLog = (0, logger_1.withoutRedaction)(deps.logger);
    return async (ctx, next) => {
        const startedAt = performance.now();
        const requestId = (0, ids_1.newId)('req');
        const { state, ids } = createState(deps.logger, requestId);
        ctx.state = state;
        ctx.set('X-Request-Id', requestId);
        ctx.set('X-Content-Type-Options', 'nosniff');
        ctx.res.once('close', () => {
            const seconds = (performance.now() - startedAt) / 1_000;
            const labels = { method: ctx.method, route: ctx.state.route ?? 'unmatched', status_code: ctx.res.statusCode };
            const { errorCode } = ctx.state;
            deps.metrics.httpRequests.observe(labels, seconds);
            if (labels.status_code === 429 && errorCode !== undefined)
                deps.metrics.limitedRequests.inc({ reason: errorCode });
            // The pattern, not the path: ids are in the other fields, and a path may hold what a client put there by mistake.
            accessLog.info({ ...ids, ...labels, code: errorCode, duration_ms: Math.round(seconds * 1_000) }, 'request');
        });
        await next();
    };
}
/** A request's state with nothing known but its id. Its log is made when there is a first line to write. */
function createState(logger, requestId) {
    const ids = { request_id: requestId };
    let log;
    const state = {
        requestId,
        get log() {
            return (log ??= logger.child(ids));
        },
        identify(more) {
            Object.assign(ids, more);
            log = undefined;
        },
    };
    // What is missing is set by the middlewares that the fields name.
    return { ids, state: state };
}
//# sourceMappingURL=request-context.js.map