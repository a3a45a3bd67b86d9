"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addReplayRoutes = addReplayRoutes;
const examples_1 = require("../endpoints/examples");
const schema_1 = require("../endpoints/schema");
const operation_1 = require("../http/operation");
const read_body_1 = require("../http/read-body");
const cancel_replay_1 = require("./cancel-replay");
const create_replay_1 = require("./create-replay");
const get_replay_1 = require("./get-replay");
const list_replays_1 = require("./list-replays");
const present_1 = require("./present");
const schema_2 = require("./schema");
const PATH = '/api/v1/webhooks/replays';
const TAG = 'Replays';
const CREATED = {
    job_id: `rpl_${operation_1.EXAMPLE_ID}`,
    state: 'running',
    filter: {
        state: 'failed',
        endpoint_id: `ep_${operation_1.EXAMPLE_ID}`,
        type: null,
        after: null,
        before: null,
        completed_after: '2026-11-21T06:00:00.000Z',
        completed_before: null,
    },
    rate_per_second: 50,
    matched: null,
    replayed: 0,
    skipped: 0,
    created_at: '2026-11-21T12:00:00.000Z',
    finished_at: null,
};
const RUNNING = { ...CREATED, matched: 1_200, replayed: 350 };
const LIMIT_REACHED = {
    error: 'This account has 10 replays running, which is the limit. Wait for one, or cancel it.',
    code: 'replay_limit_reached',
};
const NOT_FOUND = { error: 'There is no replay with this id.', code: 'replay_not_found' };
const ACCEPTED = {
    202: {
        description: 'The replay, which is kept from now on. With Temporal away it begins when that is back.',
        schema: schema_2.replayView,
        example: CREATED,
        headers: { Location: 'Path of the replay.' },
    },
};
/** Adds the operations on bulk replays. */
function addReplayRoutes(api, deps) {
    addCreate(api, deps);
    addRecover(api, deps);
    addList(api, deps);
    addGet(api, deps);
    addCancel(api, deps);
}
function addCreate(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'createReplay',
        method: 'post',
        path: PATH,
        scopes: ['deliveries:write'],
        tag: TAG,
        summary: 'Replay many deliveries',
        description: 'Sends finished deliveries again, the oldest first, at a rate, as a durable job. Which ones is settled now: what ' +
            'finishes later, the replayed ones themselves included, is not among them. Each is replayed once.',
        body: schema_2.createReplayBody,
        bodyExample: { filter: { state: 'failed', type: 'order.created' }, rate_per_second: 20 },
        audit: 'replay.started',
        answers: ACCEPTED,
        errors: {
            404: 'The endpoint of the filter does not exist, or it is not yours.',
            409: 'The account has as many replays running as it can have (10).',
        },
        errorExamples: { ...examples_1.ENDPOINT_NOT_FOUND.errorExamples, 409: LIMIT_REACHED },
    }, async (ctx) => {
        const { value } = await (0, read_body_1.readBody)(ctx, schema_2.createReplayBody);
        const { filter, rate_per_second: ratePerSecond } = value;
        await begin(ctx, deps, {
            state: filter.state,
            endpointId: filter.endpoint_id,
            type: filter.type,
            after: filter.after,
            before: filter.before,
            completedAfter: filter.completed_after,
            completedBefore: filter.completed_before,
            ratePerSecond,
        });
    });
}
function addRecover(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'recoverEndpoint',
        method: 'post',
        path: '/api/v1/webhooks/endpoints/{endpoint_id}/recover',
        scopes: ['deliveries:write'],
        tag: TAG,
        summary: 'Recover an endpoint',
        description: 'Sends again what failed for good since a time: for an endpoint that is back after an outage. The same as a ' +
            'replay with `state: failed`, this `endpoint_id`, and `completed_after`.',
        params: schema_1.endpointParams.shape,
        body: schema_2.recoverBody,
        bodyExample: { since: '2026-11-21T06:00:00Z' },
        audit: 'endpoint.recovered',
        answers: ACCEPTED,
        errors: {
            404: examples_1.ENDPOINT_NOT_FOUND.errors[404],
            409: 'The account has as many replays running as it can have (10).',
        },
        errorExamples: { ...examples_1.ENDPOINT_NOT_FOUND.errorExamples, 409: LIMIT_REACHED },
    }, async (ctx) => {
        const { endpoint_id: endpointId = '' } = ctx.params;
        const { value } = await (0, read_body_1.readBody)(ctx, schema_2.recoverBody);
        await begin(ctx, deps, {
            state: 'failed',
            endpointId,
            completedAfter: value.since,
            completedBefore: value.until,
            ratePerSecond: value.rate_per_second,
        });
    });
}
async function begin(ctx, deps, input) {
    const job = await (0, create_replay_1.createReplay)(deps, ctx.state.caller, input);
    ctx.status = 202;
    ctx.set('Location', `${PATH}/${job._id}`);
    ctx.body = (0, present_1.presentReplay)(job);
}
function addList(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'listReplays',
        method: 'get',
        path: PATH,
        scopes: ['events:read'],
        tag: TAG,
        summary: 'List replays',
        description: 'The newest first.',
        query: schema_2.replayListQuery,
        answers: {
            200: {
                description: 'A page of replays.',
                schema: schema_2.replayListView,
                example: { replays: [RUNNING], next_cursor: null },
            },
        },
    }, async (ctx) => {
        const query = (0, read_body_1.validate)(schema_2.replayListQuery, { ...ctx.query }, 'query');
        const { page, nextCursor } = await (0, list_replays_1.listReplays)(deps, ctx.state.caller.accountId, query);
        ctx.body = { replays: page.map(present_1.presentReplay), next_cursor: nextCursor };
    });
}
function addGet(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'getReplay',
        method: 'get',
        path: `${PATH}/{job_id}`,
        scopes: ['events:read'],
        tag: TAG,
        summary: 'Get a replay and its progress',
        description: 'It has ended when `state` is not `running`. What it has begun is delivered and retried as ever.',
        params: schema_2.replayParams.shape,
        answers: { 200: { description: 'The replay.', schema: schema_2.replayView, example: RUNNING } },
        errors: { 404: 'There is no such replay, or it is not yours.' },
        errorExamples: { 404: NOT_FOUND },
    }, async (ctx) => {
        const { job_id: id = '' } = ctx.params;
        ctx.body = (0, present_1.presentReplay)(await (0, get_replay_1.getReplay)(deps, ctx.state.caller.accountId, id));
    });
}
function addCancel(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'cancelReplay',
        method: 'post',
        path: `${PATH}/{job_id}/cancel`,
        scopes: ['deliveries:write'],
        tag: TAG,
        summary: 'Cancel a replay',
        description: 'No further delivery is begun. The ones that it has begun go on; cancel them one by one.',
        params: schema_2.replayParams.shape,
        audit: 'replay.cancelled',
        answers: {
            202: {
                description: 'The replay as it is now.',
                schema: schema_2.replayView,
                example: { ...RUNNING, state: 'cancelled', finished_at: '2026-11-21T12:00:07.000Z' },
            },
        },
        errors: {
            404: 'There is no such replay, or it is not yours.',
            409: 'It has ended.',
        },
        errorExamples: {
            404: NOT_FOUND,
            409: { error: 'This replay is completed already.', code: 'replay_finished' },
        },
    }, async (ctx) => {
        const { job_id: id = '' } = ctx.params;
        ctx.status = 202;
        ctx.body = (0, present_1.presentReplay)(await (0, cancel_replay_1.cancelReplay)(deps, ctx.state.caller.accountId, id));
    });
}
//# sourceMappingURL=routes.js.map