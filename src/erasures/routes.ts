import { eventParams } from '../events/params';
import { getEvent, type FindEventsDeps } from '../events/find-events';
import { presentEvent } from '../events/present';
import { eventView } from '../events/schema';
import { refuseIdempotencyHeader } from '../http/idempotency-key';
import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { eraseEvent, type EraseEventDeps } from './erase-event';
import { createErasure, getErasure, listErasures, type ErasureDeps } from './erasure-jobs';
import { COMPLETED, CREATED, ERASED_EVENT, LIMIT_REACHED, NOT_FOUND, UNKNOWN_FIELD } from './examples';
import { erasureParams } from './params';
import { presentErasure } from './present';
import { createErasureBody, erasureListQuery, erasureListView, erasureView } from './schema';
import { ERASURES_PATH, ERASURES_TAG } from './tag';

export type ErasureRouteDeps = ErasureDeps & EraseEventDeps & FindEventsDeps & { readonly maxAttempts: number };

/** Adds the operations that erase data. */
export function addErasureRoutes(api: Api, deps: ErasureRouteDeps): void {
  addEraseEvent(api, deps);
  addCreate(api, deps);
  addList(api, deps);
  addGet(api, deps);
}

function addEraseEvent(api: Api, deps: ErasureRouteDeps): void {
  addOperation(
    api,
    {
      id: 'eraseEvent',
      method: 'delete',
      path: '/api/v1/webhooks/events/{event_id}/data',
      scopes: ['data:erase'],
      tag: ERASURES_TAG,
      summary: 'Erase the data of an event',
      description:
        'Erases `data`, its search values and what the receivers answered; nothing brings them back. Deliveries that are not finished are ' +
        'cancelled first; a request that is under way is not called back. Ids, states and attempts stay. The event is ' +
        'never sent again: replays get 409 `data_erased`. A second call changes nothing.',
      params: eventParams,
      audit: 'event.data_erased',
      answers: { 200: { description: 'The event without its data.', schema: eventView, example: ERASED_EVENT } },
      errors: {
        400: 'The event id is not an integer.',
        404: 'The event does not exist, or it belongs to another account.',
      },
    },
    async ({ params: { event_id: eventId }, caller: { accountId }, ctx }) => {
      await eraseEvent(deps, accountId, eventId);
      const found = await getEvent(deps, accountId, eventId);
      ctx.type = 'application/json';
      return presentEvent(found, deps.maxAttempts);
    },
  );
}

function addCreate(api: Api, deps: ErasureRouteDeps): void {
  addOperation(
    api,
    {
      id: 'createErasure',
      method: 'post',
      path: ERASURES_PATH,
      scopes: ['data:erase'],
      tag: ERASURES_TAG,
      summary: 'Erase the data of all events with a search value',
      description:
        'Erases every event whose `data` has a value in a search field of the account, as a durable job: each as `DELETE ' +
        '/events/{event_id}/data` does. It ends when no event that was accepted before it has the value any more. Events ' +
        'that were accepted before the field became a search field are not found. The value is not kept.',
      body: createErasureBody,
      bodyExample: { data: 'customer_id:cus_123' },
      guard: (ctx) => refuseIdempotencyHeader(ctx, 'is for events: a second erasure of the same value changes nothing'),
      audit: 'erasure.created',
      answers: {
        202: {
          description: 'The erasure, which is running.',
          schema: erasureView,
          example: CREATED,
          headers: { Location: 'Path of the erasure.' },
        },
      },
      errors: {
        409: 'The account has the maximum number of running erasures (10).',
        422: 'The field is not a search field of the account.',
      },
      errorExamples: { 409: LIMIT_REACHED, 422: UNKNOWN_FIELD },
    },
    async ({ body, caller, ctx }) => {
      const job = await createErasure(deps, caller, body.data);
      ctx.set('Location', `${ERASURES_PATH}/${job._id}`);
      return presentErasure(job);
    },
  );
}

function addList(api: Api, deps: ErasureDeps): void {
  addOperation(
    api,
    {
      id: 'listErasures',
      method: 'get',
      path: ERASURES_PATH,
      scopes: ['events:read'],
      tag: ERASURES_TAG,
      summary: 'List erasures',
      description: 'The newest first.',
      query: erasureListQuery,
      answers: {
        200: {
          description: 'A page of erasures.',
          schema: erasureListView,
          example: { erasures: [COMPLETED], next_cursor: null },
        },
      },
    },
    async ({ query, caller }) => {
      const { page, nextCursor } = await listErasures(deps, caller.accountId, query);
      return { erasures: page.map(presentErasure), next_cursor: nextCursor };
    },
  );
}

function addGet(api: Api, deps: ErasureDeps): void {
  addOperation(
    api,
    {
      id: 'getErasure',
      method: 'get',
      path: `${ERASURES_PATH}/{erasure_id}`,
      scopes: ['events:read'],
      tag: ERASURES_TAG,
      summary: 'Get an erasure and its progress',
      description: 'It has ended if `state` is `completed`.',
      params: erasureParams,
      answers: { 200: { description: 'The erasure.', schema: erasureView, example: COMPLETED } },
      errors: { 404: 'The erasure does not exist, or it belongs to another account.' },
      errorExamples: { 404: NOT_FOUND },
    },
    async ({ params: { erasure_id: id }, caller }) => presentErasure(await getErasure(deps, caller.accountId, id)),
  );
}
