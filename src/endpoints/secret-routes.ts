import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import type { EndpointDeps } from './create-endpoint';
import { ENDPOINT_NOT_FOUND, SECRET_EXAMPLE } from './examples';
import { presentSecrets } from './present';
import { activateSecret, revealSecret, rotateSecret } from './rotate-secret';
import { revealedView, secretView } from './schema';
import { endpointParams } from './params';
import { ENDPOINTS_TAG } from './tag';

const PATH = '/api/v1/webhooks/endpoints/{endpoint_id}/secret';

const SETTLED_EXAMPLE = { secret: SECRET_EXAMPLE, next_secret: null, next_secret_activates_at: null };
const ROTATING_EXAMPLE = {
  secret: SECRET_EXAMPLE,
  next_secret: `whsec_${btoa('this-is-another-example-ok')}`,
  next_secret_activates_at: '2026-11-22T12:00:00.000Z',
};

/** Adds the operations on signing secrets. */
export function addSecretRoutes(api: Api, deps: EndpointDeps): void {
  addReveal(api, deps);
  addOperation(
    api,
    {
      id: 'rotateSecret',
      method: 'post',
      path: `${PATH}/rotate`,
      scopes: ['endpoints:write', 'secrets:read'],
      tag: ENDPOINTS_TAG,
      summary: 'Start a rotation of the signing secret',
      description:
        'Creates the next secret. From the next attempt on, `X-Webhook-Signature` uses the current secret, ' +
        '`X-Webhook-Signature-Next` the next one, and `webhook-signature` has both, until the next one is activated: ' +
        'by a call, or automatically after 24 hours.',
      params: endpointParams,
      recordsItself: true,
      answers: { 200: { description: 'Both secrets.', schema: secretView, example: ROTATING_EXAMPLE } },
      errors: { ...ENDPOINT_NOT_FOUND.errors, 409: 'A rotation is under way.' },
      errorExamples: {
        ...ENDPOINT_NOT_FOUND.errorExamples,
        409: {
          error: 'A rotation is under way. Activate its secret first, or wait until it is activated automatically.',
          code: 'rotation_under_way',
        },
      },
    },
    async ({ params, caller }) => presentSecrets(await rotateSecret(deps, { ...caller, id: params.endpoint_id })),
  );

  addOperation(
    api,
    {
      id: 'activateSecret',
      method: 'post',
      path: `${PATH}/activate`,
      scopes: ['endpoints:write', 'secrets:read'],
      tag: ENDPOINTS_TAG,
      summary: 'Activate the next signing secret',
      description: 'Completes a rotation: from the next attempt on, the next secret is the only one.',
      params: endpointParams,
      recordsItself: true,
      answers: { 200: { description: 'The secret.', schema: secretView, example: SETTLED_EXAMPLE } },
      errors: { ...ENDPOINT_NOT_FOUND.errors, 409: 'No rotation is under way.' },
      errorExamples: {
        ...ENDPOINT_NOT_FOUND.errorExamples,
        409: {
          error: 'There is no next secret to activate. Start a rotation with POST …/secret/rotate.',
          code: 'no_rotation',
        },
      },
    },
    async ({ params, caller }) => presentSecrets(await activateSecret(deps, { ...caller, id: params.endpoint_id })),
  );
}

function addReveal(api: Api, deps: EndpointDeps): void {
  addOperation(
    api,
    {
      id: 'getSecret',
      method: 'get',
      path: PATH,
      scopes: ['secrets:read'],
      tag: ENDPOINTS_TAG,
      summary: "Get an endpoint's secrets",
      description: 'The signing secret, and the values of the static headers. Each call is recorded in the audit log.',
      params: endpointParams,
      audit: 'secret.revealed',
      answers: {
        200: {
          description: 'The secrets.',
          schema: revealedView,
          example: { ...SETTLED_EXAMPLE, headers: { 'X-Tenant': 'blue' } },
        },
      },
      ...ENDPOINT_NOT_FOUND,
    },
    async ({ params, caller }) => {
      const { headers, ...secrets } = await revealSecret(deps, { ...caller, id: params.endpoint_id });
      return { ...presentSecrets(secrets), headers };
    },
  );
}
