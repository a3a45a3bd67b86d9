import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import type { By } from '../domain/audit-actions';
import { EVENT_TYPE_EXAMPLE, IMPORT_EXAMPLE, LISTED_EXAMPLE } from './examples';
import { importEventTypes } from './import-event-types';
import { eventTypeParams, newEventTypeParams } from './params';
import { presentEventType, presentListed } from './present';
import { archiveEventType, putEventType, type PutEventTypeDeps } from './put-event-type';
import { allEventTypes, getEventType, listEventTypes, type ReadCatalogDeps } from './read-event-types';
import {
  catalogListQuery,
  eventTypeListView,
  eventTypeQuery,
  eventTypesDocumentView,
  eventTypeView,
  importBody,
  importView,
  putEventTypeBody,
} from './schema';
import { EVENT_TYPES_TAG } from './tag';

/** What the operations on the catalog of event types need. */
export type EventTypeRouteDeps = PutEventTypeDeps &
  ReadCatalogDeps & {
    /** Describes the types to receivers, as an OpenAPI document. */
    readonly describeEventTypes: (types: Awaited<ReturnType<typeof allEventTypes>>) => object;
  };

const PATH = '/api/v1/event-types';
const ONE = `${PATH}/{name}` as const;

const WRITES = {
  tag: EVENT_TYPES_TAG,
  scopes: ['event-types:write'],
  forInstallation: true,
  recordsItself: true,
} as const;
const READS = { tag: EVENT_TYPES_TAG, scopes: ['events:read'], needsNoAccount: true } as const;

const NOT_FOUND = {
  errors: { 404: 'There is no such event type.' },
  errorExamples: {
    404: { error: 'There is no event type order.created in the catalog.', code: 'event_type_not_found' },
  },
} as const;

/** The largest document of an import. */
const MAX_IMPORT_BYTES = 2 * 1024 * 1024;

/** Adds the operations on the catalog of event types. */
export function addEventTypeRoutes(api: Api, deps: EventTypeRouteDeps): void {
  addImport(api, deps);
  // Before the one type: its path would fit.
  addDocument(api, deps);
  addList(api, deps);
  addPut(api, deps);
  addGet(api, deps);
  addArchive(api, deps);
}

function addPut(api: Api, deps: EventTypeRouteDeps): void {
  addOperation(
    api,
    {
      id: 'putEventType',
      method: 'put',
      path: ONE,
      ...WRITES,
      summary: 'Create or change an event type',
      description:
        'Creates the event type of this name, or changes it if it exists: absent fields stay as they are, null removes ' +
        'one. The same call again changes nothing. A changed schema is a new version. The catalog has at most 1,000 ' +
        'types, archived ones too, and 16 MiB of schemas and examples.',
      params: newEventTypeParams,
      body: putEventTypeBody,
      bodyIsOptional: true,
      bodyExample: {
        description: EVENT_TYPE_EXAMPLE.description,
        group: EVENT_TYPE_EXAMPLE.group,
        schema: EVENT_TYPE_EXAMPLE.schema,
        example: EVENT_TYPE_EXAMPLE.example,
      },
      answers: {
        200: { description: 'The changed event type.', schema: eventTypeView, example: EVENT_TYPE_EXAMPLE },
        201: { description: 'The new event type.', schema: eventTypeView, example: EVENT_TYPE_EXAMPLE },
      },
      errors: {
        409: 'The catalog is full.',
        422: 'The name is reserved, the schema cannot be used, or the example does not fit it.',
      },
      errorExamples: {
        409: { error: 'The catalog is full: it has at most 1000 event types.', code: 'event_type_limit' },
        422: { error: '"schema.type" must be a string.', code: 'invalid_schema' },
      },
    },
    async ({ params, body, caller, ctx }) => {
      const { type, isNew } = await putEventType(deps, params.name, body, byOf(caller));
      ctx.status = isNew ? 201 : 200;
      return presentEventType(type);
    },
  );
}

