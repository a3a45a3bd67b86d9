import { z } from 'zod';
import { EVENT_TYPE_RULE, isEventPattern } from '../domain/event-pattern';

const MAX_PATTERNS = 50;
const MAX_DESCRIPTION_LENGTH = 500;

export const eventPattern = z
  .string()
  .refine(isEventPattern, {
    error: `must be "*", an event type or "<prefix>.*"; event types are ${EVENT_TYPE_RULE}`,
  })
  .meta({ description: 'Selects event types: `*`, `<type>` or `<prefix>.*`', example: 'order.*' });

/** Body of POST /api/v1/webhooks/endpoints. */
export const createEndpointBody = z.strictObject({
  url: z.string().meta({
    description: 'Absolute HTTPS URL that receives the delivery POSTs.',
    example: 'https://example.com/webhooks',
  }),
  events: z
    .array(eventPattern)
    .min(1, 'must hold at least one pattern; leave it out for all events')
    .max(MAX_PATTERNS, `must hold at most ${MAX_PATTERNS} patterns`)
    .default(['*']),
  description: z
    .string()
    .max(MAX_DESCRIPTION_LENGTH, `must have at most ${MAX_DESCRIPTION_LENGTH} characters`)
    .default(''),
});

export type CreateEndpointBody = z.output<typeof createEndpointBody>;

/** An endpoint as the API shows it. */
export const endpointView = z.object({
  id: z.string().meta({ example: 'ep_4gq9k1m3v7z2x8c5b6n0t1r2s3' }),
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
