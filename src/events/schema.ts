import { z } from 'zod';
import { ATTEMPT_ERROR_CODES, DELIVERY_STATES, EVENT_STATUSES } from '../domain/delivery-state';
import { EVENT_TYPE_RULE, isEventType, MAX_EVENT_TYPE_LENGTH } from '../domain/event-pattern';

/** No control characters (Unicode's Cc), said so that every engine of regular expressions knows it. */
const PRINTABLE = /^[^\u0000-\u001f\u007f-\u009f]*$/;
const MAX_KEY_LENGTH = 255;

const eventType = z
  .string()
  .refine(isEventType, { error: `must be an event type: ${EVENT_TYPE_RULE}` })
  .meta({
    description: 'Caller-chosen dotted name.',
    example: 'order.created',
    // What `isEventType` says.
    pattern: '^[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*$',
    minLength: 1,
    maxLength: MAX_EVENT_TYPE_LENGTH,
  });

/** Body of POST /api/v1/webhooks/events. */
export const ingestBody = z.strictObject({
  type: eventType,
  data: z.record(z.string(), z.unknown()).meta({
    description: 'Arbitrary JSON object, delivered byte for byte as it was sent.',
    example: { order_id: 'ord_42', total: 19.99 },
  }),
  idempotency_key: z
    .string()
    .min(1, 'must have at least one character')
    .max(MAX_KEY_LENGTH, `must have at most ${MAX_KEY_LENGTH} characters`)
    .regex(PRINTABLE, 'must be printable characters')
    .refine((text) => !/\p{Surrogate}/u.test(text), 'must be printable characters')
    .optional()
    .meta({ description: 'A repeat within 24 hours returns the original event.', example: 'ord_42_created' }),
});

/** The answer of an ingest: 202 for a new event, 200 for a repeat. */
export const ingestView = z.object({
  id: z.int().meta({ example: 1001 }),
  type: z.string(),
  timestamp: z.int().meta({ description: 'Unix seconds.', example: 1_767_225_600 }),
  duplicate: z.boolean(),
  deliveries: z.int().meta({ description: 'Number of matching destinations.', example: 1 }),
  payload_mismatch: z
    .literal(true)
    .optional()
    .meta({ description: 'The repeat had another type or other data than the original.' }),
});

export const attemptView = z.object({
  number: z.int(),
  trigger: z.enum(['scheduled', 'manual']),
  started_at: z.iso.datetime(),
  latency_ms: z.int(),
  status_code: z.int().nullable(),
  error_code: z.enum(ATTEMPT_ERROR_CODES).nullable(),
  error: z.string().nullable(),
  response_snippet: z.string().nullable(),
});

export const deliveryView = z.object({
  id: z.string().meta({ example: '1001.ep_4gq9k1m3v7z2x8c5b6n0t1r2s3' }),
  endpoint_id: z.string(),
  url: z.string(),
  state: z.enum(DELIVERY_STATES),
  attempt_count: z.int(),
  max_attempts: z.int(),
  next_attempt_at: z.iso.datetime().nullable(),
  completed_at: z.iso.datetime().nullable(),
  attempts: z.array(attemptView),
});

/** The answer of GET /api/v1/webhooks/events/{event_id}. */
export const eventView = z.object({
  id: z.int(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()).meta({ description: 'The bytes that were ingested.' }),
  timestamp: z.int(),
  idempotency_key: z.string().nullable(),
  status: z.enum(EVENT_STATUSES),
  deliveries: z.array(deliveryView),
});