function addList(api: Api, deps: EventTypeRouteDeps): void {
  addOperation(
    api,
    {
      id: 'listEventTypes',
      method: 'get',
      path: PATH,
      ...READS,
      summary: 'List event types',
      description: 'The event types of the installation by name, without their schemas and examples.',
      query: catalogListQuery,
      answers: {
        200: {
          description: 'A page of event types.',
          schema: eventTypeListView,
          example: { event_types: [LISTED_EXAMPLE], next_cursor: null },
        },
      },
    },
    async ({ query: { archived, group, ...query } }) => {
      const { page, nextCursor } = await listEventTypes(deps, { archived: archived === 'true', group }, query);
      return { event_types: page.map(presentListed), next_cursor: nextCursor };
    },
  );
}

function addGet(api: Api, deps: EventTypeRouteDeps): void {
  addOperation(
    api,
    {
      id: 'getEventType',
      method: 'get',
      path: ONE,
      ...READS,
      summary: 'Get an event type',
      description: 'The event type with its schema and its example, as it is or as it was in an earlier version.',
      params: eventTypeParams,
      query: eventTypeQuery,
      answers: { 200: { description: 'The event type.', schema: eventTypeView, example: EVENT_TYPE_EXAMPLE } },
      ...NOT_FOUND,
    },
    async ({ params, query: { version } }) =>
      presentEventType(await getEventType(deps, params.name, version === undefined ? undefined : Number(version))),
  );
}

function addArchive(api: Api, deps: EventTypeRouteDeps): void {
  addOperation(
    api,
    {
      id: 'archiveEventType',
      method: 'delete',
      path: ONE,
      ...WRITES,
      summary: 'Archive an event type',
      description:
        'It is no longer listed, and `strict` refuses its events. A PUT with `archived: false` brings it back.',
      params: eventTypeParams,
      answers: {
        200: {
          description: 'The archived event type.',
          schema: eventTypeView,
          example: { ...EVENT_TYPE_EXAMPLE, archived: true },
        },
      },
      ...NOT_FOUND,
    },
    async ({ params, caller }) => presentEventType(await archiveEventType(deps, params.name, byOf(caller))),
  );
}

function addImport(api: Api, deps: EventTypeRouteDeps): void {
  addOperation(
    api,
    {
      id: 'importEventTypes',
      method: 'post',
      path: `${PATH}/import`,
      ...WRITES,
      summary: 'Import event types from an OpenAPI document',
      description:
        'Creates or changes one event type for each of the `webhooks` of an OpenAPI document (3.1 or 3.2, at most 2 MiB ' +
        'and 1,000 webhooks): description, group (its first tag), schema and example of the body, `deprecated`. What the ' +
        'document does not say stays as it is, and so do other types. Of an envelope, whose `type` is the constant name ' +
        'of the webhook, the schema is that of its `data`. The same document again changes nothing.',
      body: importBody,
      bodyLimits: { maxBytes: MAX_IMPORT_BYTES },
      bodyExample: {
        openapi: {
          openapi: '3.1.0',
          webhooks: {
            'order.created': {
              post: {
                summary: EVENT_TYPE_EXAMPLE.description,
                requestBody: { content: { 'application/json': { schema: EVENT_TYPE_EXAMPLE.schema } } },
              },
            },
          },
        },
        dry_run: true,
      },
      answers: { 200: { description: 'What has changed.', schema: importView, example: IMPORT_EXAMPLE } },
      errors: { 413: 'The body is larger than 2 MiB.' },
    },
    ({ body: { openapi, dry_run: dryRun = false }, caller }) =>
      importEventTypes(deps, { openapi, dryRun }, byOf(caller)),
  );
}

function addDocument(api: Api, deps: EventTypeRouteDeps): void {
  addOperation(
    api,
    {
      id: 'getEventTypesDocument',
      method: 'get',
      path: `${PATH}/openapi.json`,
      ...READS,
      summary: 'Get the event types as an OpenAPI document',
      description:
        'An OpenAPI 3.1 document with one webhook for each event type in use: for generators of receivers, and for your ' +
        'own documentation. An import of it changes nothing.',
      answers: {
        200: {
          description: 'The document.',
          schema: eventTypesDocumentView,
          example: { openapi: '3.1.0', webhooks: {} },
        },
      },
    },
    async () => deps.describeEventTypes(await allEventTypes(deps)),
  );
}

function byOf({ actor, address }: By): By {
  return { actor, address };
}
