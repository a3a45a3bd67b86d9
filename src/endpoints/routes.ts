import { listQuery } from '../http/list-query';
import { addOperation, EXAMPLE_ID, type Api } from '../http/operation';
import { readBody, validate } from '../http/read-body';
import { createEndpoint, type EndpointDeps } from './create-endpoint';
import { listEndpoints } from './list-endpoints';
import { presentEndpoint } from './present';
import { createdEndpointView, createEndpointBody, endpointListView } from './schema';

const PATH = '/api/v1/webhooks/endpoints';
/** So many that one GET shows every endpoint an account can have. */
const endpointListQuery = listQuery(100);

/** Not a secret: 27 letters in base64. */
const EXAMPLE_SECRET = `whsec_${btoa('this-is-only-an-example-ok')}`;
const ENDPOINT_EXAMPLE = {
  id: `ep_${EXAMPLE_ID}`,
  url: 'https://example.com/webhooks',
  events: ['order.*'],
  description: 'Order service',
  status: 'active',
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
};

/** Adds the operations on endpoints. */
export function addEndpointRoutes(api: Api, deps: EndpointDeps): void {
  addOperation(
    api,
    {
      id: 'listEndpoints',
      method: 'get',
      path: PATH,
      tag: 'Endpoints',
      summary: 'List endpoints',
      description:
        "The account's endpoints, newest first. Also the validity check of a webhook key: 200 when it is valid.",
      query: endpointListQuery,
      answers: {
        200: {
          description: 'A page of endpoints.',
          schema: endpointListView,
          example: { endpoints: [ENDPOINT_EXAMPLE], next_cursor: null },
        },
      },
    },
    async (ctx) => {
      const query = validate(endpointListQuery, { ...ctx.query }, 'query');
      const { page, nextCursor } = await listEndpoints(deps, ctx.state.caller.accountId, query);
      ctx.body = { endpoints: page.map(presentEndpoint), next_cursor: nextCursor };
    },
  );

  addOperation(
    api,
    {
      id: 'createEndpoint',
      method: 'post',
      path: PATH,
      tag: 'Endpoints',
      summary: 'Register an endpoint',
      description:
        'Registers a destination. Events ingested from now on are delivered to it when one of its patterns matches. ' +
        'The answer is the only one that shows the signing secret.',
      body: createEndpointBody,
      bodyExample: { url: 'https://example.com/webhooks', events: ['order.*'], description: 'Order service' },
      answers: {
        201: {
          description: 'The registered endpoint with its signing secret.',
          schema: createdEndpointView,
          example: { ...ENDPOINT_EXAMPLE, secret: EXAMPLE_SECRET },
          headers: { Location: 'Path of the endpoint.' },
        },
      },
      errors: {
        409: 'The account has as many endpoints as it can have (100).',
        422: 'The URL is well-formed and can not be used: its scheme, port, credentials, fragment or host is refused.',
      },
    },
    async (ctx) => {
      const { value } = await readBody(ctx, createEndpointBody);
      const { endpoint, secret } = await createEndpoint(deps, ctx.state.caller, value);
      ctx.status = 201;
      ctx.set('Location', `${PATH}/${endpoint._id}`);
      // The one answer that shows the secret must not stay in anybody's cache.
      ctx.set('Cache-Control', 'no-store');
      ctx.body = { ...presentEndpoint(endpoint), secret };
    },
  );
}
