import { ENDPOINT_EXAMPLE, ENDPOINT_NOT_FOUND } from '../endpoints/examples';
import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { countWaiting, type CountWaitingDeps } from './count-waiting';
import { attemptListQuery, attemptListView, waitingView } from './endpoint-schema';
import { ATTEMPT_OF_ENDPOINT_EXAMPLE } from './examples';
import { listAttempts, type ListAttemptsDeps } from './list-attempts';
import { presentAttemptOfEndpoint, presentWaiting } from './present';
import { endpointParams } from '../endpoints/params';
import { DELIVERIES_TAG } from './tag';

const PATH = '/api/v1/webhooks/endpoints/{endpoint_id}';

export type EndpointDeliveryRouteDeps = ListAttemptsDeps & CountWaitingDeps;

/** Adds the operations on the deliveries of one endpoint: its attempts, and what waits for it. */
export function addEndpointDeliveryRoutes(api: Api, deps: EndpointDeliveryRouteDeps): void {
  addAttempts(api, deps);
  addWaiting(api, deps);
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

const WAITING_EXAMPLE = {
  endpoint_id: ENDPOINT_EXAMPLE.id,
  complete: true,
  held: [{ reason: 'at_rate', deliveries: 42, since: '2026-11-21T12:01:58.204Z' }],
  scheduled: 3,
  next_attempt_at: '2026-11-21T12:07:03.077Z',
  due: 1,
  behind_event_id: null,
};
