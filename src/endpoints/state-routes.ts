import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import type { EndpointDeps } from './create-endpoint';
import { TAGGED, tagOf } from './entity-tag';
import { ENDPOINT_EXAMPLE, ENDPOINT_NOT_FOUND } from './examples';
import { getStats, type StatsDeps } from './find-endpoints';
import { pauseEndpoint, resumeEndpoint } from './change-endpoint';
import { presentEndpoint, presentStats } from './present';
import { endpointView } from './schema';
import { pauseBody, resumeBody, statsQuery, statsView } from './state-schema';
import { verifyEndpoint } from './verify-endpoint';
import { endpointParams } from './params';
import { ENDPOINTS_TAG } from './tag';

const PATH = '/api/v1/webhooks/endpoints/{endpoint_id}';

export type EndpointStateRouteDeps = StatsDeps & Pick<EndpointDeps, 'endpoints' | 'accounts' | 'gates' | 'secretBox'>;

/** Adds the operations on an endpoint's state: pause, resume, statistics. */
export function addEndpointStateRoutes(api: Api, deps: EndpointStateRouteDeps): void {
  addPause(api, deps);
  addResume(api, deps);
  addStats(api, deps);
}

function addPause(api: Api, deps: EndpointStateRouteDeps): void {
  addOperation(
    api,
    {
      id: 'pauseEndpoint',
      method: 'post',
      path: `${PATH}/pause`,
      scopes: ['endpoints:write'],
      tag: ENDPOINTS_TAG,
      summary: 'Pause an endpoint',
      description:
        'Holds its deliveries, including those that wait for a retry. Events that arrive during the pause are stored and ' +
        'delivered after the resume; no attempt is used up. A second call changes nothing, and a disabled endpoint ' +
        'stays disabled, because it already holds its deliveries.',
      params: endpointParams,
      body: pauseBody,
      bodyIsOptional: true,
      bodyExample: { reason: 'Maintenance until 6' },
      recordsItself: true,
      answers: {
        200: {
          description: 'The endpoint.',
          schema: endpointView,
          example: { ...ENDPOINT_EXAMPLE, status: 'paused' },
          headers: TAGGED,
        },
      },
      ...ENDPOINT_NOT_FOUND,
    },
    async ({ params: { endpoint_id: id }, body, caller, ctx }) => {
      const endpoint = await pauseEndpoint(deps, { ...caller, id, reason: body?.reason });
      ctx.set('ETag', tagOf(endpoint));
      return presentEndpoint(deps.secretBox, endpoint);
    },
  );
}

function addResume(api: Api, deps: EndpointStateRouteDeps): void {
  addOperation(
    api,
    {
      id: 'resumeEndpoint',
      method: 'post',
      path: `${PATH}/resume`,
      scopes: ['endpoints:write'],
      tag: ENDPOINTS_TAG,
      summary: 'Resume a paused or disabled endpoint',
      description:
        'Its held deliveries continue, the oldest first: all at once, or at most `backlog_per_second`. Until nothing is ' +
        'held any more, new events wait in line at that rate too, and the endpoint shows it as `backlog`. A second call ' +
        'changes the rate, and nothing else.',
      params: endpointParams,
      body: resumeBody,
      bodyIsOptional: true,
      bodyExample: { backlog_per_second: 20 },
      recordsItself: true,
      answers: {
        200: { description: 'The endpoint.', schema: endpointView, example: ENDPOINT_EXAMPLE, headers: TAGGED },
      },
      ...ENDPOINT_NOT_FOUND,
    },
    async ({ params: { endpoint_id: id }, body, caller, ctx }) => {
      const endpoint = await resumeEndpoint(deps, { ...caller, id }, body.backlog_per_second);
      ctx.set('ETag', tagOf(endpoint));
      return presentEndpoint(deps.secretBox, endpoint);
    },
  );
}

function addStats(api: Api, deps: EndpointStateRouteDeps): void {
  addOperation(
    api,
    {
      id: 'getEndpointStats',
      method: 'get',
      path: `${PATH}/stats`,
      scopes: ['endpoints:read'],
      tag: ENDPOINTS_TAG,
      summary: "Get an endpoint's statistics",
      description:
        'Deliveries of events accepted in the window, by state; the share that was delivered; the attempts of ' +
        'their latest runs, and how long the receiver took. At most the newest 10,000 deliveries are counted. Attempts before a ' +
        'replay are not in it: `GET …/health` counts every attempt, by the time of its answer.',
      params: endpointParams,
      query: statsQuery,
      answers: { 200: { description: 'The statistics.', schema: statsView, example: STATS_EXAMPLE } },
      ...ENDPOINT_NOT_FOUND,
    },
    async ({ query: { window }, params: { endpoint_id: id }, caller }) => {
      const stats = await getStats(deps, { accountId: caller.accountId, id }, window);
      return presentStats(id, window, stats);
    },
  );
}

const STATS_EXAMPLE = {
  endpoint_id: ENDPOINT_EXAMPLE.id,
  window: '24h',
  since: '2026-11-20T12:00:00.000Z',
  until: '2026-11-21T12:00:00.000Z',
  complete: true,
  deliveries: { pending: 0, retrying: 1, delivered: 997, failed: 3, cancelled: 0 },
  success_rate: 0.997,
  attempts: { total: 1_024, succeeded: 997, failed: 27 },
  latency_ms: { p50: 41, p95: 310 },
};

const VERIFICATION_EXAMPLE = {
  host: 'example.com',
  state: 'verified',
  asked_at: '2026-11-21T12:00:00.000Z',
  error: null,
};

/** Adds the operation that sends another challenge to an endpoint's host. */
export function addVerifyRoute(
  api: Api,
  deps: Pick<EndpointDeps, 'endpoints' | 'accounts' | 'gates' | 'secretBox' | 'verifier'>,
): void {
  addOperation(
    api,
    {
      id: 'verifyEndpoint',
      method: 'post',
      path: `${PATH}/verify`,
      tag: ENDPOINTS_TAG,
      summary: 'Verify an endpoint',
      description:
        'Sends a challenge to an unverified endpoint, and waits for the answer: `verification` has the result. ' +
        'The challenge counts against the budget of deliveries. An endpoint that is verified, or need not be, gets none.',
      params: endpointParams,
      audit: 'endpoint.challenged',
      scopes: ['endpoints:write'],
      answers: {
        200: {
          description: 'The endpoint.',
          schema: endpointView,
          example: { ...ENDPOINT_EXAMPLE, verification: VERIFICATION_EXAMPLE },
          headers: TAGGED,
        },
      },
      ...ENDPOINT_NOT_FOUND,
    },
    async ({ params: { endpoint_id: id }, caller, ctx }) => {
      const { accountId } = caller;
      const endpoint = await verifyEndpoint(deps, { accountId, id });
      ctx.set('ETag', tagOf(endpoint));
      return presentEndpoint(deps.secretBox, endpoint);
    },
  );
}
