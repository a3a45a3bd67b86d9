"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addEndpointStateRoutes = addEndpointStateRoutes;
const operation_1 = require("../http/operation");
const read_body_1 = require("../http/read-body");
const examples_1 = require("./examples");
const get_stats_1 = require("./get-stats");
const pause_endpoint_1 = require("./pause-endpoint");
const present_1 = require("./present");
const schema_1 = require("./schema");
const PATH = '/api/v1/webhooks/endpoints/{endpoint_id}';
/** Adds what can be done with an endpoint: hold and release its deliveries, see how it does. */
function addEndpointStateRoutes(api, deps) {
    addPause(api, deps);
    addResume(api, deps);
    addStats(api, deps);
}
function addPause(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'pauseEndpoint',
        method: 'post',
        path: `${PATH}/pause`,
        scopes: ['endpoints:write'],
        tag: 'Endpoints',
        summary: 'Pause an endpoint',
        description: 'Holds its deliveries, those that wait for a retry too. Events that arrive while it is paused are kept and ' +
            'delivered when it is resumed; no attempt is used up. A second call changes nothing, and a disabled endpoint ' +
            'stays disabled: it holds its deliveries already.',
        params: schema_1.endpointParams.shape,
        recordsItself: true,
        answers: {
            200: { description: 'The endpoint.', schema: schema_1.endpointView, example: { ...examples_1.ENDPOINT_EXAMPLE, status: 'paused' } },
        },
        ...examples_1.ENDPOINT_NOT_FOUND,
    }, async (ctx) => {
        const { endpoint_id: id = '' } = ctx.params;
        ctx.body = (0, present_1.presentEndpoint)(deps.secretBox, await (0, pause_endpoint_1.pauseEndpoint)(deps, { ...ctx.state.caller, id }));
    });
}
function addResume(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'resumeEndpoint',
        method: 'post',
        path: `${PATH}/resume`,
        scopes: ['endpoints:write'],
        tag: 'Endpoints',
        summary: 'Resume a paused or disabled endpoint',
        description: 'Its held deliveries go on, the oldest first. A second call changes nothing.',
        params: schema_1.endpointParams.shape,
        recordsItself: true,
        answers: { 200: { description: 'The endpoint.', schema: schema_1.endpointView, example: examples_1.ENDPOINT_EXAMPLE } },
        ...examples_1.ENDPOINT_NOT_FOUND,
    }, async (ctx) => {
        const { endpoint_id: id = '' } = ctx.params;
        ctx.body = (0, present_1.presentEndpoint)(deps.secretBox, await (0, pause_endpoint_1.resumeEndpoint)(deps, { ...ctx.state.caller, id }));
    });
}
function addStats(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'getEndpointStats',
        method: 'get',
        path: `${PATH}/stats`,
        scopes: ['endpoints:read'],
        tag: 'Endpoints',
        summary: "Get an endpoint's statistics",
        description: 'Deliveries of events that were accepted in the window, by state; the share that was delivered; attempts of ' +
            'their present runs and how long the receiver took. At most the newest 10,000 deliveries are looked at.',
        params: schema_1.endpointParams.shape,
        query: schema_1.statsQuery,
        answers: { 200: { description: 'The statistics.', schema: schema_1.statsView, example: STATS_EXAMPLE } },
        ...examples_1.ENDPOINT_NOT_FOUND,
    }, async (ctx) => {
        const { endpoint_id: id = '' } = ctx.params;
        const { window } = (0, read_body_1.validate)(schema_1.statsQuery, { ...ctx.query }, 'query');
        const stats = await (0, get_stats_1.getStats)(deps, { accountId: ctx.state.caller.accountId, id }, window);
        ctx.body = (0, present_1.presentStats)(id, window, stats);
    });
}
const STATS_EXAMPLE = {
    endpoint_id: examples_1.ENDPOINT_EXAMPLE.id,
    window: '24h',
    since: '2026-11-20T12:00:00.000Z',
    until: '2026-11-21T12:00:00.000Z',
    complete: true,
    deliveries: { pending: 0, retrying: 1, delivered: 997, failed: 3, cancelled: 0 },
    success_rate: 0.997,
    attempts: { total: 1_024, succeeded: 997, failed: 27 },
    latency_ms: { p50: 41, p95: 310 },
};
//# sourceMappingURL=state-routes.js.map