import type { RetrySchedule } from '../domain/retry-schedule';
import { addOperation } from '../http/operation';
import type { Api, WrittenOperation } from '../http/route';
import { cancelDelivery, type CancelDeliveryDeps } from './cancel-delivery';
import {
  DELIVERY_EXAMPLE,
  DELIVERY_NOT_FOUND,
  DELIVERY_WITH_ATTEMPTS_EXAMPLE,
  REPLAYED_EXAMPLE,
  RETRYING_EXAMPLE,
} from './examples';
import { getDelivery, listDeliveries, type FindDeliveriesDeps } from './find-deliveries';
import { presentDelivery, presentDeliveryWithAttempts } from './present';
import { replayDelivery, type ReplayDeliveryDeps } from './replay-delivery';
import { retryDelivery, type RetryDeliveryDeps } from './retry-delivery';
import { deliveryListQuery, deliveryListView, deliveryView, deliveryWithAttemptsView } from './schema';
import { deliveryParams } from './params';
import { DELIVERIES_TAG } from './tag';

const PATH = '/api/v1/webhooks/deliveries';

export type DeliveryRouteDeps = FindDeliveriesDeps &
  RetryDeliveryDeps &
  CancelDeliveryDeps &
  ReplayDeliveryDeps & {
    /** The installation's, for deliveries without their own. */
    readonly schedule: RetrySchedule;
  };

const NOT_FOUND = { 404: 'The delivery does not exist, or it belongs to another account.' };

/** Adds the operations on deliveries. */
export function addDeliveryRoutes(api: Api, deps: DeliveryRouteDeps): void {
  addList(api, deps);
  addGet(api, deps);
  addRetry(api, deps);
  addCancel(api, deps);
  addReplay(api, deps);
}

function addList(api: Api, deps: DeliveryRouteDeps): void {
  addOperation(
    api,
    {
      id: 'listDeliveries',
      method: 'get',
      path: PATH,
      scopes: ['events:read'],
      tag: DELIVERIES_TAG,
      summary: 'List deliveries',
      description:
        'Newest first, by the time at which their events were accepted. Filters can be combined. If few deliveries match, a ' +
        'page may be shorter than `limit`: continue while `next_cursor` is not null.',
      query: deliveryListQuery,
      answers: {
        200: {
          description: 'A page of deliveries.',
          schema: deliveryListView,
          example: { deliveries: [DELIVERY_EXAMPLE], next_cursor: null },
        },
      },
    },
    async ({ query, caller }) => {
      const { endpoint_id: endpointId, event_id: eventId, replay_id: replayJob, ...rest } = query;
      const { accountId } = caller;
      const { page, nextCursor } = await listDeliveries(deps, { ...rest, accountId, endpointId, eventId, replayJob });
      return { deliveries: page.map((it) => presentDelivery(it, deps.schedule.length)), next_cursor: nextCursor };
    },
  );
}

function addGet(api: Api, deps: DeliveryRouteDeps): void {
  addOperation(
    api,
    {
      id: 'getDelivery',
      method: 'get',
      path: `${PATH}/{delivery_id}`,
      scopes: ['events:read'],
      tag: DELIVERIES_TAG,
      summary: 'Get a delivery and its attempts',
      description:
        'The delivery with its newest 100 attempts. A replay is a new run with its own attempts. `attempts_cursor` continues in ' +
        '`GET /deliveries/{delivery_id}/attempts`.',
      params: deliveryParams,
      answers: {
        200: {
          description: 'The delivery.',
          schema: deliveryWithAttemptsView,
          example: DELIVERY_WITH_ATTEMPTS_EXAMPLE,
        },
      },
      errors: NOT_FOUND,
      errorExamples: { 404: DELIVERY_NOT_FOUND },
    },
    async ({ params: { delivery_id: id }, caller }) => {
      const found = await getDelivery(deps, caller.accountId, id);
      return presentDeliveryWithAttempts(found, deps.schedule);
    },
  );
}

/** The common parts of retry, cancel and replay. */
function operationOn(name: string, example: object, conflict: string) {
  return {
    method: 'post',
    path: `${PATH}/{delivery_id}/${name}`,
    scopes: ['deliveries:write'],
    tag: DELIVERIES_TAG,
    params: deliveryParams,
    answers: { 202: { description: 'The current state of the delivery.', schema: deliveryView, example } },
    errors: { ...NOT_FOUND, 409: conflict },
  } satisfies Partial<WrittenOperation>;
}

function addRetry(api: Api, deps: DeliveryRouteDeps): void {
  addOperation(
    api,
    {
      ...operationOn(
        'retry',
        RETRYING_EXAMPLE,
        'The delivery is finished, an attempt is under way, its endpoint is paused, or the data of its event was erased.',
      ),
      id: 'retryDelivery',
      summary: 'Retry a delivery now',
      description:
        'Makes the next attempt now. It adds no attempt, and the schedule continues ' +
        'from there. With 503 (`temporal_unavailable`) nothing was changed.',
      audit: 'delivery.retried',
      errorExamples: {
        404: DELIVERY_NOT_FOUND,
        409: {
          error: 'Attempt 4 of this delivery is being made right now; wait for its answer.',
          code: 'attempt_under_way',
        },
      },
    },
    async ({ params: { delivery_id: id }, caller }) => {
      return presentDelivery(await retryDelivery(deps, caller, id), deps.schedule.length);
    },
  );
}

function addCancel(api: Api, deps: DeliveryRouteDeps): void {
  const cancelled = { ...DELIVERY_EXAMPLE, state: 'cancelled' };
  addOperation(
    api,
    {
      ...operationOn('cancel', cancelled, 'It is finished.'),
      id: 'cancelDelivery',
      summary: 'Cancel a delivery',
      description:
        'Makes no further attempt. A request under way may still get an answer: a 2xx makes the delivery `delivered`.',
      audit: 'delivery.cancelled',
      errorExamples: {
        404: DELIVERY_NOT_FOUND,
        409: { error: 'This delivery is delivered already.', code: 'delivery_finished' },
      },
    },
    async ({ params: { delivery_id: id }, caller }) => {
      return presentDelivery(await cancelDelivery(deps, caller.accountId, id), deps.schedule.length);
    },
  );
}

function addReplay(api: Api, deps: DeliveryRouteDeps): void {
  addOperation(
    api,
    {
      ...operationOn(
        'replay',
        REPLAYED_EXAMPLE,
        'The delivery is not finished, has had 100 runs, its endpoint was removed, or the data of its event was erased.',
      ),
      id: 'replayDelivery',
      summary: 'Send a finished delivery again',
      description:
        'Starts a new run of a delivered, failed or cancelled delivery, with a full schedule. Of two concurrent calls, ' +
        'one starts it. A paused endpoint gets it after the resume. A delivery has at most 100 runs.',
      audit: 'delivery.replayed',
      errorExamples: {
        404: DELIVERY_NOT_FOUND,
        409: {
          error: 'This delivery is not finished; retry makes its next attempt now.',
          code: 'delivery_not_finished',
        },
      },
    },
    async ({ params: { delivery_id: id }, caller }) => {
      return presentDelivery(await replayDelivery(deps, caller, id), deps.schedule.length);
    },
  );
}
