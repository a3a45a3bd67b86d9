import { z } from 'zod';
import { MAX_COUNTED_ATTEMPTS, NEWEST_ATTEMPTS } from '../domain/attempt-history';
import { HELD_REASONS } from '../domain/delivery-contract';
import { DELIVERY_STATES } from '../domain/delivery-state';
import { ENDPOINT_NAME } from '../domain/external-id';
import { MAX_ENDPOINTS } from '../domain/tiers';
import { EVENT_TYPE_RULE, EVENT_TYPES_PATTERN, isEventPattern, MAX_EVENT_TYPE_LENGTH } from '../domain/event-pattern';
import { attemptErrorCode } from '../endpoints/health-schema';
import { errorCode } from '../http/error-view';
import { listQuery, nextCursor, timeParam } from '../http/list-query';
import { EXAMPLE_ID } from '../http/route';
import { deliveryBodyView } from './body-schema';

/** The id of an endpoint, or the caller's own, in a body. */
export const endpointId = z.string().regex(ENDPOINT_NAME, 'must be the id or the external_id of an endpoint');

/** An id of an endpoint, as a filter. */
export const endpointIdFilter = endpointId.meta({
  description: 'Only deliveries to the endpoint with this `id` or `external_id`.',
  example: `ep_${EXAMPLE_ID}`,
});

/** An event type or `<prefix>.*`, as a filter. */
export const eventTypesFilter = z
  .string()
  .refine((text) => text !== '*' && isEventPattern(text), {
    error: `must be an event type or "<prefix>.*"; event types are ${EVENT_TYPE_RULE}`,
  })
  .meta({
    description: 'Only events of exactly this type, or, with `<prefix>.*`, of every type that begins with `<prefix>.`.',
    example: 'order.*',
    pattern: EVENT_TYPES_PATTERN,
    minLength: 1,
    maxLength: MAX_EVENT_TYPE_LENGTH,
  });

const DEFAULT_LIMIT = 20;

const deliveryState = z
  .enum(DELIVERY_STATES, `must be one of ${DELIVERY_STATES.join(', ')}`)
  .meta({ id: 'DeliveryState', description: '`delivered`, `failed` and `cancelled` are final.' });

const STATE_FILTERS = [...DELIVERY_STATES, 'open'] as const;
const stateFilter = z
  .enum(STATE_FILTERS, `must be one of ${STATE_FILTERS.join(', ')}`)
  .meta({ description: 'Only deliveries in this state; `open`: `pending` or `retrying`.' });

const EVENT_ID_RULE = 'must be an event id';

/** A query parameter is text; anything but plain digits is refused like a number that is no id. */
function eventNumber(text: unknown): unknown {
  return typeof text === 'string' && /^[0-9]{1,16}$/.test(text) ? Number(text) : 0;
}

/** Query of GET /api/v1/webhooks/deliveries. */
export const deliveryListQuery = listQuery(DEFAULT_LIMIT).extend({
  state: stateFilter.optional(),
  endpoint_id: endpointIdFilter.optional(),
  event_id: z
    .preprocess(eventNumber, z.int(EVENT_ID_RULE).min(1, EVENT_ID_RULE))
    .optional()
    .meta({ description: 'Only deliveries of this event.', format: 'int64', example: 1001 }),
  replay_id: z
    .string()
    .regex(/^rpl_[0-9a-z]{26}$/, 'must be an id as the API shows it')
    .optional()
    .meta({
      description: 'Only deliveries whose latest run this bulk replay started: its `job_id`.',
      example: `rpl_${EXAMPLE_ID}`,
    }),
  type: eventTypesFilter.optional(),
  after: timeParam.optional().meta({ description: 'Only events accepted at or after this time; to the second.' }),
  before: timeParam.optional().meta({ description: 'Only events accepted before this time; to the second.' }),
});

