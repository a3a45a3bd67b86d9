import { z } from 'zod';
import {
  attemptsTotal,
  dataErasedAt,
  deliveryOfEventView,
  deliveryStateView,
  eventIdView,
  eventTypesFilter,
} from '../deliveries/schema';
import { EVENT_STATUSES } from '../domain/delivery-state';
import { EVENT_TYPE_PATTERN, EVENT_TYPE_RULE, isEventType, MAX_EVENT_TYPE_LENGTH } from '../domain/event-pattern';
import { SEARCH_VALUE_PATTERN } from '../domain/search-values';
import { errorView } from '../http/error-view';
import type { ErrorExample } from '../http/route';
import { listQuery, nextCursor, timeParam } from '../http/list-query';
import { retentionDays } from '../http/retention-schema';

/** No control characters (Unicode's Cc), written so that every regular expression engine supports it. */
const PRINTABLE = /^[^\u0000-\u001f\u007f-\u009f]*$/;
const MAX_KEY_LENGTH = 255;

const eventType = z
  .string()
  .refine(isEventType, { error: `must be an event type: ${EVENT_TYPE_RULE}` })
  .meta({
    description: 'Caller-chosen dotted name.',
    example: 'order.created',
    pattern: EVENT_TYPE_PATTERN,
    minLength: 1,
    maxLength: MAX_EVENT_TYPE_LENGTH,
  });

const idempotencyKey = z
  .string()
  .min(1, 'must have at least one character')
  .max(MAX_KEY_LENGTH, `must have at most ${MAX_KEY_LENGTH} characters`);

const keyInBody = idempotencyKey
  .regex(PRINTABLE, 'must be printable characters')
  // Halves of surrogate pairs, and invisible characters such as a zero-width space: two keys would look the same.
  .refine((text) => !/[\p{Surrogate}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}]/u.test(text), {
    error: 'must be printable characters',
  });

/** Body of POST /api/v1/webhooks/events. */
export const ingestBody = z
  .strictObject({
    type: eventType,
    data: z.record(z.string(), z.unknown()).meta({
      description: 'Any JSON object, delivered byte for byte as sent.',
      example: { order_id: 'ord_42', total: 19.99 },
    }),
    idempotency_key: keyInBody
      .optional()
      .meta({ description: 'A repeat within 24 hours returns the original event.', example: 'ord_42_created' }),
    retention_days: retentionDays.optional().meta({
      description:
        'For how many days the event is kept after its last delivery finished: at most as long as the installation keeps ' +
        'events. Absent: as its account says.',
      example: 7,
    }),
  })
  .meta({ id: 'NewEvent' });

/** Body of POST /api/v1/webhooks/endpoints/{endpoint_id}/test. */
export const testEventBody = ingestBody.pick({ type: true, data: true }).partial().meta({ id: 'TestEvent' });

/** The example of an error about a reserved type. */
export const RESERVED_TYPE_EXAMPLE: ErrorExample = {
  error: '"type" must not begin with "everpost.": these types are reserved for events of Everpost itself.',
  code: 'reserved_event_type',
};

/** The headers that POST /api/v1/webhooks/events reads. */
export const ingestHeaders = z.object({
  'Idempotency-Key': idempotencyKey
    // One pattern: of two, some generators of clients make an object.
    .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII characters')
    .optional()
    .meta({
      description: 'The same as `idempotency_key` in the body, which can then be absent.',
      example: 'ord_42_created',
    }),
});

/** The answer of an ingest: 202 for a new event, 200 for a repeat. */
export const ingestView = z
  .object({
    id: eventIdView,
    type: z.string(),
    timestamp: z.int().meta({ description: 'Unix seconds.', example: 1_767_225_600 }),
    duplicate: z.boolean(),
    deliveries: z.int().meta({ description: 'Number of matching destinations.', example: 1 }),
    payload_mismatch: z
      .literal(true)
      .optional()
      .meta({ description: 'The type or the data of the repeat differs from the original.' }),
  })
  .meta({ id: 'AcceptedEvent' });

/** Most events of a batch. */
export const MAX_BATCH_EVENTS = 100;

/**
 * Body of POST /api/v1/webhooks/events/batch when all events are valid; an invalid event is refused at its place in the
 * answer.
 */
export const batchBody = z
  .strictObject({ events: z.array(ingestBody).min(1).max(MAX_BATCH_EVENTS) })
  .meta({ id: 'NewEvents' });

/** The answer of POST /api/v1/webhooks/events/batch. */
export const batchView = z
  .object({
    results: z
      .array(
        z
          .union([
            ingestView.extend({ status: z.literal(202) }).meta({ id: 'AcceptedResult' }),
            ingestView.extend({ status: z.literal(200) }).meta({ id: 'RepeatedResult' }),
            errorView
              .omit({ request_id: true })
              .extend({ status: z.literal([400, 413, 422, 429, 500, 503]) })
              .meta({ id: 'RefusedResult' }),
          ])
          .meta({ id: 'BatchResult' }),
      )
      .meta({ description: 'The answer to each event in its place, as if it had been sent alone.' }),
  })
  .meta({ id: 'BatchResults' });

const eventStatus = z.enum(EVENT_STATUSES, `must be one of ${EVENT_STATUSES.join(', ')}`).meta({ id: 'EventStatus' });

const schemaErrorView = z
  .object({
    path: z.string().meta({ description: '`type`, `data`, or a place in it.' }),
    message: z.string(),
  })
  .meta({ id: 'SchemaError' });

/** The answer of GET /api/v1/webhooks/events/{event_id}. */
export const eventView = z
  .object({
    id: eventIdView,
    type: z.string(),
    data: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'The exact bytes that were ingested; null once they were erased.' }),
    timestamp: z.int(),
    idempotency_key: z.string().nullable(),
    schema_errors: z
      .array(schemaErrorView)
      .optional()
      .meta({
        description:
          'Where the event does not match the catalog of event types, for an account in mode `warn`: at most 10 places. ' +
          'Absent if there are none.',
        example: [{ path: 'data.total', message: 'must be number' }],
      }),
    data_erased_at: dataErasedAt,
    status: eventStatus,
    attempts_total: attemptsTotal,
    deliveries: z.array(deliveryOfEventView),
  })
  .meta({ id: 'Event' });

/** Query of GET /api/v1/webhooks/events. */
export const eventListQuery = listQuery(20).extend({
  type: eventTypesFilter.optional(),
  idempotency_key: keyInBody
    .optional()
    .meta({ description: 'Only events that were ingested with this key.', example: 'ord_42_created' }),
  data: z
    .string()
    .regex(new RegExp(SEARCH_VALUE_PATTERN), 'must be "<field>:<value>", for example "customer_id:cus_123"')
    .optional()
    .meta({
      description:
        'Only events whose `data` has this value in a search field of the account: `<field>:<value>`. ' +
        'The search fields are set in the dashboard, and cover events accepted since.',
      example: 'customer_id:cus_123',
    }),
  status: eventStatus.optional().meta({ description: 'Only events in this status.' }),
  after: timeParam.optional().meta({ description: 'Only events accepted at or after this time; to the second.' }),
  before: timeParam.optional().meta({ description: 'Only events accepted before this time; to the second.' }),
});

/** An event in a list: without its data and its attempts. */
export const listedEventView = eventView
  .omit({ data: true, attempts_total: true })
  .extend({ deliveries: z.array(deliveryStateView) })
  .meta({ id: 'ListedEvent' });

/** The answer of GET /api/v1/webhooks/events. */
export const eventListView = z
  .object({ events: z.array(listedEventView), next_cursor: nextCursor })
  .meta({ id: 'EventPage' });
