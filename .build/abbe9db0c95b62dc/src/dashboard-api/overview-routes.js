"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addOverviewRoutes = addOverviewRoutes;
const operation_1 = require("../http/operation");
const read_body_1 = require("../http/read-body");
const list_usage_1 = require("../keys/list-usage");
const overview_1 = require("./overview");
const overview_store_1 = require("./overview-store");
const schema_1 = require("./schema");
/** Adds what the overview, the pattern picker and the list of usage show. */
function addOverviewRoutes(api, deps) {
    const overviewOf = (0, overview_1.createOverview)(deps);
    (0, operation_1.addOperation)(api, {
        id: 'getOverview',
        method: 'get',
        path: '/dashboard/api/overview',
        tag: 'Overview',
        summary: 'What happened lately',
        description: 'Deliveries of the events accepted in each hour by what became of them, success rate, latencies, deliveries in ' +
            'flight, and where the account stands in its limits. Reading the limits counts as no call.',
        query: schema_1.overviewQuery,
        answers: { 200: { description: 'The overview.', schema: schema_1.overviewView } },
    }, async (ctx) => {
        const { hours } = (0, read_body_1.validate)(schema_1.overviewQuery, { ...ctx.query }, 'query');
        ctx.body = await overviewOf(ctx.state.session.account, hours, ctx.state.caller.now);
    });
    (0, operation_1.addOperation)(api, {
        id: 'getEndpointHealth',
        method: 'get',
        path: '/dashboard/api/endpoint-health',
        tag: 'Overview',
        summary: 'How the endpoints did',
        description: 'Deliveries of the last 24 hours by endpoint and hour. An endpoint without any is left out.',
        answers: { 200: { description: 'The endpoints that had deliveries.', schema: schema_1.endpointHealthView } },
    }, async (ctx) => {
        const { accountId, now } = ctx.state.caller;
        ctx.body = { endpoints: await (0, overview_1.getEndpointHealth)(deps, accountId, now) };
    });
    (0, operation_1.addOperation)(api, {
        id: 'listEventTypes',
        method: 'get',
        path: '/dashboard/api/event-types',
        tag: 'Overview',
        summary: 'Which types events have',
        description: `Types of the account's newest ${overview_store_1.TYPE_EVENTS} events, the most frequent first.`,
        answers: { 200: { description: 'The types.', schema: schema_1.eventTypesView } },
    }, async (ctx) => {
        const types = await deps.overview.recentTypes(ctx.state.caller.accountId);
        ctx.body = {
            types: types.map(({ type, events, lastAt }) => ({ type, events, last_at: lastAt.toISOString() })),
            looked_at: overview_store_1.TYPE_EVENTS,
        };
    });
    addUsage(api, deps);
}
function addUsage(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'listUsage',
        method: 'get',
        path: '/dashboard/api/usage',
        tag: 'Overview',
        summary: 'List usage',
        description: 'Calls of the operations that are logged, such as estimates, by day, key and operation; newest day first.',
        query: schema_1.usageQuery,
        answers: { 200: { description: 'The usage.', schema: schema_1.usageListView } },
    }, async (ctx) => {
        const { days } = (0, read_body_1.validate)(schema_1.usageQuery, { ...ctx.query }, 'query');
        const records = await (0, list_usage_1.listUsage)(deps, { accountId: ctx.state.caller.accountId, days });
        ctx.body = { usage: records.map(({ account_id: _own, ...record }) => record) };
    });
}
//# sourceMappingURL=overview-routes.js.map