/** An attempt, as an event's history shows it. */
export const attemptView = z
  .object({
    run: z.int().min(1).meta({ description: '1, and one more with each replay.' }),
    number: z.int().min(1).meta({ description: 'Starts at 1 in each run.' }),
    trigger: z.enum(['scheduled', 'manual']).meta({ id: 'AttemptTrigger' }),
    started_at: z.iso.datetime(),
    latency_ms: z.int().meta({ description: 'Until the status arrived, or until the attempt was given up.' }),
    status_code: z.int().nullable(),
    error_code: attemptErrorCode.nullable(),
    error: z.string().nullable(),
    response_snippet: z
      .string()
      .nullable()
      .meta({ description: 'The first 1,024 bytes of the body as text; null without a response.' }),
    warning: z
      .string()
      .nullable()
      .meta({
        description:
          'What was odd about a response whose status counts: it broke off, did not end within two seconds, or is not ' +
          'valid HTTP. Null if nothing was.',
      }),
  })
  .meta({ id: 'Attempt' });

/** How many attempts an event or a delivery has. */
export const attemptsTotal = z.int().meta({
  description: `How many attempts there are, of all runs. More than ${MAX_COUNTED_ATTEMPTS.toLocaleString('en')} are not counted.`,
});

/** An event's id in an answer. */
export const eventIdView = z
  .int()
  .min(1)
  .meta({ format: 'int64', description: 'Has up to 16 digits, and is below 2^53.', example: 1001 });

/** When the data of an event was erased. */
export const dataErasedAt = z.iso
  .datetime()
  .optional()
  .meta({ description: 'When the data of the event was erased. Absent if it was not.' });

/** Why a delivery is held. */
export const heldReason = z.enum(HELD_REASONS).meta({ id: 'HeldReason' });

const stateFields = {
  id: z.string().meta({ example: `1001.ep_${EXAMPLE_ID}` }),
  endpoint_id: z.string(),
  state: deliveryState,
  run: z.int().min(1).meta({ description: '1, and one more with each replay.' }),
  attempt_count: z.int().meta({ description: 'Attempts with an outcome in this run.' }),
  max_attempts: z.int().meta({ description: 'The most attempts of a run.' }),
  next_attempt_at: z.iso
    .datetime()
    .nullable()
    .meta({ description: 'When the next attempt is due; null for a delivery that is finished or held.' }),
  held_for: heldReason.nullable().meta({
    description:
      'Why it waits: its account is `suspended`; its endpoint is `paused`, `disabled`, `unverified` (its host has not ' +
      'answered its challenge) or `hanging` (it answers nothing); or it has to wait because of the limit of concurrent ' +
      'requests (`at_cap`), `max_per_second` or the attempts a minute to its receiver (`at_rate`), or the order of ' +
      'events (`in_line`). ' +
      'Null for a delivery that is not held.',
  }),
  held_since: z.iso.datetime().nullable().meta({ description: 'Since when it is held; null if it is not.' }),
  completed_at: z.iso.datetime().nullable(),
};

/** A delivery as an event's list entry shows it. */
export const deliveryStateView = z.object(stateFields).meta({ id: 'DeliverySummary' });

/** A delivery in an event, with its newest attempts. */
export const deliveryOfEventView = z
  .object({
    ...stateFields,
    url: z.string().meta({ description: 'The URL of the last attempt.' }),
    attempts: z
      .array(attemptView)
      .max(NEWEST_ATTEMPTS)
      .meta({
        description: `Its attempts of all runs, in order: those among the newest ${NEWEST_ATTEMPTS} of the event.`,
      }),
  })
  .meta({ id: 'DeliveryOfEvent' });

/** A delivery as a list shows it. */
export const deliveryView = z
  .object({
    ...stateFields,
    event_id: eventIdView,
    event_type: z.string(),
    accepted_at: z.iso.datetime().meta({ description: 'When its event was accepted, to the second.' }),
  })
  .meta({ id: 'Delivery' });

