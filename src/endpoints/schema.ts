import { NOT_PLAIN, PLAIN_TEXT } from '../domain/plain-text';
import { z } from 'zod';
import { MAX_DESTINATION_URL_LENGTH } from '../domain/destination-url';
import { EVENT_PATTERN_PATTERN, EVENT_TYPE_RULE, isEventPattern, MAX_EVENT_TYPE_LENGTH } from '../domain/event-pattern';
import { EXTERNAL_ENDPOINT_ID, EXTERNAL_ID_RULE } from '../domain/external-id';
import { isSigningSecret } from '../domain/signing-secret';
import { SECRET_EXAMPLE } from './examples';
import { metadataOf } from '../http/metadata-schema';
import { optionsBody, optionsView } from './options-schema';

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
    pattern: EVENT_PATTERN_PATTERN,
    maxLength: MAX_EVENT_TYPE_LENGTH,
  });

const url = z.string().meta({
  description: 'Absolute HTTPS URL of a public host, without credentials and fragment; it receives the delivery POSTs.',
  example: 'https://example.com/webhooks',
  format: 'uri',
  pattern: '^[hH][tT][tT][pP][sS]://[^\\s]+$',
  maxLength: MAX_DESTINATION_URL_LENGTH,
});

/** @param whenLeftOut the effect of leaving it out */
const events = (whenLeftOut: string) =>
  z
    .array(eventPattern)
    .min(1, `must hold at least one pattern; leave it out ${whenLeftOut}`)
    .max(MAX_PATTERNS, `must hold at most ${MAX_PATTERNS} patterns`);

const description = z
  .string()
  .max(MAX_DESCRIPTION_LENGTH, `must have at most ${MAX_DESCRIPTION_LENGTH} characters`)
  .regex(PLAIN_TEXT, NOT_PLAIN)
  // The database would silently store a replacement character for it.
  .refine((text) => !/\p{Surrogate}/u.test(text), 'must not contain half a surrogate pair');

const SECRET_RULE = 'must be "whsec_" and 24 to 64 bytes in base64';

/** As in Standard Webhooks. Errors about it don't repeat it. */
const secret = z.string().refine(isSigningSecret, { error: SECRET_RULE }).meta({
  description: 'An existing signing secret: `whsec_` and 24 to 64 bytes in base64. If absent, a new one is generated.',
  pattern: '^whsec_([A-Za-z0-9+/]{4}){8,21}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  example: SECRET_EXAMPLE,
});

const metadata = metadataOf('It is shown with the endpoint, and never sent to it.');

const externalId = z.string().regex(EXTERNAL_ENDPOINT_ID, `${EXTERNAL_ID_RULE}, and not begin with "ep_"`);

/** What a new endpoint has unless the caller says otherwise. */
export const ENDPOINT_DEFAULTS = { events: ['*'], description: '', enabled: true };

/** Body of POST /api/v1/webhooks/endpoints. */
export const createEndpointBody = z
  .strictObject({
    url,
    external_id: externalId.optional().meta({
      description:
        'Your own id of the endpoint, unique in the account. It never changes, and works in place of `id` wherever an ' +
        'endpoint is named.',
      example: 'orders-eu',
    }),
    events: events('for all events')
      .default(ENDPOINT_DEFAULTS.events)
      .meta({ description: 'The patterns of delivered events; if absent, all events.' }),
    description: description
      .default(ENDPOINT_DEFAULTS.description)
      .meta({ description: 'Free text.', example: 'Order service' }),
    metadata: metadata.optional(),
    options: optionsBody.optional().meta({ description: 'If absent, all are off.' }),
    secret: secret.optional(),
    enabled: z
      .boolean()
      .default(ENDPOINT_DEFAULTS.enabled)
      .meta({ description: 'With `false` it starts as `paused`: its deliveries are held until you resume it.' }),
  })
  .meta({ id: 'NewEndpoint' });

export type CreateEndpointBody = z.output<typeof createEndpointBody>;

/** Body of PATCH /api/v1/webhooks/endpoints/{endpoint_id}: absent fields stay unchanged. */
export const changeEndpointBody = z
  .strictObject({
    url: url.optional(),
    events: events('to keep the ones there are')
      .optional()
      .meta({ description: 'All patterns: they replace the existing ones.' }),
    description: description.optional().meta({ description: 'Free text.' }),
    metadata: metadata.optional(),
    options: optionsBody.optional().meta({ description: 'Merged option by option; null switches one off.' }),
  })
  .meta({ id: 'EndpointChange' });

