"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.replayEventView = exports.replayEventBody = exports.deliveryWithAttemptsView = exports.deliveryListView = exports.deliveryView = exports.deliveryOfEventView = exports.deliveryStateView = exports.eventIdView = exports.attemptView = exports.deliveryListQuery = exports.eventTypesFilter = exports.eventTypeFilter = exports.endpointIdFilter = exports.deliveryParams = void 0;
const zod_1 = require("zod");
const delivery_contract_1 = require("../domain/delivery-contract");
const delivery_state_1 = require("../domain/delivery-state");
const event_pattern_1 = require("../domain/event-pattern");
const error_view_1 = require("../http/error-view");
const list_query_1 = require("../http/list-query");
const operation_1 = require("../http/operation");
/** The id in a path. */
exports.deliveryParams = zod_1.z.object({
    delivery_id: zod_1.z
        .string()
        .regex(/^[0-9]{1,16}\.ep_[0-9a-z]{26}$/, 'must be an id as the API shows it: <event_id>.<endpoint_id>')
        .meta({ description: 'The delivery id: `<event_id>.<endpoint_id>`.', example: `1001.ep_${operation_1.EXAMPLE_ID}` }),
});
/** As many as an account can have. */
const MAX_ENDPOINT_IDS = 100;
const endpointId = zod_1.z.string().regex(/^ep_[0-9a-z]{26}$/, 'must be an id as the API shows it');
/** An id of an endpoint, as a filter. */
exports.endpointIdFilter = endpointId.meta({
    description: 'Only deliveries to this endpoint.',
    example: `ep_${operation_1.EXAMPLE_ID}`,
});
/** An event type, as a filter. */
exports.eventTypeFilter = zod_1.z
    .string()
    .refine(event_pattern_1.isEventType, { error: `must be an event type: ${event_pattern_1.EVENT_TYPE_RULE}` })
    .meta({
    description: 'Only events of exactly this type.',
    example: 'order.created',
    pattern: event_pattern_1.EVENT_TYPE_PATTERN,
    minLength: 1,
    maxLength: event_pattern_1.MAX_EVENT_TYPE_LENGTH,
});
/** An event type or `<prefix>.*`, as a filter. */
exports.eventTypesFilter = zod_1.z
    .string()
    .refine((text) => text !== '*' && (0, event_pattern_1.isEventPattern)(text), {
    error: `must be an event type or "<prefix>.*"; event types are ${event_pattern_1.EVENT_TYPE_RULE}`,
})
    .meta({
    description: 'Only events of exactly this type, or, with `<prefix>.*`, of every type that begins with `<prefix>.`.',
    example: 'order.*',
    pattern: event_pattern_1.EVENT_TYPES_PATTERN,
    minLength: 1,
    maxLength: event_pattern_1.MAX_EVENT_TYPE_LENGTH,
});
const DEFAULT_LIMIT = 20;
const deliveryState = zod_1.z
    .enum(delivery_state_1.DELIVERY_STATES, `must be one of ${delivery_state_1.DELIVERY_STATES.join(', ')}`)
    .meta({ id: 'DeliveryState', description: '`delivered`, `failed` and `cancelled` are final.' });
/** A query parameter is text; what is no id is refused like a number that is none. */
function eventNumber(text) {
    return typeof text === 'string' && /^[0-9]{1,16}$/.test(text) ? Number(text) : text;
}
/** Query of GET /api/v1/webhooks/deliveries. */
exports.deliveryListQuery = (0, list_query_1.listQuery)(DEFAULT_LIMIT).extend({
    state: deliveryState.optional().meta({ description: 'Only deliveries in this state.' }),
    endpoint_id: exports.endpointIdFilter.optional(),
    event_id: zod_1.z
        .preprocess(eventNumber, zod_1.z.int('must be an event id'))
        .optional()
        .meta({ description: 'Only deliveries of this event.', format: 'int64', example: 1001 }),
    type: exports.eventTypesFilter.optional(),
    after: list_query_1.timeParam.optional().meta({ description: 'Only events accepted then or later; to the second.' }),
    before: list_query_1.timeParam.optional().meta({ description: 'Only events accepted before; to the second.' }),
});
/** An attempt, as an event's history shows it. */
exports.attemptView = zod_1.z
    .object({
    run: zod_1.z.int().min(1).meta({ description: '1, and one more with each replay.' }),
    number: zod_1.z.int().min(1).meta({ description: 'From 1 in each run.' }),
    trigger: zod_1.z.enum(['scheduled', 'manual']).meta({ id: 'AttemptTrigger' }),
    started_at: zod_1.z.iso.datetime(),
    latency_ms: zod_1.z.int(),
    status_code: zod_1.z.int().nullable(),
    error_code: zod_1.z.enum(delivery_state_1.ATTEMPT_ERROR_CODES).meta({ id: 'AttemptErrorCode' }).nullable(),
    error: zod_1.z.string().nullable(),
    response_snippet: zod_1.z.string().nullable(),
})
    .meta({ id: 'Attempt' });
