import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { DELIVERY_NOT_FOUND, DELIVERY_WITH_ATTEMPTS_EXAMPLE } from './examples';
import { listDeliveryAttempts, type FindDeliveriesDeps } from './find-deliveries';
import { deliveryAttemptListQuery, deliveryAttemptListView } from './history-schema';
import { presentWithRequests } from './present';
import { deliveryParams } from './params';
import { DELIVERIES_TAG } from './tag';

/** Adds the list of all attempts of one delivery. */
export function addDeliveryAttemptRoutes(api: Api, deps: Pick<FindDeliveriesDeps, 'events' | 'histories'>): void {
  addOperation(
    api,
    {
      id: 'listDeliveryAttempts',
      method: 'get',
      path: '/api/v1/webhooks/deliveries/{delivery_id}/attempts',
      scopes: ['events:read'],
      tag: DELIVERIES_TAG,
      summary: 'List the attempts of a delivery',
      description:
        'Every attempt with an outcome, of all runs, newest first by its start. The delivery itself shows the newest 100.',
      params: deliveryParams,
      query: deliveryAttemptListQuery,
      answers: {
        200: {
          description: 'A page of attempts.',
          schema: deliveryAttemptListView,
          example: { attempts: DELIVERY_WITH_ATTEMPTS_EXAMPLE.attempts, next_cursor: null },
        },
      },
      errors: { 404: 'The delivery does not exist, or it belongs to another account.' },
      errorExamples: { 404: DELIVERY_NOT_FOUND },
    },
    async ({ query, params: { delivery_id: id }, caller }) => {
      const { accountId } = caller;
      const { page, nextCursor, ...delivery } = await listDeliveryAttempts(deps, { accountId, id }, query);
      return { attempts: presentWithRequests(delivery, page), next_cursor: nextCursor };
    },
  );
}