/** Body of PUT /api/v1/webhooks/endpoints/{endpoint_id}. */
export const putEndpointBody = z
  .strictObject({
    ...changeEndpointBody.shape,
    url: url.optional().meta({ description: 'The destination. A new endpoint needs it.' }),
    external_id: externalId.optional().meta({ description: 'As in the path, if at all.' }),
    secret: secret.optional().meta({
      description:
        'For a new endpoint, an existing signing secret: `whsec_` and 24 to 64 bytes in base64. For an existing one, the ' +
        'secret that it has: another is refused, because receivers need a rotation.',
    }),
    enabled: z.boolean().optional().meta({ description: '`true` resumes it if it is stopped, `false` pauses it.' }),
  })
  .meta({ id: 'DesiredEndpoint' });

export type PutEndpointBody = z.output<typeof putEndpointBody>;

/** The headers that PATCH and PUT /api/v1/webhooks/endpoints/{endpoint_id} reads. `readIfMatch` validates it. */
export const changeEndpointHeaders = z.object({
  'If-Match': z.string().optional().meta({
    description: 'Changes the endpoint only if it has this `ETag`, or one of several. `*` is any.',
    example: '"2026-11-21T12:00:00.000Z"',
  }),
});

export type ChangeEndpointBody = z.output<typeof changeEndpointBody>;

/** An endpoint in the API. */
export const endpointView = z
  .object({
    id: z.string().regex(/^ep_[0-9a-z]{26}$/),
    external_id: z
      .string()
      .nullable()
      .meta({ description: "The caller's own id, which works in place of `id`; null if it has none." }),
    url: z.string(),
    events: z.array(z.string()),
    description: z.string(),
    metadata: z.record(z.string(), z.string()).meta({ description: "The caller's own map of texts." }),
    status: z.enum(['active', 'paused', 'disabled']).meta({ id: 'EndpointStatus' }),
    disabled_reason: z
      .enum(['gone', 'failing'])
      .meta({ id: 'DisabledReason' })
      .optional()
      .meta({ description: 'Why it is disabled; absent otherwise.' }),
    verification: z
      .object({
        host: z.string(),
        state: z.enum(['unverified', 'verified']).meta({ description: 'Deliveries wait while it is `unverified`.' }),
        asked_at: z.iso.datetime().nullable().meta({ description: 'When the last challenge was sent.' }),
        error: z.string().nullable().meta({ description: 'What was wrong with the last answer.' }),
      })
      .meta({ id: 'EndpointVerification' })
      .optional()
      .meta({ description: 'Whether its host accepts the deliveries; absent if hosts need not be verified.' }),
    secret_since: z.iso.datetime().meta({ description: 'Since when the current signing secret is in use.' }),
    next_secret_activates_at: z.iso.datetime().optional().meta({
      description: 'When the next signing secret replaces the current one; present only during a rotation.',
    }),
    backlog: z
      .object({
        per_second: z.number().meta({ description: 'The most attempts a second; `max_per_second`, if that is less.' }),
        since: z.iso.datetime(),
      })
      .nullable()
      .meta({
        id: 'Backlog',
        description: 'The rate that a resume set, until nothing is held any more. Null otherwise.',
      }),
    options: optionsView,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Endpoint' });

/** The answer of POST: the only one with the signing secret. */
export const createdEndpointView = endpointView
  .extend({
    secret: z
      .string()
      .meta({ description: 'Signing secret. Keep it: receivers verify `X-Webhook-Signature` with it.' }),
  })
  .meta({ id: 'CreatedEndpoint' });

/** The answer of the operations on signing secrets. */
export const secretView = z
  .object({
    secret: z.string().meta({ description: 'Signs `X-Webhook-Signature`.' }),
    next_secret: z.string().nullable().meta({ description: 'During a rotation: signs `X-Webhook-Signature-Next`.' }),
    next_secret_activates_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it replaces `secret`, unless it is activated earlier.' }),
  })
  .meta({ id: 'SigningSecrets' });

/** The answer of GET …/secret. */
export const revealedView = secretView
  .extend({
    headers: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ description: 'The static headers (`options.headers`) with their values; null without any.' }),
  })
  .meta({ id: 'RevealedSecrets' });
