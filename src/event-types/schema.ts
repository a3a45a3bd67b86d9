import { z } from 'zod';
import { NOT_PLAIN, PLAIN_TEXT } from '../domain/plain-text';
import { listQuery, nextCursor } from '../http/list-query';

const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_GROUP_LENGTH = 100;
/** Of a schema, and of an example, as JSON. */
const MAX_JSON_BYTES = 64 * 1024;

const text = (most: number) =>
  z
    .string()
    .min(1, 'must not be empty; null removes it')
    .max(most, `must have at most ${most} characters`)
    .refine((value) => !/\p{Surrogate}/u.test(value), 'must not contain half a surrogate pair');

const jsonObject = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_JSON_BYTES,
    `must have at most ${MAX_JSON_BYTES / 1024} KiB as JSON`,
  );

const group = text(MAX_GROUP_LENGTH).regex(PLAIN_TEXT, NOT_PLAIN);

const SCHEMA = 'A JSON Schema (2020-12) of `data`.';
const EXAMPLE = 'An example of `data`, which fits the schema.';
const DEPRECATED = 'Shown as deprecated; events of it are accepted.';
const ARCHIVED = 'No longer listed; `strict` refuses its events.';

/** Body of PUT /api/v1/event-types/{name}: absent fields stay as they are. */
export const putEventTypeBody = z
  .strictObject({
    description: text(MAX_DESCRIPTION_LENGTH)
      .nullable()
      .optional()
      .meta({ description: 'What happened, for people; null removes it.', example: 'A customer placed an order.' }),
    group: group
      .nullable()
      .optional()
      .meta({ description: 'The heading under which it is shown; null removes it.', example: 'Orders' }),
    schema: jsonObject
      .nullable()
      .optional()
      .meta({ description: `${SCHEMA} A changed one is a new version; null removes it.` }),
    example: jsonObject
      .nullable()
      .optional()
      .meta({ description: `${EXAMPLE} Null removes it.` }),
    deprecated: z.boolean().optional().meta({ description: DEPRECATED }),
    archived: z
      .boolean()
      .optional()
      .meta({ description: `${ARCHIVED} \`false\` brings it back.` }),
  })
  .meta({ id: 'EventTypeChange' });

export type PutEventTypeBody = z.output<typeof putEventTypeBody>;

const listed = {
  name: z.string(),
  description: z.string().nullable(),
  group: z.string().nullable(),
  deprecated: z.boolean().meta({ description: DEPRECATED }),
  archived: z.boolean().meta({ description: ARCHIVED }),
  version: z.int().meta({ description: '1, and one more after each change of the schema.' }),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
};

/** An event type in the API. */
export const eventTypeView = z
  .object({
    ...listed,
    schema: z.record(z.string(), z.unknown()).nullable().meta({ description: SCHEMA }),
    example: z.record(z.string(), z.unknown()).nullable().meta({ description: EXAMPLE }),
  })
  .meta({ id: 'EventType' });

export const listedEventTypeView = z
  .object({ ...listed, has_schema: z.boolean() })
  .meta({ id: 'ListedEventType', description: 'An event type without its schema and its example.' });

const DEFAULT_PAGE = 50;

const archivedParam = z
  .enum(['true', 'false'])
  .optional()
  .meta({ description: 'The archived ones, in place of those in use.' });

/** Query of GET /api/v1/webhooks/event-types. */
export const eventTypeListQuery = listQuery(DEFAULT_PAGE).extend({
  group: group.optional().meta({ description: 'Only types of this group.' }),
});

/** Query of GET /api/v1/event-types. */
export const catalogListQuery = eventTypeListQuery.extend({ archived: archivedParam });

export const eventTypeListView = z
  .object({ event_types: z.array(listedEventTypeView), next_cursor: nextCursor })
  .meta({ id: 'EventTypeList' });

/** Query of GET /api/v1/event-types/{name}. */
export const eventTypeQuery = z.strictObject({
  version: z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/, 'must be the number of a version')
    .optional()
    .meta({ description: 'An earlier version; the last 100 are kept.' }),
});

/** Body of POST /api/v1/event-types/import. */
export const importBody = z
  .strictObject({
    openapi: z
      .record(z.string(), z.unknown())
      .meta({ description: 'An OpenAPI document, 3.1 or 3.2. Its `webhooks` are read.' }),
    dry_run: z.boolean().optional().meta({ description: 'Tells what would change, and changes nothing.' }),
  })
  .meta({ id: 'EventTypeImport' });

/** The answer of POST /api/v1/event-types/import. */
export const importView = z
  .object({
    dry_run: z.boolean(),
    created: z.array(z.string()),
    changed: z.array(z.object({ name: z.string(), fields: z.array(z.string()) }).meta({ id: 'ChangedEventType' })),
    unchanged: z.array(z.string()),
    refused: z
      .array(z.object({ name: z.string(), error: z.string(), code: z.string() }).meta({ id: 'RefusedEventType' }))
      .meta({ description: "Those that can't be imported. The others are imported all the same." }),
  })
  .meta({ id: 'EventTypeImportResult' });

export type ImportResult = z.output<typeof importView>;

/** The answer of GET /api/v1/event-types/openapi.json. */
export const eventTypesDocumentView = z
  .record(z.string(), z.unknown())
  .meta({ id: 'EventTypesDocument', description: 'An OpenAPI 3.1 document with one webhook for each event type.' });
