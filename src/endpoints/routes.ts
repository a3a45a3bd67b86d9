import { listQuery } from '../http/list-query';
import { refuseIdempotencyHeader } from '../http/idempotency-key';
import { readIfMatch } from '../http/if-match';
import { addOperation } from '../http/operation';
import type { HttpContext } from '../http/request-state';
import type { Api } from '../http/route';
import { changeEndpoint, removeEndpoint, type RemoveEndpointDeps } from './change-endpoint';
import { createEndpoint, type EndpointDeps } from './create-endpoint';
import { TAGGED, tagOf } from './entity-tag';
import {
  CHANGED_MEANWHILE,
  CREDENTIALS_NOT_SENT,
  ENDPOINT_EXAMPLE,
  ENDPOINT_NOT_FOUND,
  HEALTH_EXAMPLE,
  SECRET_EXAMPLE,
  UNUSABLE_URL,
} from './examples';
import { listEndpoints } from './find-endpoints';
import { endpointListView, endpointWithHealthView } from './health-schema';
import { presentEndpoint, presentHealth } from './present';
import { addHealth, getWithHealth, type HealthDeps } from './read-health';
import {
  changeEndpointBody,
  changeEndpointHeaders,
  createdEndpointView,
  createEndpointBody,
  endpointView,
} from './schema';
import { endpointParams } from './params';
import { ENDPOINTS_TAG } from './tag';
import { urlProblemsOf } from './url-problems';

const PATH = '/api/v1/webhooks/endpoints';
/** Enough for one GET to show every endpoint of most accounts. */
const endpointListQuery = listQuery(100);

export type EndpointRouteDeps = EndpointDeps & RemoveEndpointDeps & HealthDeps;

type ReadDeps = Pick<EndpointDeps, 'endpoints' | 'secretBox'> & HealthDeps;

/** Adds the operations on endpoints: list, create, read, change and remove. */
export function addEndpointRoutes(api: Api, deps: EndpointRouteDeps): void {
  addList(api, deps);
  addCreate(api, deps);
  addGet(api, deps);
  addChange(api, deps);
  addRemove(api, deps);
}

function addList(api: Api, deps: ReadDeps): void {
  addOperation(
    api,
    {
      id: 'listEndpoints',
      method: 'get',
      path: PATH,
      scopes: ['endpoints:read'],
      tag: ENDPOINTS_TAG,
      summary: 'List endpoints',
      description:
        "The account's endpoints with their health, newest first. Also works as a check of a webhook key: 200 if it is " +
        'valid.',
      query: endpointListQuery,
      answers: {
        200: {
          description: 'A page of endpoints.',
          schema: endpointListView,
          example: { endpoints: [WITH_HEALTH], next_cursor: null },
        },
      },
    },
    async ({ query, caller }) => {
      const { page, nextCursor } = await listEndpoints(deps, caller.accountId, query);
      const endpoints = await addHealth(deps, caller, page);
      return { endpoints: endpoints.map((found) => presentWithHealth(deps, found)), next_cursor: nextCursor };
    },
  );
}

const WITH_HEALTH = { ...ENDPOINT_EXAMPLE, health: HEALTH_EXAMPLE };

function presentWithHealth({ secretBox }: ReadDeps, { endpoint, health }: Awaited<ReturnType<typeof getWithHealth>>) {
  return { ...presentEndpoint(secretBox, endpoint), health: presentHealth(endpoint, health) };
}

function addCreate(api: Api, deps: EndpointDeps): void {
  addOperation(
    api,
    {
      id: 'createEndpoint',
      method: 'post',
      path: PATH,
      scopes: ['endpoints:write'],
      tag: ENDPOINTS_TAG,
      summary: 'Register an endpoint',
      description:
        'Registers a destination. It gets events ingested from now on whose type matches one of its patterns. ' +
        'Only this answer shows the signing secret. With an `external_id` of yours, `PUT` can repeat the call.',
      body: createEndpointBody,
      inspect: urlProblemsOf(deps),
      bodyExample: { url: 'https://example.com/webhooks', events: ['order.*'], description: 'Order service' },
      guard: refuseKeyForEvents,
      recordsItself: true,
      answers: {
        201: {
          description: 'The registered endpoint with its signing secret.',
          schema: createdEndpointView,
          example: { ...ENDPOINT_EXAMPLE, secret: SECRET_EXAMPLE },
          headers: { Location: 'Path of the endpoint.', ...TAGGED },
        },
      },
      errors: {
        409: 'The account has the maximum number of endpoints (100, unless its tier says otherwise), or one with this `external_id`.',
        422: UNUSABLE_URL,
      },
    },
    async ({ body, caller, ctx }) => {
      const { endpoint, secret } = await createEndpoint(deps, caller, body);
      ctx.set({ Location: `${PATH}/${endpoint._id}`, ETag: tagOf(endpoint) });
      return { ...presentEndpoint(deps.secretBox, endpoint), secret };
    },
  );
}

