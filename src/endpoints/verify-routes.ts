import { addOperation, type Api } from '../http/operation';
import type { EndpointDeps } from './create-endpoint';
import { ENDPOINT_EXAMPLE, ENDPOINT_NOT_FOUND } from './examples';
import { presentEndpoint } from './present';
import { endpointParams, endpointView } from './schema';
import { verifyEndpoint } from './verify-endpoint';

const VERIFICATION_EXAMPLE = {
  host: 'example.com',
  state: 'verified',
  asked_at: '2026-11-21T12:00:00.000Z',
  error: null,
};

/** Adds the operation that asks an endpoint's host once more whether it wants deliveries. */
export function addVerifyRoute(
  api: Api,
  deps: Pick<EndpointDeps, 'endpoints' | 'accounts' | 'secretBox' | 'verifier'>,
): void {
  addOperation(
    api,
    {
      id: 'verifyEndpoint',
      method: 'post',
      path: '/api/v1/webhooks/endpoints/{endpoint_id}/verify',
      tag: 'Endpoints',
      summary: 'Ask an endpoint for its verification',
      description:
        'Sends a challenge to an unverified endpoint, and waits for the answer: `verification` says what came of it. ' +
        'The challenge counts in the budget of deliveries. Nothing is sent to an endpoint that is verified, or need not be.',
      params: endpointParams.shape,
      audit: 'endpoint.challenged',
      scopes: ['endpoints:write'],
      answers: {
        200: {
          description: 'The endpoint.',
          schema: endpointView,
          example: { ...ENDPOINT_EXAMPLE, verification: VERIFICATION_EXAMPLE },
        },
      },
      ...ENDPOINT_NOT_FOUND,
    },
    async (ctx) => {
      const { endpoint_id: id = '' } = ctx.params;
      const { accountId } = ctx.state.caller;
      ctx.body = presentEndpoint(deps.secretBox, await verifyEndpoint(deps, { accountId, id }));
    },
  );
}
