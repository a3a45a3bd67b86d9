import { ATTEMPT_EXAMPLE, DELIVERY_STATE_EXAMPLE } from '../deliveries/examples';
import { idempotencyKeyOf } from '../http/idempotency-key';
import { waitingCallOf } from '../http/waiting-call';
import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { readBody } from '../http/read-body';
import { getEvent, listEvents, requireSearchField, type FindEventsDeps } from './find-events';
import { ingestEvent, type IngestDeps, type IngestResult } from './ingest-event';
import type { IngestAdmission } from './ingest-admission';
import { inputOf } from './new-event';
import { presentEvent, presentIngest, presentListedEvent } from './present';
import { readSent, type ReadSentDeps } from './read-sent';
import {
  eventListQuery,
  eventListView,
  eventView,
  ingestBody,
  ingestHeaders,
  ingestView,
  RESERVED_TYPE_EXAMPLE,
} from './schema';
import { eventParams } from './params';
import { EVENTS_TAG } from './tag';

const PATH = '/api/v1/webhooks/events';

export type EventRouteDeps = IngestDeps &
  FindEventsDeps &
  ReadSentDeps & {
    readonly maxAttempts: number;
    readonly admission: IngestAdmission;
    /** Called with each ingest that got an answer. */
    readonly onIngest: (result: IngestResult, accountId: string) => void;
  };

const INGEST_EXAMPLE = { id: 1_001, type: 'order.created', timestamp: 1_795_262_400, duplicate: false, deliveries: 1 };
const EVENT_EXAMPLE = {
  id: 1_001,
  type: 'order.created',
  data: { order_id: 'ord_42', total: 19.99 },
  timestamp: 1_795_262_400,
  idempotency_key: 'ord_42_created',
  status: 'delivered',
  attempts_total: 1,
  deliveries: [{ ...DELIVERY_STATE_EXAMPLE, url: 'https://example.com/webhooks', attempts: [ATTEMPT_EXAMPLE] }],
};
const {
  data: _data,
  attempts_total: _total,
  ...LISTED_EVENT_EXAMPLE
} = { ...EVENT_EXAMPLE, deliveries: [DELIVERY_STATE_EXAMPLE] };

/** Adds the operations on events. */
export function addEventRoutes(api: Api, deps: EventRouteDeps): void {
  addList(api, deps);
  addIngest(api, deps);
  addGet(api, deps);
}

/** Adds the ingest of an event. */
function addIngest(api: Api, deps: EventRouteDeps): void {
  addOperation(
    api,
    {
      id: 'ingestEvent',
      keyOnly: true,
      method: 'post',
      path: PATH,
      scopes: ['events:write'],
      tag: EVENTS_TAG,
      summary: 'Ingest an event',
      description:
        'Accepts an event for delivery to every endpoint whose patterns match its type. 202 means stored: the event is ' +
        'journaled by a majority of the database. A repeat with the same `idempotency_key`, in the body or in the ' +
        '`Idempotency-Key` header, within 24 hours gets 200 with the original event and delivers nothing again.',
      headers: ingestHeaders,
      body: ingestBody,
      readsBody: true,
      bodyExample: {
        type: 'order.created',
        data: { order_id: 'ord_42', total: 19.99 },
        idempotency_key: 'ord_42_created',
      },
      answers: {
        200: {
          description: 'A repeat: the original event.',
          schema: ingestView,
          example: { ...INGEST_EXAMPLE, duplicate: true },
          headers: { Location: 'Path of the event.' },
        },
        202: {
          description: 'Accepted.',
          schema: ingestView,
          example: INGEST_EXAMPLE,
          headers: { Location: 'Path of the event.' },
        },
      },
      errors: {
        422:
          'The type is reserved, the installation keeps no event for as long as `retention_days`, the filters of the endpoints would take too long for this data, or the account is ' +
          '`strict` and the event does not match the catalog of event types.',
      },
      errorExamples: { 422: RESERVED_TYPE_EXAMPLE },
    },
    async ({ ctx }) => {
      const waitedMs = ctx.state.ageMs();
      const from = { isHere: ctx.req.complete, caller: ctx.state.caller };
      const { sent, caller } = await readSent(deps, from, () => readBody(ctx, ingestBody));
      const input = inputOf(deps, sent, idempotencyKeyOf(ctx, ingestHeaders, sent.value.idempotency_key));
      const result = await deps.admission.run(
        waitingCallOf(ctx, { bytes: input.data.byteLength, waitedMs }),
        (signal) => ingestEvent(deps, caller, input, signal),
      );
      ctx.state.span?.setAttribute('everpost.event_id', result.id);
      ctx.state.identify({ event_id: String(result.id) });
      deps.onIngest(result, caller.accountId);
      ctx.status = result.duplicate ? 200 : 202;
      ctx.set('Location', `${PATH}/${result.id}`);
      return presentIngest(result);
    },
  );
}

/** Adds the operation that reads one event. */
function addGet(api: Api, deps: EventRouteDeps): void {
  addOperation(
    api,
    {
      id: 'getEvent',
      method: 'get',
      path: `${PATH}/{event_id}`,
      scopes: ['events:read'],
      tag: EVENTS_TAG,
      summary: 'Get an event and its deliveries',
      description:
        'The event with its `data` as sent, its status, and its newest 100 attempts to all destinations. ' +
        '`GET /deliveries/{delivery_id}/attempts` lists all attempts to one of them.',
      params: eventParams,
      answers: { 200: { description: 'The event.', schema: eventView, example: EVENT_EXAMPLE } },
      errors: {
        400: 'The event id is not an integer.',
        404: 'The event does not exist, or it belongs to another account.',
      },
    },
    async ({ params, caller, ctx }) => {
      const found = await getEvent(deps, caller.accountId, params.event_id);
      ctx.type = 'application/json';
      return presentEvent(found, deps.maxAttempts);
    },
  );
}

/** Adds the list of events. */
function addList(api: Api, deps: EventRouteDeps): void {
  addOperation(
    api,
    {
      id: 'listEvents',
      method: 'get',
      path: PATH,
      scopes: ['events:read'],
      tag: EVENTS_TAG,
      summary: 'List events',
      description:
        'Newest first, without their data. Filters can be combined. If few events match, a page may be ' +
        'shorter than `limit`: continue while `next_cursor` is not null.',
      query: eventListQuery,
      answers: {
        200: {
          description: 'A page of events.',
          schema: eventListView,
          example: { events: [LISTED_EVENT_EXAMPLE], next_cursor: null },
        },
      },
    },
    async ({ query, caller }) => {
      const { idempotency_key: idempotencyKey, data, ...rest } = query;
      const { accountId, searchFields } = caller;
      if (data !== undefined) requireSearchField(searchFields, data);
      const { page, nextCursor } = await listEvents(deps, { ...rest, accountId, idempotencyKey, search: data });
      return { events: page.map((it) => presentListedEvent(it, deps.maxAttempts)), next_cursor: nextCursor };
    },
  );
}
