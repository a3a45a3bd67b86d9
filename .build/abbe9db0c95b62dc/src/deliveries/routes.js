"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addDeliveryRoutes = addDeliveryRoutes;
const read_body_1 = require("../http/read-body");
const operation_1 = require("../http/operation");
const cancel_delivery_1 = require("./cancel-delivery");
const examples_1 = require("./examples");
const get_delivery_1 = require("./get-delivery");
const list_deliveries_1 = require("./list-deliveries");
const present_1 = require("./present");
const replay_delivery_1 = require("./replay-delivery");
const retry_delivery_1 = require("./retry-delivery");
const schema_1 = require("./schema");
const PATH = '/api/v1/webhooks/deliveries';
const TAG = 'Deliveries';
const NOT_FOUND = { 404: 'There is no such delivery, or it is not yours.' };
/** Adds the operations on deliveries. */
function addDeliveryRoutes(api, deps) {
    addList(api, deps);
    addGet(api, deps);
    addRetry(api, deps);
    addCancel(api, deps);
    addReplay(api, deps);
}
function addList(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'listDeliveries',
        method: 'get',
        path: PATH,
        scopes: ['events:read'],
        tag: TAG,
        summary: 'List deliveries',
        description: 'The newest first, by the time at which their events were accepted. Filters may be combined. A page of a filter ' +
            'that fits very little may be shorter than `limit`: go on while `next_cursor` is not null.',
        query: schema_1.deliveryListQuery,
        answers: {
            200: {
                description: 'A page of deliveries.',
                schema: schema_1.deliveryListView,
                example: { deliveries: [examples_1.DELIVERY_EXAMPLE], next_cursor: null },
            },
        },
    }, async (ctx) => {
        const query = (0, read_body_1.validate)(schema_1.deliveryListQuery, { ...ctx.query }, 'query');
        const { endpoint_id: endpointId, event_id: eventId, ...rest } = query;
        const { accountId } = ctx.state.caller;
        const { page, nextCursor } = await (0, list_deliveries_1.listDeliveries)(deps, accountId, { ...rest, endpointId, eventId });
        ctx.body = { deliveries: page.map((it) => (0, present_1.presentDelivery)(it, deps.maxAttempts)), next_cursor: nextCursor };
    });
}
function addGet(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'getDelivery',
        method: 'get',
        path: `${PATH}/{delivery_id}`,
        scopes: ['events:read'],
        tag: TAG,
        summary: 'Get a delivery and its attempts',
        description: 'The delivery with every attempt of every run. A replay is a new run, with attempts of its own.',
        params: schema_1.deliveryParams.shape,
        answers: {
            200: {
                description: 'The delivery.',
                schema: schema_1.deliveryWithAttemptsView,
                example: {
                    ...examples_1.DELIVERY_EXAMPLE,
                    url: 'https://example.com/webhooks',
                    attempts: [
                        {
                            ...examples_1.ATTEMPT_EXAMPLE,
                            url: 'https://example.com/webhooks',
                            resends: 0,
                            request_headers: examples_1.REQUEST_HEADERS_EXAMPLE,
                        },
                    ],
                },
            },
        },
        errors: NOT_FOUND,
        errorExamples: { 404: examples_1.DELIVERY_NOT_FOUND },
    }, async (ctx) => {
        const { delivery_id: id = '' } = ctx.params;
        const found = await (0, get_delivery_1.getDelivery)(deps, ctx.state.caller.accountId, id);
        ctx.body = (0, present_1.presentDeliveryWithAttempts)(found, deps.maxAttempts);
    });
}
/** What retry, cancel and replay have in common. */
function operationOn(name, example, conflict) {
    return {
        method: 'post',
        path: `${PATH}/{delivery_id}/${name}`,
        scopes: ['deliveries:write'],
        tag: TAG,
        params: schema_1.deliveryParams.shape,
        answers: { 202: { description: 'The delivery as it is now.', schema: schema_1.deliveryView, example } },
        errors: { ...NOT_FOUND, 409: conflict },
    };
}
function addRetry(api, deps) {
    (0, operation_1.addOperation)(api, {
        ...operationOn('retry', examples_1.RETRYING_EXAMPLE, 'It is finished, an attempt is under way, or its endpoint is paused.'),
        id: 'retryDelivery',
        summary: 'Retry a delivery now',
        description: 'Pulls the attempt that is due next forward. There is never a second delivery beside it, and the schedule goes ' +
            'on from there. With 503 (`temporal_unavailable`) nothing was changed.',
        audit: 'delivery.retried',
        errorExamples: {
            404: examples_1.DELIVERY_NOT_FOUND,
            409: {
                error: 'Attempt 4 of this delivery is being made right now; wait for its answer.',
                code: 'attempt_under_way',
            },
        },
    }, async (ctx) => {
        const { delivery_id: id = '' } = ctx.params;
        ctx.status = 202;
        ctx.body = (0, present_1.presentDelivery)(await (0, retry_delivery_1.retryDelivery)(deps, ctx.state.caller, id), deps.maxAttempts);
    });
}
function addCancel(api, deps) {
    const cancelled = { ...examples_1.DELIVERY_EXAMPLE, state: 'cancelled' };
    (0, operation_1.addOperation)(api, {
        ...operationOn('cancel', cancelled, 'It is finished.'),
        id: 'cancelDelivery',
        summary: 'Cancel a delivery',
        description: 'No further attempt is made. A request that is under way may still be answered: a 2xx makes it `delivered`.',
        audit: 'delivery.cancelled',
        errorExamples: {
            404: examples_1.DELIVERY_NOT_FOUND,
            409: { error: 'This delivery is delivered already.', code: 'delivery_finished' },
        },
    }, async (ctx) => {
        const { delivery_id: id = '' } = ctx.params;
        ctx.status = 202;
        ctx.body = (0, present_1.presentDelivery)(await (0, cancel_delivery_1.cancelDelivery)(deps, ctx.state.caller.accountId, id), deps.maxAttempts);
    });
}
function addReplay(api, deps) {
    (0, operation_1.addOperation)(api, {
        ...operationOn('replay', examples_1.REPLAYED_EXAMPLE, 'It is not finished, or its endpoint was removed.'),
        id: 'replayDelivery',
        summary: 'Send a finished delivery again',
        description: 'Begins a new run of a delivered, failed or cancelled delivery, with all its attempts ahead. Of two calls at ' +
            'once one begins it. To a paused endpoint it goes when that is resumed.',
        audit: 'delivery.replayed',
        errorExamples: {
            404: examples_1.DELIVERY_NOT_FOUND,
            409: {
                error: 'This delivery is not finished; retry pulls its next attempt forward.',
                code: 'delivery_not_finished',
            },
        },
    }, async (ctx) => {
        const { delivery_id: id = '' } = ctx.params;
        ctx.status = 202;
        ctx.body = (0, present_1.presentDelivery)(await (0, replay_delivery_1.replayDelivery)(deps, ctx.state.caller, id), deps.maxAttempts);
    });
}
//# sourceMappingURL=routes.js.map