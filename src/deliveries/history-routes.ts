import { addOperation, type Api } from '../http/operation';
import { validate } from '../http/read-body';
import { DELIVERY_NOT_FOUND, DELIVERY_WITH_ATTEMPTS_EXAMPLE } from './examples';
import { listDeliveryAttempts, type FindDeliveriesDeps } from './find-deliveries';
import { deliveryAttemptListQuery, deliveryAttemptListView } from './history-schema';
import { presentWithRequest } from './present';
import { deliveryParams } from './schema';

/** Adds the list of all attempts of one delivery. */
export function addDeliveryAttemptRoutes(api: Api, deps: Pick<FindDeliveriesDeps, 'events' | 'histories'>): void {
  addOperation(
    api,
    {
      id: 'listDeliveryAttempts',
      method: 'get',
      path: '/api/v1/webhooks/deliveries/{delivery_id}/attempts',
      scopes: ['events:read'],
      tag: 'Deliveries',
      summary: 'List the attempts of a delivery',
      description:
        'Every attempt with an outcome, of all runs, newest first by its start. The delivery itself shows the newest 100.',
      params: deliveryParams.shape,
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
    async (ctx) => {
      const { delivery_id: id = '' } = ctx.params;
      const query = validate(deliveryAttemptListQuery, { ...ctx.query }, 'query');
      const { accountId } = ctx.state.caller;
      const { event, page, nextCursor } = await listDeliveryAttempts(deps, { accountId, id }, query);
      ctx.body = { attempts: page.map((attempt) => presentWithRequest(event, attempt)), next_cursor: nextCursor };
    },
  );
}
