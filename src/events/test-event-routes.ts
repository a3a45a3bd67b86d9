import { ENDPOINT_NOT_FOUND } from '../endpoints/examples';
import { sendTestEvent, type TestEventDeps } from './send-test-event';
import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { readOptionalBody } from '../http/read-body';
import { presentIngest } from './present';
import { readSent, type ReadSentDeps } from './read-sent';
import { ingestView, RESERVED_TYPE_EXAMPLE, testEventBody } from './schema';
import { endpointParams } from '../endpoints/params';
import { ENDPOINTS_TAG } from '../endpoints/tag';

export type TestEventRouteDeps = TestEventDeps & ReadSentDeps;

/** Adds the operation that sends a test event to an endpoint. */
export function addTestEventRoute(api: Api, deps: TestEventRouteDeps): void {
  addOperation(
    api,
    {
      id: 'testEndpoint',
      method: 'post',
      path: '/api/v1/webhooks/endpoints/{endpoint_id}/test',
      scopes: ['events:write'],
      tag: ENDPOINTS_TAG,
      summary: 'Send a test event',
      description:
        'Sends an event only to this endpoint, whatever its patterns and filter: of the type `endpoint.test` with ' +
        'a message, unless the body has another type or data; a type of the catalog without data has its example. It is stored, signed, and held while the endpoint is paused, ' +
        'like any other. It makes one attempt, which does not count for the health of the endpoint: a failed one ' +
        'disables nothing and announces nothing.',
      params: endpointParams,
      body: testEventBody,
      bodyIsOptional: true,
      readsBody: true,
      bodyExample: { type: 'order.created', data: { order_id: 'ord_42', total: 19.99 } },
      audit: 'endpoint.tested',
      answers: {
        202: {
          description: 'Accepted.',
          schema: ingestView,
          example: TEST_EXAMPLE,
          headers: { Location: 'Path of the event.' },
        },
      },
      errors: {
        ...ENDPOINT_NOT_FOUND.errors,
        422: "The type is reserved for Everpost's own events.",
      },
      errorExamples: { ...ENDPOINT_NOT_FOUND.errorExamples, 422: RESERVED_TYPE_EXAMPLE },
    },
    async ({ params, ctx }) => {
      const from = { isHere: ctx.req.complete, caller: ctx.state.caller };
      const { sent, caller } = await readSent(deps, from, () => readOptionalBody(ctx, testEventBody));
      const data = sent.value.data && sent.raw('data');
      const result = await sendTestEvent(deps, caller, { id: params.endpoint_id, type: sent.value.type, data });
      ctx.set('Location', `/api/v1/webhooks/events/${result.id}`);
      return presentIngest(result);
    },
  );
}

const TEST_EXAMPLE = {
  id: 1_001,
  type: 'endpoint.test',
  timestamp: 1_795_262_400,
  duplicate: false,
  deliveries: 1,
};