/** An event's id in an answer. */
exports.eventIdView = zod_1.z
    .int()
    .min(1)
    .meta({ format: 'int64', description: 'Has up to 16 digits, and is below 2^53.', example: 1001 });
const stateFields = {
    id: zod_1.z.string().meta({ example: `1001.ep_${operation_1.EXAMPLE_ID}` }),
    endpoint_id: zod_1.z.string(),
    state: deliveryState,
    run: zod_1.z.int().min(1).meta({ description: '1, and one more with each replay.' }),
    attempt_count: zod_1.z.int().meta({ description: 'Attempts answered in this run.' }),
    max_attempts: zod_1.z.int().meta({ description: 'Attempts that a run can have.' }),
    next_attempt_at: zod_1.z.iso
        .datetime()
        .nullable()
        .meta({ description: 'When the next attempt is due; null for a delivery that is finished or held.' }),
    held_for: zod_1.z
        .enum(delivery_contract_1.HELD_REASONS)
        .meta({ id: 'HeldReason' })
        .nullable()
        .meta({
        description: 'Why it waits: its account is `suspended`; its endpoint is `paused`, `disabled`, `unverified` (its host has not ' +
            'answered its challenge) or `hanging` (it answers nothing); or it is not its turn yet among the requests at a time (`at_cap`), in `max_per_second` (`at_rate`), or in order (`in_line`). ' +
            'Null for a delivery that is not held.',
    }),
    held_since: zod_1.z.iso.datetime().nullable().meta({ description: 'Since when it is held; null when it is not.' }),
    completed_at: zod_1.z.iso.datetime().nullable(),
};
/** A delivery as an event's list entry shows it. */
exports.deliveryStateView = zod_1.z.object(stateFields).meta({ id: 'DeliverySummary' });
/** A delivery in an event, with the attempts of all its runs. */
exports.deliveryOfEventView = zod_1.z
    .object({
    ...stateFields,
    url: zod_1.z.string().meta({ description: 'Where the last attempt went.' }),
    attempts: zod_1.z.array(exports.attemptView).meta({ description: 'Of all runs, in the order they were made.' }),
})
    .meta({ id: 'DeliveryOfEvent' });
/** A delivery as a list shows it. */
exports.deliveryView = zod_1.z
    .object({
    ...stateFields,
    event_id: exports.eventIdView,
    event_type: zod_1.z.string(),
    accepted_at: zod_1.z.iso.datetime().meta({ description: 'When its event was accepted, to the second.' }),
})
    .meta({ id: 'Delivery' });
/** The answer of GET /api/v1/webhooks/deliveries. */
exports.deliveryListView = zod_1.z
    .object({ deliveries: zod_1.z.array(exports.deliveryView), next_cursor: list_query_1.nextCursor })
    .meta({ id: 'DeliveryPage' });
/** The answer of GET /api/v1/webhooks/deliveries/{delivery_id}. */
exports.deliveryWithAttemptsView = exports.deliveryView
    .extend({
    url: zod_1.z.string().meta({ description: 'Where the last attempt went.' }),
    attempts: zod_1.z.array(exports.attemptView
        .extend({
        url: zod_1.z.string().meta({ description: 'Where it went: an endpoint may be changed between attempts.' }),
        resends: zod_1.z
            .int()
            .meta({ description: '1 when a pooled connection broke and the request went out once more.' }),
        request_headers: zod_1.z
            .record(zod_1.z.string(), zod_1.z.string())
            .meta({ description: 'As they were sent; secret values are hidden.' }),
    })
        .meta({ id: 'AttemptWithRequest' })),
})
    .meta({ id: 'DeliveryWithAttempts' });
/** Body of POST /api/v1/webhooks/events/{event_id}/replay. */
exports.replayEventBody = zod_1.z
    .strictObject({
    endpoint_ids: zod_1.z
        .array(endpointId)
        .min(1, 'must hold at least one id; leave it out for all destinations of the event')
        .max(MAX_ENDPOINT_IDS, `must hold at most ${MAX_ENDPOINT_IDS} ids`)
        .optional()
        .meta({ description: 'Only the deliveries to these endpoints; all of the event when left out.' }),
})
    .meta({ id: 'ReplayEvent' });
/** The answer of POST /api/v1/webhooks/events/{event_id}/replay. */
exports.replayEventView = zod_1.z
    .object({
    deliveries: zod_1.z.array(exports.deliveryView).meta({ description: 'The ones that begin a new run.' }),
    skipped: zod_1.z
        .array(zod_1.z.object({ id: zod_1.z.string(), code: error_view_1.errorCode, error: zod_1.z.string() }).meta({ id: 'SkippedDelivery' }))
        .meta({ description: 'The ones that do not, and why.' }),
})
    .meta({ id: 'EventReplay' });
//# sourceMappingURL=schema.js.map