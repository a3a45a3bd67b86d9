import { ENDPOINT_EXAMPLE, ENDPOINT_NOT_FOUND } from '../endpoints/examples';
import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { cancelDeliveriesOf, type CancelDeliveriesDeps } from './cancel-deliveries';
import { countWaiting, type CountWaitingDeps } from './count-waiting';
import { attemptListQuery, attemptListView, cancelledView, waitingView } from './endpoint-schema';
import { ATTEMPT_OF_ENDPOINT_EXAMPLE } from './examples';
import { listAttempts, type ListAttemptsDeps } from './list-attempts';
import { presentAttemptOfEndpoint, presentWaiting } from './present';
import { endpointParams } from '../endpoints/params';
import { DELIVERIES_TAG } from './tag';

const PATH = '/api/v1/webhooks/endpoints/{endpoint_id}';

export type EndpointDeliveryRouteDeps = ListAttemptsDeps & CountWaitingDeps & CancelDeliveriesDeps;

/** Adds the operations on the deliveries of one endpoint: its attempts, what waits for it, and the end of all that. */
export function addEndpointDeliveryRoutes(api: Api, deps: EndpointDeliveryRouteDeps): void {
  addAttempts(api, deps);
  addWaiting(api, deps);
  addCancelAll(api, deps);
}

function addAttempts(api: Api, deps: ListAttemptsDeps): void {
  addOperation(
    api,
    {
      id: 'listEndpointAttempts',
      method: 'get',
      path: `${PATH}/attempts`,
      scopes: ['events:read'],
      tag: DELIVERIES_TAG,
      summary: 'List the attempts to an endpoint',
      description:
        'Attempts with an outcome, of all deliveries to the endpoint, newest first by their start. Filters can be combined. If ' +
        'few attempts match, a page may be shorter than `limit`: continue while `next_cursor` is not null.',
      params: endpointParams,
      query: attemptListQuery,
      answers: {
        200: {
          description: 'A page of attempts.',
          schema: attemptListView,
          example: { attempts: [ATTEMPT_OF_ENDPOINT_EXAMPLE], next_cursor: null },
        },
      },
      ...ENDPOINT_NOT_FOUND,
    },
    async ({ query, params: { endpoint_id: id }, caller }) => {
      const { error_code: errorCode, status_code: statusCode, ...rest } = query;
      const { accountId } = caller;
      const { page, nextCursor } = await listAttempts(deps, { accountId, id }, { ...rest, errorCode, statusCode });
      return { attempts: page.map(presentAttemptOfEndpoint), next_cursor: nextCursor };
    },
  );
}

function addWaiting(api: Api, deps: CountWaitingDeps): void {
  addOperation(
    api,
    {
      id: 'countWaiting',
      method: 'get',
      path: `${PATH}/waiting`,
      scopes: ['events:read'],
      tag: DELIVERIES_TAG,
      summary: 'Count what waits for an endpoint',
      description:
        'How many unfinished deliveries the endpoint has, and what they wait for. At most 10,000 are counted.',
      params: endpointParams,
      answers: { 200: { description: 'The counts.', schema: waitingView, example: WAITING_EXAMPLE } },
      ...ENDPOINT_NOT_FOUND,
    },
    async ({ params: { endpoint_id: id }, caller }) => {
      return presentWaiting(id, await countWaiting(deps, { accountId: caller.accountId, id }));
    },
  );
}

function addCancelAll(api: Api, deps: CancelDeliveriesDeps): void {
  addOperation(
    api,
    {
      id: 'cancelEndpointDeliveries',
      method: 'post',
      path: `${PATH}/cancel-deliveries`,
      scopes: ['deliveries:write'],
      tag: DELIVERIES_TAG,
      summary: 'Cancel what waits for an endpoint',
      description:
        'Ends the unfinished deliveries to the endpoint: they are `cancelled`, and a replay can send them again. An ' +
        'attempt under way still gets its answer, and a 2xx makes its delivery `delivered`. A call cancels about ' +
        '10,000; repeat it while `complete` is false. Events that arrive later are delivered as usual.',
      params: endpointParams,
      audit: 'endpoint.deliveries_cancelled',
      answers: {
        200: {
          description: 'How many were cancelled.',
          schema: cancelledView,
          example: { endpoint_id: ENDPOINT_EXAMPLE.id, cancelled: 1_741, complete: true },
        },
      },
      ...ENDPOINT_NOT_FOUND,
    },
    async ({ params: { endpoint_id: id }, caller }) => {
      return { endpoint_id: id, ...(await cancelDeliveriesOf(deps, { accountId: caller.accountId, id })) };
    },
  );
}

const WAITING_EXAMPLE = {
  endpoint_id: ENDPOINT_EXAMPLE.id,
  complete: true,
  held: [{ reason: 'at_rate', deliveries: 42, since: '2026-11-21T12:01:58.204Z' }],
  scheduled: 3,
  next_attempt_at: '2026-11-21T12:07:03.077Z',
  due: 1,
  behind_event_id: null,
};
