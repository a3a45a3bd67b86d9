import { z } from 'zod';
import { MAX_DESTINATION_URL_LENGTH } from '../domain/destination-url';
import { EVENT_TYPE_RULE, isEventPattern, MAX_EVENT_TYPE_LENGTH } from '../domain/event-pattern';

const MAX_PATTERNS = 50;
const MAX_DESCRIPTION_LENGTH = 500;

const eventPattern = z
  .string()
  .refine(isEventPattern, {
    error: `must be "*", an event type or "<prefix>.*"; event types are ${EVENT_TYPE_RULE}`,
  })
  .meta({
    description: 'Selects event types: `*`, `<type>` or `<prefix>.*`',
    example: 'order.*',
    // What `isEventPattern` says, as far as a schema can: a prefix has at most 128 characters without its ".*".
    pattern: '^(\\*|[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*(\\.\\*)?)$',
    maxLength: MAX_EVENT_TYPE_LENGTH,
  });

/** Body of POST /api/v1/webhooks/endpoints. */
export const createEndpointBody = z.strictObject({
  url: z.string().meta({
    description:
      'Absolute HTTPS URL of a public host, without credentials and fragment; it receives the delivery POSTs.',
    example: 'https://example.com/webhooks',
    format: 'uri',
    pattern: '^[hH][tT][tT][pP][sS]://[^\\s]+$',
    maxLength: MAX_DESTINATION_URL_LENGTH,
  }),
  events: z
    .array(eventPattern)
    .min(1, 'must hold at least one pattern; leave it out for all events')
    .max(MAX_PATTERNS, `must hold at most ${MAX_PATTERNS} patterns`)
    .default(['*'])
    .meta({ description: 'Which events are delivered; all of them when left out.' }),
  description: z
    .string()
    .max(MAX_DESCRIPTION_LENGTH, `must have at most ${MAX_DESCRIPTION_LENGTH} characters`)
    // The database would store a replacement character for it, in silence.
    .refine((text) => !/\p{Surrogate}/u.test(text), 'must not contain half a surrogate pair')
    .default('')
    .meta({ description: 'Free text.', example: 'Order service' }),
});

export type CreateEndpointBody = z.output<typeof createEndpointBody>;

/** An endpoint as the API shows it. */
export const endpointView = z.object({
  id: z.string().regex(/^ep_[0-9a-z]{26}$/),
  url: z.string(),
  events: z.array(z.string()),
  description: z.string(),
  status: z.enum(['active', 'paused', 'disabled']),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** The answer of POST: the only one that shows the signing secret. */
export const createdEndpointView = endpointView.extend({
  secret: z.string().meta({ description: 'Signing secret. Keep it: receivers verify `X-Webhook-Signature` with it.' }),
});

/** The answer of GET /api/v1/webhooks/endpoints. */
export const endpointListView = z.object({
  endpoints: z.array(endpointView),
  next_cursor: z.string().nullable(),
});