/** Two endpoints of one URL would get every event twice. */
function refuseKeyForEvents(ctx: HttpContext): void {
  refuseIdempotencyHeader(ctx, 'is for events: to repeat this call safely, use PUT with an "external_id" of yours');
}

function addGet(api: Api, deps: ReadDeps): void {
  addOperation(
    api,
    {
      id: 'getEndpoint',
      method: 'get',
      path: `${PATH}/{endpoint_id}`,
      scopes: ['endpoints:read'],
      tag: ENDPOINTS_TAG,
      summary: 'Get an endpoint',
      description: 'The endpoint with its options and its health, without its signing secret.',
      params: endpointParams,
      answers: {
        200: { description: 'The endpoint.', schema: endpointWithHealthView, example: WITH_HEALTH, headers: TAGGED },
      },
      ...ENDPOINT_NOT_FOUND,
    },
    async ({ params: { endpoint_id: id }, caller, ctx }) => {
      const found = await getWithHealth(deps, caller, id);
      ctx.set('ETag', tagOf(found.endpoint));
      return presentWithHealth(deps, found);
    },
  );
}

function addChange(api: Api, deps: EndpointDeps): void {
  addOperation(
    api,
    {
      id: 'changeEndpoint',
      method: 'patch',
      path: `${PATH}/{endpoint_id}`,
      scopes: ['endpoints:write'],
      tag: ENDPOINTS_TAG,
      summary: 'Change an endpoint',
      description:
        'Absent fields stay unchanged. A changed `url` applies to the next attempt of deliveries in flight, `events` ' +
        'and `options.filter` to the next event, `options.retry_schedule` to new deliveries, the ' +
        'other options to the next attempt. `options` are merged one by one; null switches one off. A `url` with another ' +
        'scheme, host or port needs `options.authentication` and `options.headers` again, if the endpoint has them, ' +
        'or a key with `secrets:read`. With `If-Match`, it changes nothing if the endpoint has changed since (412).',
      params: endpointParams,
      headers: changeEndpointHeaders,
      body: changeEndpointBody,
      inspect: urlProblemsOf(deps),
      bodyExample: { url: 'https://example.com/v2/webhooks', options: { max_per_second: 10, filter: null } },
      recordsItself: true,
      answers: {
        200: {
          description: 'The changed endpoint.',
          schema: endpointView,
          example: { ...ENDPOINT_EXAMPLE, url: 'https://example.com/v2/webhooks' },
          headers: TAGGED,
        },
      },
      errors: {
        ...ENDPOINT_NOT_FOUND.errors,
        409: "Stored credentials or static headers would be sent to another host, and the key can't read secrets.",
        412: 'The endpoint has none of the tags in `If-Match`.',
        422: UNUSABLE_URL,
      },
      errorExamples: { ...ENDPOINT_NOT_FOUND.errorExamples, 409: CREDENTIALS_NOT_SENT, 412: CHANGED_MEANWHILE },
    },
    async ({ params: { endpoint_id: id }, body, caller, ctx }) => {
      const changed = await changeEndpoint(deps, { ...caller, id, ifMatch: readIfMatch(ctx) }, body);
      ctx.set('ETag', tagOf(changed));
      return presentEndpoint(deps.secretBox, changed);
    },
  );
}

function addRemove(api: Api, deps: RemoveEndpointDeps): void {
  addOperation(
    api,
    {
      id: 'removeEndpoint',
      method: 'delete',
      path: `${PATH}/{endpoint_id}`,
      scopes: ['endpoints:write'],
      tag: ENDPOINTS_TAG,
      summary: 'Remove an endpoint',
      description:
        'Its deliveries in flight are cancelled, and its history stays. A request under way may still get ' +
        'an answer: a 2xx makes that delivery `delivered`.',
      params: endpointParams,
      recordsItself: true,
      answers: { 204: { description: 'It is removed.' } },
      ...ENDPOINT_NOT_FOUND,
    },
    async ({ params: { endpoint_id: id }, caller }) => {
      await removeEndpoint(deps, { ...caller, id });
    },
  );
}
