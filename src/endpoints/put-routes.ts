import { readIfMatch } from '../http/if-match';
import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import type { EndpointDeps } from './create-endpoint';
import { TAGGED, tagOf } from './entity-tag';
import { CHANGED_MEANWHILE, ENDPOINT_EXAMPLE, ENDPOINT_NOT_FOUND, SECRET_EXAMPLE, UNUSABLE_URL } from './examples';
import { endpointParams } from './params';
import { presentEndpoint } from './present';
import { putEndpoint } from './put-endpoint';
import { changeEndpointHeaders, createdEndpointView, endpointView, putEndpointBody } from './schema';
import { ENDPOINTS_TAG } from './tag';
import { urlProblemsOf } from './url-problems';

const PATH = '/api/v1/webhooks/endpoints';

/** Adds the operation that registers or changes the endpoint with an external id. */
export function addPutEndpointRoute(api: Api, deps: EndpointDeps): void {
  addOperation(
    api,
    {
      id: 'putEndpoint',
      method: 'put',
      path: `${PATH}/{endpoint_id}`,
      scopes: ['endpoints:write'],
      tag: ENDPOINTS_TAG,
      summary: 'Register or change an endpoint',
      description:
        'Makes the endpoint with this `external_id` what the body says, and registers it if there is none: a program can ' +
        'say what should be, again and again. Absent fields stay unchanged, or get the default of a new endpoint; null ' +
        'switches an option off. A call that would change nothing changes nothing. With the `id` of an endpoint, it only ' +
        'changes. With `If-Match`, the endpoint must exist, and must not have changed since.',
      params: endpointParams,
      headers: changeEndpointHeaders,
      body: putEndpointBody,
      inspect: urlProblemsOf(deps),
      bodyExample: { url: 'https://example.com/webhooks', events: ['order.*'], options: { max_per_second: 10 } },
      recordsItself: true,
      answers: {
        200: { description: 'The endpoint.', schema: endpointView, example: ENDPOINT_EXAMPLE, headers: TAGGED },
        201: {
          description: 'The registered endpoint with its signing secret.',
          schema: createdEndpointView,
          example: { ...ENDPOINT_EXAMPLE, secret: SECRET_EXAMPLE },
          headers: { Location: 'Path of the endpoint.', ...TAGGED },
        },
      },
      errors: {
        ...ENDPOINT_NOT_FOUND.errors,
        409:
          'The endpoint has another secret; a new one would be more than the account can have; or stored credentials ' +
          "would be sent to another host, and the key can't read secrets.",
        412: 'The endpoint has none of the tags in `If-Match`, or does not exist.',
        422: UNUSABLE_URL,
      },
      errorExamples: {
        ...ENDPOINT_NOT_FOUND.errorExamples,
        409: {
          error:
            'The endpoint has another signing secret. Leave "secret" out, or rotate it instead: POST …/secret/rotate keeps ' +
            'both valid while your receivers change.',
          code: 'secret_differs',
        },
        412: CHANGED_MEANWHILE,
      },
    },
    async ({ params: { endpoint_id: id }, body, caller, ctx }) => {
      const mustExist = ctx.get('If-Match') !== '';
      const put = await putEndpoint(deps, { ...caller, id, ifMatch: readIfMatch(ctx), mustExist }, body);
      const { endpoint, secret } = put;
      // The log names it by our id, as every other call.
      ctx.params['endpoint_id'] = endpoint._id;
      ctx.set('ETag', tagOf(endpoint));
      if (secret === undefined) {
        ctx.status = 200;
        return presentEndpoint(deps.secretBox, endpoint);
      }
      ctx.status = 201;
      ctx.set('Location', `${PATH}/${endpoint._id}`);
      return { ...presentEndpoint(deps.secretBox, endpoint), secret };
    },
  );
}
