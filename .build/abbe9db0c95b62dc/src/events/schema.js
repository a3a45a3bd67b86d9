"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.eventListView = exports.listedEventView = exports.eventListQuery = exports.eventView = exports.batchView = exports.batchBody = exports.MAX_BATCH_EVENTS = exports.ingestView = exports.ingestHeaders = exports.RESERVED_TYPE_EXAMPLE = exports.testEventBody = exports.ingestBody = exports.eventIdParam = void 0;
const zod_1 = require("zod");
const schema_1 = require("../deliveries/schema");
const delivery_state_1 = require("../domain/delivery-state");
const event_pattern_1 = require("../domain/event-pattern");
const error_view_1 = require("../http/error-view");
const list_query_1 = require("../http/list-query");
/** The id in a path, for the document: `parseEventId` reads it. */
exports.eventIdParam = schema_1.eventIdView.meta({ description: 'The event id.', example: 1001 });
/** No control characters (Unicode's Cc), said so that every engine of regular expressions knows it. */
const PRINTABLE = /^[^\u0000-\u001f\u007f-\u009f]*$/;
const MAX_KEY_LENGTH = 255;
const eventType = zod_1.z
    .string()
    .refine(event_pattern_1.isEventType, { error: `must be an event type: ${event_pattern_1.EVENT_TYPE_RULE}` })
    .meta({
    description: 'Caller-chosen dotted name.',
    example: 'order.created',
    pattern: event_pattern_1.EVENT_TYPE_PATTERN,
    minLength: 1,
    maxLength: event_pattern_1.MAX_EVENT_TYPE_LENGTH,
});
const idempotencyKey = zod_1.z
    .string()
    .min(1, 'must have at least one character')
    .max(MAX_KEY_LENGTH, `must have at most ${MAX_KEY_LENGTH} characters`)
    .regex(PRINTABLE, 'must be printable characters')
    // Halves of pairs, and what nobody sees, such as a space of no width: two keys would look the same.
    .refine((text) => !/[\p{Surrogate}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}]/u.test(text), {
    error: 'must be printable characters',
});
/** Body of POST /api/v1/webhooks/events. */
exports.ingestBody = zod_1.z
    .strictObject({
    type: eventType,
    data: zod_1.z.record(zod_1.z.string(), zod_1.z.unknown()).meta({
        description: 'Arbitrary JSON object, delivered byte for byte as it was sent.',
        example: { order_id: 'ord_42', total: 19.99 },
    }),
    idempotency_key: idempotencyKey
        .optional()
        .meta({ description: 'A repeat within 24 hours returns the original event.', example: 'ord_42_created' }),
})
    .meta({ id: 'NewEvent' });
/** Body of POST /api/v1/webhooks/endpoints/{endpoint_id}/test. */
exports.testEventBody = exports.ingestBody.pick({ type: true, data: true }).partial().meta({ id: 'TestEvent' });
/** What is said of a type of Everpost's own. */
exports.RESERVED_TYPE_EXAMPLE = {
    error: '"type" must not begin with "everpost.": these types are kept for events of Everpost itself.',
    code: 'reserved_event_type',
};
/** The headers that POST /api/v1/webhooks/events reads. */
exports.ingestHeaders = zod_1.z.object({
    'Idempotency-Key': idempotencyKey
        .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII characters')
        .optional()
        .meta({
        description: 'The same as `idempotency_key` in the body, which may be left out then.',
        example: 'ord_42_created',
    }),
});
/** The answer of an ingest: 202 for a new event, 200 for a repeat. */
exports.ingestView = zod_1.z
    .object({
    id: schema_1.eventIdView,
    type: zod_1.z.string(),
    timestamp: zod_1.z.int().meta({ description: 'Unix seconds.', example: 1_767_225_600 }),
    duplicate: zod_1.z.boolean(),
    deliveries: zod_1.z.int().meta({ description: 'Number of matching destinations.', example: 1 }),
    payload_mismatch: zod_1.z
        .literal(true)
        .optional()
        .meta({ description: 'The repeat had another type or other data than the original.' }),
})
    .meta({ id: 'AcceptedEvent' });
/** Most events of a batch. */
exports.MAX_BATCH_EVENTS = 100;
/** Body of POST /api/v1/webhooks/events/batch, as it should be; an event that is not right is refused at its place. */
exports.batchBody = zod_1.z
    .strictObject({ events: zod_1.z.array(exports.ingestBody).min(1).max(exports.MAX_BATCH_EVENTS) })
    .meta({ id: 'NewEvents' });
/** The answer of POST /api/v1/webhooks/events/batch. */
exports.batchView = zod_1.z
    .object({
    results: zod_1.z
        .array(zod_1.z
        .union([
        exports.ingestView.extend({ status: zod_1.z.literal(202) }).meta({ id: 'AcceptedResult' }),
        exports.ingestView.extend({ status: zod_1.z.literal(200) }).meta({ id: 'RepeatedResult' }),
        error_view_1.errorView
            .omit({ request_id: true })
            .extend({ status: zod_1.z.literal([400, 413, 422, 429, 500, 503]) })
            .meta({ id: 'RefusedResult' }),
    ])
        .meta({ id: 'BatchResult' }))
        .meta({ description: 'The answer to each event at its place, as it would have got it alone.' }),
})
    .meta({ id: 'BatchResults' });
const eventStatus = zod_1.z.enum(delivery_state_1.EVENT_STATUSES, `must be one of ${delivery_state_1.EVENT_STATUSES.join(', ')}`).meta({ id: 'EventStatus' });
/** The answer of GET /api/v1/webhooks/events/{event_id}. */
exports.eventView = zod_1.z
    .object({
    id: schema_1.eventIdView,
    type: zod_1.z.string(),
    data: zod_1.z.record(zod_1.z.string(), zod_1.z.unknown()).meta({ description: 'The bytes that were ingested.' }),
    timestamp: zod_1.z.int(),
    idempotency_key: zod_1.z.string().nullable(),
    status: eventStatus,
    deliveries: zod_1.z.array(schema_1.deliveryOfEventView),
})
    .meta({ id: 'Event' });
/** Query of GET /api/v1/webhooks/events. */
exports.eventListQuery = (0, list_query_1.listQuery)(20).extend({
    type: schema_1.eventTypesFilter.optional(),
    idempotency_key: idempotencyKey
        .optional()
        .meta({ description: 'Only events that were ingested with this key.', example: 'ord_42_created' }),
    status: eventStatus.optional().meta({ description: 'Only events in this status.' }),
    after: list_query_1.timeParam.optional().meta({ description: 'Only events accepted then or later; to the second.' }),
    before: list_query_1.timeParam.optional().meta({ description: 'Only events accepted before; to the second.' }),
});
/** An event as a list shows it: without its data and its attempts. */
exports.listedEventView = exports.eventView
    .omit({ data: true })
    .extend({ deliveries: zod_1.z.array(schema_1.deliveryStateView) })
    .meta({ id: 'ListedEvent' });
/** The answer of GET /api/v1/webhooks/events. */
exports.eventListView = zod_1.z
    .object({ events: zod_1.z.array(exports.listedEventView), next_cursor: list_query_1.nextCursor })
    .meta({ id: 'EventPage' });
//# sourceMappingURL=schema.js.map