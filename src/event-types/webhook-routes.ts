import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { EVENT_TYPE_EXAMPLE, LISTED_EXAMPLE } from './examples';
import { eventTypeParams } from './params';
import { presentEventType, presentListed } from './present';
import { getTypeInUse, listEventTypes, type ReadCatalogDeps } from './read-event-types';
import { eventTypeListQuery, eventTypeListView, eventTypeView } from './schema';
import { EVENT_TYPES_TAG } from './tag';

const PATH = '/api/v1/webhooks/event-types';

/** Adds the operations by which those who send and receive events read the catalog: without archived types. */
export function addWebhookEventTypeRoutes(api: Api, deps: ReadCatalogDeps): void {
  addOperation(
    api,
    {
      id: 'listWebhookEventTypes',
      method: 'get',
      path: PATH,
      scopes: ['events:read'],
      tag: EVENT_TYPES_TAG,
      summary: 'List the event types that you can subscribe to',
      description: 'The event types in use by name, without their schemas and examples.',
      query: eventTypeListQuery,
      answers: {
        200: {
          description: 'A page of event types.',
          schema: eventTypeListView,
          example: { event_types: [LISTED_EXAMPLE], next_cursor: null },
        },
      },
    },
    async ({ query: { group, ...query } }) => {
      const { page, nextCursor } = await listEventTypes(deps, { archived: false, group }, query);
      return { event_types: page.map(presentListed), next_cursor: nextCursor };
    },
  );
  addOperation(
    api,
    {
      id: 'getWebhookEventType',
      method: 'get',
      path: `${PATH}/{name}`,
      scopes: ['events:read'],
      tag: EVENT_TYPES_TAG,
      summary: 'Get an event type that you can subscribe to',
      description: 'The event type with its schema and its example.',
      params: eventTypeParams,
      answers: { 200: { description: 'The event type.', schema: eventTypeView, example: EVENT_TYPE_EXAMPLE } },
      errors: { 404: 'There is no such event type, or it is archived.' },
      errorExamples: {
        404: { error: 'There is no event type order.created in the catalog.', code: 'event_type_not_found' },
      },
    },
    async ({ params }) => presentEventType(await getTypeInUse(deps, params.name)),
  );
}