/** The answer of GET /api/v1/webhooks/deliveries. */
export const deliveryListView = z
  .object({ deliveries: z.array(deliveryView), next_cursor: nextCursor })
  .meta({ id: 'DeliveryPage' });

const phase = (description: string) => z.int().nullable().meta({ description });

const timingsView = z
  .object({
    queued_ms: phase('From the time when it was due until it started. Null for a manual attempt.'),
    dns_ms: phase('Look-up of the name.'),
    connect_ms: phase('TCP connection; through an egress proxy, its tunnel.'),
    tls_ms: phase('TLS handshake.'),
    first_byte_ms: phase('Until the status of the response.'),
    body_ms: phase('From the status until the headers and the body of the response were read.'),
  })
  .meta({
    id: 'AttemptTimings',
    description:
      'Milliseconds of each phase; null for a phase that was not reached, or not needed on a kept connection.',
  });

/** An attempt with its request and its response. */
export const attemptWithRequestView = attemptView
  .extend({
    url: z.string().meta({ description: 'The URL that it was sent to: the endpoint may change between attempts.' }),
    resends: z.int().meta({ description: '1 if a pooled connection broke and the request was sent again.' }),
    request_headers: z
      .record(z.string(), z.string())
      .meta({ description: 'As sent; secret values are hidden. Empty if no request was sent.' }),
    response_headers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({
        description:
          'As received, up to 2,048 characters; values that look like credentials are hidden. Null without a response, ' +
          'and for attempts of versions that did not store them.',
      }),
    timings: timingsView,
  })
  .meta({ id: 'AttemptWithRequest' });

/** The answer of GET /api/v1/webhooks/deliveries/{delivery_id}. */
export const deliveryWithAttemptsView = deliveryView
  .extend({
    url: z.string().meta({ description: 'The URL of the last attempt.' }),
    data_erased_at: dataErasedAt,
    retry_schedule: z
      .array(z.number())
      .meta({ description: 'Seconds before each attempt of a run, from the end of the previous one.' }),
    body: deliveryBodyView,
    behind_event_id: z.int().nullable().meta({
      format: 'int64',
      description: 'While it is held `in_line`: the event that is first in the line. Otherwise null.',
      example: 1001,
    }),
    wait_seconds: z
      .int()
      .nullable()
      .meta({ description: 'While it is held `at_rate`: about how long. Null if that is not known.' }),
    has_execution: z.boolean().meta({
      description:
        'Whether the run has an execution in Temporal, running or ended. False for a run whose attempts were all express.',
    }),
    attempts_total: attemptsTotal,
    attempts: z
      .array(attemptWithRequestView)
      .max(NEWEST_ATTEMPTS)
      .meta({ description: `The newest ${NEWEST_ATTEMPTS} attempts of all runs, in order.` }),
    attempts_cursor: z
      .string()
      .nullable()
      .meta({ description: 'The `cursor` with which the list of its attempts continues; null if these are all.' }),
  })
  .meta({ id: 'DeliveryWithAttempts' });

/** Body of POST /api/v1/webhooks/events/{event_id}/replay. */
export const replayEventBody = z
  .strictObject({
    endpoint_ids: z
      .array(endpointId)
      .min(1, 'must hold at least one id; leave it out for all destinations of the event')
      .max(MAX_ENDPOINTS, `must hold at most ${MAX_ENDPOINTS} ids`)
      .optional()
      .meta({ description: 'Only the deliveries to these endpoints; if absent, all deliveries of the event.' }),
  })
  .meta({ id: 'ReplayEvent' });

/** The answer of POST /api/v1/webhooks/events/{event_id}/replay. */
export const replayEventView = z
  .object({
    deliveries: z.array(deliveryView).meta({ description: 'The deliveries that start a new run.' }),
    skipped: z
      .array(z.object({ id: z.string(), code: errorCode, error: z.string() }).meta({ id: 'SkippedDelivery' }))
      .meta({ description: 'The other deliveries, and why they do not.' }),
  })
  .meta({ id: 'EventReplay' });
