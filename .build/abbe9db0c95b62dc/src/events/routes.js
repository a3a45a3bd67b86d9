"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addEventRoutes = addEventRoutes;
const examples_1 = require("../deliveries/examples");
const idempotency_key_1 = require("../http/idempotency-key");
const waiting_call_1 = require("../http/waiting-call");
const operation_1 = require("../http/operation");
const read_body_1 = require("../http/read-body");
const accept_event_1 = require("./accept-event");
const event_id_1 = require("./event-id");
const get_event_1 = require("./get-event");
const ingest_event_1 = require("./ingest-event");
const list_events_1 = require("./list-events");
const present_1 = require("./present");
const schema_1 = require("./schema");
const PATH = '/api/v1/webhooks/events';
const INGEST_EXAMPLE = { id: 1_001, type: 'order.created', timestamp: 1_795_262_400, duplicate: false, deliveries: 1 };
const EVENT_EXAMPLE = {
    id: 1_001,
    type: 'order.created',
    data: { order_id: 'ord_42', total: 19.99 },
    timestamp: 1_795_262_400,
    idempotency_key: 'ord_42_created',
    status: 'delivered',
    deliveries: [{ ...examples_1.DELIVERY_STATE_EXAMPLE, url: 'https://example.com/webhooks', attempts: [examples_1.ATTEMPT_EXAMPLE] }],
};
const { data: _data, ...LISTED_EVENT_EXAMPLE } = { ...EVENT_EXAMPLE, deliveries: [examples_1.DELIVERY_STATE_EXAMPLE] };
/** Adds the operations on events. */
function addEventRoutes(api, deps) {
    addList(api, deps);
    addIngest(api, deps);
    addGet(api, deps);
}
/** Adds the ingest of an event. */
function addIngest(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'ingestEvent',
        keyOnly: true,
        method: 'post',
        path: PATH,
        scopes: ['events:write'],
        tag: 'Events',
        summary: 'Ingest an event',
        description: 'Accepts an event for delivery to every endpoint whose patterns match its type. 202 is a promise: the event is ' +
            'journaled by a majority of the database. A repeat with the same `idempotency_key`, in the body or in the ' +
            '`Idempotency-Key` header, within 24 hours answers 200 with the original event and delivers nothing again.',
        headers: schema_1.ingestHeaders,
        body: schema_1.ingestBody,
        bodyExample: {
            type: 'order.created',
            data: { order_id: 'ord_42', total: 19.99 },
            idempotency_key: 'ord_42_created',
        },
        answers: {
            200: {
                description: 'A repeat: the original event.',
                schema: schema_1.ingestView,
                example: { ...INGEST_EXAMPLE, duplicate: true },
                headers: { Location: 'Path of the event.' },
            },
            202: {
                description: 'Accepted.',
                schema: schema_1.ingestView,
                example: INGEST_EXAMPLE,
                headers: { Location: 'Path of the event.' },
            },
        },
        errors: { 422: 'The type is reserved, or the filters of the endpoints would take too long for such data.' },
        errorExamples: { 422: schema_1.RESERVED_TYPE_EXAMPLE },
    }, async (ctx) => {
        const sent = await (0, read_body_1.readBody)(ctx, schema_1.ingestBody);
        const input = (0, accept_event_1.acceptable)(sent, (0, idempotency_key_1.idempotencyKeyOf)(ctx, schema_1.ingestHeaders, sent.value.idempotency_key));
        if ('error' in input)
            throw input.error;
        const result = await deps.room.run((0, waiting_call_1.waitingCallOf)(ctx, input.data.byteLength), (signal) => (0, ingest_event_1.ingestEvent)(deps, ctx.state.caller, input, signal));
        deps.onIngest(result);
        ctx.status = result.duplicate ? 200 : 202;
        ctx.set('Location', `${PATH}/${result.id}`);
        ctx.body = (0, present_1.presentIngest)(result);
    });
}
/** Adds the look at one event. */
function addGet(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'getEvent',
        method: 'get',
        path: `${PATH}/{event_id}`,
        scopes: ['events:read'],
        tag: 'Events',
        summary: 'Get an event and its deliveries',
        description: 'The event with its `data` as it was sent, its status, and every attempt to every destination.',
        params: { event_id: schema_1.eventIdParam },
        answers: { 200: { description: 'The event.', schema: schema_1.eventView, example: EVENT_EXAMPLE } },
        errors: { 400: 'The event id is not an integer.', 404: 'There is no such event, or it is not yours.' },
    }, async (ctx) => {
        const found = await (0, get_event_1.getEvent)(deps, ctx.state.caller.accountId, (0, event_id_1.parseEventId)(ctx.params['event_id']));
        ctx.type = 'application/json';
        ctx.body = (0, present_1.presentEvent)(found, deps.maxAttempts);
    });
}
/** Adds the list of events. */
function addList(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'listEvents',
        method: 'get',
        path: PATH,
        scopes: ['events:read'],
        tag: 'Events',
        summary: 'List events',
        description: 'The newest first, without their data. Filters may be combined. A page of a filter that fits very little may be ' +
            'shorter than `limit`: go on while `next_cursor` is not null.',
        query: schema_1.eventListQuery,
        answers: {
            200: {
                description: 'A page of events.',
                schema: schema_1.eventListView,
                example: { events: [LISTED_EVENT_EXAMPLE], next_cursor: null },
            },
        },
    }, async (ctx) => {
        const query = (0, read_body_1.validate)(schema_1.eventListQuery, { ...ctx.query }, 'query');
        const { idempotency_key: idempotencyKey, ...rest } = query;
        const { page, nextCursor } = await (0, list_events_1.listEvents)(deps, ctx.state.caller.accountId, { ...rest, idempotencyKey });
        ctx.body = { events: page.map((it) => (0, present_1.presentListedEvent)(it, deps.maxAttempts)), next_cursor: nextCursor };
    });
}
//# sourceMappingURL=routes.js.map