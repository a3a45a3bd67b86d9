import { z } from 'zod';
import { endpointId } from '../deliveries/schema';
import { EVENT_TYPE_PATTERN, EVENT_TYPE_RULE, isEventType, MAX_EVENT_TYPE_LENGTH } from '../domain/event-pattern';
import { putEndpointBody } from '../endpoints/schema';
import { timeParam } from '../http/list-query';
import { EXAMPLE_ID } from '../http/route';
import { MAX_BODIES, MAX_BODY_LENGTH, MAX_PATHS, MAX_TYPES } from './rehearsal-contract';

const DEFAULT_LIMIT = 1_000;
const MAX_LIMIT = 10_000;
const LIMIT_RULE = `must be a whole number from 1 to ${MAX_LIMIT}`;
const MAX_SCHEMA_BYTES = 65_536;

/** What only a new endpoint takes. */
const ONLY_NEW = ['external_id', 'secret', 'enabled'] as const;

const endpointChange = z
  .strictObject({
    ...putEndpointBody.shape,
    url: putEndpointBody.shape.url,
    id: endpointId.optional().meta({
      description: 'The `id` or `external_id` of the endpoint to change; absent for a new one.',
      example: `ep_${EXAMPLE_ID}`,
    }),
  })
  .superRefine((body, context) => {
    const refuse = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
    if (body.id === undefined) {
      if (body.url === undefined) refuse('url', 'is required for a new endpoint');
      return;
    }
    for (const name of ONLY_NEW) {
      if (body[name] !== undefined) refuse(name, 'must be left out: a change of an endpoint does not take it');
    }
  })
  .meta({
    id: 'RehearsedEndpoint',
    description: 'With `id`, the body of the PATCH; without, that of the POST.',
  });

const eventTypeChange = z
  .strictObject({
    name: z
      .string()
      .refine(isEventType, { error: `must be an event type: ${EVENT_TYPE_RULE}` })
      .meta({
        description: 'The event type.',
        example: 'order.created',
        pattern: EVENT_TYPE_PATTERN,
        minLength: 1,
        maxLength: MAX_EVENT_TYPE_LENGTH,
      }),
    schema: z
      .record(z.string(), z.unknown())
      .refine((schema) => Buffer.byteLength(JSON.stringify(schema)) <= MAX_SCHEMA_BYTES, {
        error: `must have at most ${MAX_SCHEMA_BYTES} bytes as JSON`,
      })
      .meta({ description: 'A JSON Schema of the draft 2020-12 for `data`.' }),
  })
  .meta({ id: 'RehearsedEventType' });

const change = z
  .strictObject({ endpoint: endpointChange.optional(), event_type: eventTypeChange.optional() })
  .superRefine(({ endpoint, event_type: eventType }, context) => {
    if ((endpoint === undefined) !== (eventType === undefined)) return;
    context.addIssue({ code: 'custom', message: 'must have either "endpoint" or "event_type"' });
  })
  .meta({ id: 'RehearsedChange', description: 'The change: of an endpoint, or of the schema of an event type.' });

const selectedWindow = z
  .strictObject({
    after: timeParam.optional().meta({ description: 'Events accepted at or after this time; to the second.' }),
    before: timeParam.optional().meta({ description: 'Events accepted before this time; to the second.' }),
  })
  .superRefine(({ after, before }, context) => {
    if (!after || !before || after < before) return;
    context.addIssue({ code: 'custom', path: ['before'], message: 'must be later than "after"' });
  })
  .meta({ id: 'RehearsalWindow' });

/** Body of POST /api/v1/webhooks/rehearsals. */
export const createRehearsalBody = z
  .strictObject({
    change,
    window: selectedWindow.optional(),
    limit: z
      .int(LIMIT_RULE)
      .min(1, LIMIT_RULE)
      .max(MAX_LIMIT, LIMIT_RULE)
      .default(DEFAULT_LIMIT)
      .meta({ description: `The most events that are read, the newest first; ${DEFAULT_LIMIT} by default.` }),
  })
  .meta({ id: 'NewRehearsal' });

export type CreateRehearsalBody = z.output<typeof createRehearsalBody>;
export type ChangeBody = CreateRehearsalBody['change'];
export type EndpointBody = z.output<typeof endpointChange>;

const time = z.iso.datetime();
const counts = { before: z.int(), after: z.int() };
const text = z.string().nullable();

const bodyPair = z
  .object({
    event_id: z.int(),
    type: z.string(),
    before: text.meta({ description: 'Null if the endpoint does not get the event.' }),
    after: text.meta({ description: 'Null if the endpoint would not get the event.' }),
    content_type_before: text,
    content_type_after: text,
  })
  .meta({ id: 'RehearsedBody' });

const result = z
  .object({
    events: z.int().meta({ description: 'How many events were read.' }),
    window: z
      .object({ after: time, before: time })
      .nullable()
      .meta({ id: 'ReadWindow', description: 'When they were accepted; null if there were none.' }),
    complete: z.boolean().meta({ description: 'False if the time was over before all were read.' }),
    matches: z
      .object({
        ...counts,
        types: z
          .array(z.object({ type: z.string(), ...counts }).meta({ id: 'RehearsedType' }))
          .meta({ description: `At most ${MAX_TYPES}, the largest changes first.` }),
      })
      .nullable()
      .meta({
        id: 'RehearsedMatches',
        description: 'How many of them go to the endpoint; null for a change of an event type.',
      }),
    schema: z
      .object({
        checked: z.int(),
        failed: z.int(),
        paths: z
          .array(
            z
              .object({
                path: z.string(),
                message: z.string(),
                count: z.int(),
                event_id: z.int().meta({ description: 'The newest of these events.' }),
              })
              .meta({ id: 'RefusedPath' }),
          )
          .meta({ description: `At most ${MAX_PATHS}, the most frequent first.` }),
      })
      .nullable()
      .meta({
        id: 'RehearsedSchema',
        description: 'How many of them the schema refuses; null for a change of an endpoint.',
      }),
    bodies: z.array(bodyPair).meta({
      description:
        `The bodies of at most ${MAX_BODIES} deliveries: first those that change, then those that only come or go. One of more than ${MAX_BODY_LENGTH} ` +
        'characters is cut, and ends in "…".',
    }),
    peak: z
      .object({
        before: z.int().meta({ description: 'The most events that the endpoint gets in a second.' }),
        after: z.int().meta({ description: 'The most that it would get.' }),
        at: time.meta({ description: 'The busiest second after the change.' }),
        max_per_second: z.number().nullable().meta({ description: 'The limit of the endpoint after the change.' }),
      })
      .nullable()
      .meta({ id: 'RehearsedPeak', description: 'Null if no event matches, and for a change of an event type.' }),
  })
  .meta({ id: 'RehearsalResult' });

/** A rehearsal. */
export const rehearsalView = z
  .object({
    id: z.string().regex(/^rhs_[0-9a-z]{26}$/),
    state: z.enum(['running', 'completed', 'failed']).meta({ id: 'RehearsalState' }),
    result: result.optional().meta({ description: 'What the change would have done; only if it is `completed`.' }),
    error: z.string().optional().meta({ description: 'Why it failed; only if it is `failed`.' }),
  })
  .meta({ id: 'Rehearsal' });
