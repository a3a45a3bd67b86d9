import type Router from '@koa/router';
import { listQuery } from '../http/list-query';
import { readBody, validate } from '../http/read-body';
import type { RequestState } from '../http/request-state';
import { createEndpoint, type EndpointDeps } from './create-endpoint';
import { listEndpoints } from './list-endpoints';
import { presentEndpoint } from './present';
import { createEndpointBody } from './schema';

const PATH = '/api/v1/webhooks/endpoints';
/** So many that one GET shows every endpoint an account can have. */
export const endpointListQuery = listQuery(100);

/** Adds the operations on endpoints. */
export function addEndpointRoutes(router: Router<RequestState>, deps: EndpointDeps): void {
  router.get(PATH, async (ctx) => {
    const query = validate(endpointListQuery, { ...ctx.query }, 'query');
    const { page, nextCursor } = await listEndpoints(deps, ctx.state.caller.accountId, query);
    ctx.body = { endpoints: page.map(presentEndpoint), next_cursor: nextCursor };
  });

  router.post(PATH, async (ctx) => {
    const { value } = await readBody(ctx, createEndpointBody);
    const { endpoint, secret } = await createEndpoint(deps, ctx.state.caller, value);
    ctx.status = 201;
    ctx.set('Location', `${PATH}/${endpoint._id}`);
    // The one answer that shows the secret must not stay in anybody's cache.
    ctx.set('Cache-Control', 'no-store');
    ctx.body = { ...presentEndpoint(endpoint), secret };
  });
}
