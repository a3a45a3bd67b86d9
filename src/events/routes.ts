import type Router from '@koa/router';
import type { DeliveryStore } from '../deliveries/store';
import { InvalidRequestError, NotFoundError } from '../domain/errors';
import { readBody } from '../http/read-body';
import type { RequestState } from '../http/request-state';
import { getEvent } from './get-event';
import { ingestEvent, type IngestDeps } from './ingest-event';
import { presentEvent, presentIngest } from './present';
import { ingestBody } from './schema';

const PATH = '/api/v1/webhooks/events';

export interface EventRouteDeps extends IngestDeps {
  readonly deliveries: DeliveryStore;
  readonly maxAttempts: number;
  /** Runs an ingest, so that the starts of deliveries can step back while many are under way. */
  readonly accepting: <T>(ingest: () => Promise<T>) => Promise<T>;
}

/** Adds the operations on events. */
export function addEventRoutes(router: Router<RequestState>, deps: EventRouteDeps): void {
  router.post(PATH, async (ctx) => {
    const { value, raw } = await readBody(ctx, ingestBody);
    const input = { type: value.type, data: raw('data'), idempotencyKey: value.idempotency_key ?? null };
    const result = await deps.accepting(() => ingestEvent(deps, ctx.state.caller, input));
    ctx.status = result.duplicate ? 200 : 202;
    ctx.set('Location', `${PATH}/${result.id}`);
    ctx.body = presentIngest(result);
  });

  router.get(`${PATH}/:event_id`, async (ctx) => {
    const found = await getEvent(deps, ctx.state.caller.accountId, parseEventId(ctx.params['event_id'] ?? ''));
    ctx.type = 'application/json';
    ctx.body = presentEvent(found, deps.maxAttempts);
  });
}

/**
 * @throws InvalidRequestError unless it is an integer
 * @throws NotFoundError for an integer that no event can have
 */
function parseEventId(text: string): number {
  if (!/^-?\d+$/.test(text)) {
    const detail = { path: 'event_id', message: 'must be an integer' };
    throw new InvalidRequestError('"event_id" must be an integer.', 'invalid_request', [detail]);
  }
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw new NotFoundError('There is no event with this id.', 'event_not_found');
  return id;
}
