import { z } from 'zod';
import { InvalidRequestError, NotFoundError } from '../domain/errors';
import { addOperation, EXAMPLE_ID, type Api } from '../http/operation';
import { readBody } from '../http/read-body';
import { getEvent, type GetEventDeps } from './get-event';
import { ingestEvent, type IngestDeps, type IngestResult } from './ingest-event';
import { presentEvent, presentIngest } from './present';
import { eventView, ingestBody, ingestView } from './schema';

const PATH = '/api/v1/webhooks/events';

export interface EventRouteDeps extends IngestDeps, GetEventDeps {
  readonly maxAttempts: number;
  /** Runs an ingest, so that the starts of deliveries can step back while many are under way. */
  readonly accepting: <T>(ingest: () => Promise<T>) => Promise<T>;
  /** Told of each ingest that was answered. */
  readonly onIngest: (result: IngestResult) => void;
}

const eventIdParam = z
  .string()
  .regex(/^-?[0-9]+$/)
  .meta({ description: 'The event id: an integer.', example: '1001' });

const INGEST_EXAMPLE = { id: 1_001, type: 'order.created', timestamp: 1_795_262_400, duplicate: false, deliveries: 1 };
const EVENT_EXAMPLE = {
  id: 1_001,
  type: 'order.created',
  data: { order_id: 'ord_42', total: 19.99 },
  timestamp: 1_795_262_400,
  idempotency_key: 'ord_42_created',
  status: 'delivered',
  deliveries: [
    {
      id: `1001.ep_${EXAMPLE_ID}`,
      endpoint_id: `ep_${EXAMPLE_ID}`,
      url: 'https://example.com/webhooks',
      state: 'delivered',
      attempt_count: 1,
      max_attempts: 8,
      next_attempt_at: null,
      completed_at: '2026-11-21T12:00:00.120Z',
      attempts: [
        {
          number: 1,
          trigger: 'scheduled',
          started_at: '2026-11-21T12:00:00.010Z',
          latency_ms: 96,
          status_code: 200,
          error_code: null,
          error: null,
          response_snippet: 'ok',
        },
      ],
    },
  ],
};

/** Adds the operations on events. */
export function addEventRoutes(api: Api, deps: EventRouteDeps): void {
  addOperation(
    api,
    {
      id: 'ingestEvent',
      method: 'post',
      path: PATH,
      tag: 'Events',
      summary: 'Ingest an event',
      description:
        'Accepts an event for delivery to every endpoint whose patterns match its type. 202 is a promise: the event is ' +
        'journaled by a majority of the database. A repeat with the same `idempotency_key` within 24 hours answers 200 ' +
        'with the original event and delivers nothing again.',
      body: ingestBody,
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
    },
    async (ctx) => {
      const { value, raw } = await readBody(ctx, ingestBody);
      const input = { type: value.type, data: raw('data'), idempotencyKey: value.idempotency_key ?? null };
      const result = await deps.accepting(() => ingestEvent(deps, ctx.state.caller, input));
      deps.onIngest(result);
      ctx.status = result.duplicate ? 200 : 202;
      ctx.set('Location', `${PATH}/${result.id}`);
      ctx.body = presentIngest(result);
    },
  );

  addOperation(
    api,
    {
      id: 'getEvent',
      method: 'get',
      path: `${PATH}/{event_id}`,
      tag: 'Events',
      summary: 'Get an event and its deliveries',
      description: 'The event with its `data` as it was sent, its status, and every attempt to every destination.',
      params: { event_id: eventIdParam },
      answers: { 200: { description: 'The event.', schema: eventView, example: EVENT_EXAMPLE } },
      errors: { 400: 'The event id is not an integer.', 404: 'There is no such event, or it is not yours.' },
    },
    async (ctx) => {
      const found = await getEvent(deps, ctx.state.caller.accountId, parseEventId(ctx.params['event_id'] ?? ''));
      ctx.type = 'application/json';
      ctx.body = presentEvent(found, deps.maxAttempts);
    },
  );
}

/**
 * @throws InvalidRequestError unless it is an integer
 * @throws NotFoundError for an integer that no event can have
 */
function parseEventId(text: string): number {
  if (!/^-?[0-9]+$/.test(text)) {
    const detail = { path: 'event_id', message: 'must be an integer' };
    throw new InvalidRequestError('"event_id" must be an integer.', 'invalid_request', [detail]);
  }
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw new NotFoundError('There is no event with this id.', 'event_not_found');
  return id;
}
