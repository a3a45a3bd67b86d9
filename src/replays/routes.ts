import { ENDPOINT_NOT_FOUND } from '../endpoints/examples';
import type { HttpContext } from '../http/request-state';
import { refuseIdempotencyHeader } from '../http/idempotency-key';
import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { CREATED, LIMIT_REACHED, NOT_FOUND, RUNNING } from './examples';
import { presentReplay } from './present';
import { createReplay, getReplay, listReplays, type CreateReplayInput, type ReplayDeps } from './replay-jobs';
import { createReplayBody, recoverBody, replayListQuery, replayListView, replayView } from './schema';
import { endpointParams } from '../endpoints/params';
import { replayParams } from './params';
import { REPLAYS_PATH, REPLAYS_TAG } from './tag';

const ACCEPTED = {
  202: {
    description: 'The replay, which is now stored. While Temporal is down it waits.',
    schema: replayView,
    example: CREATED,
    headers: { Location: 'Path of the replay.' },
  },
};

/** Adds the operations on bulk replays. */
export function addReplayRoutes(api: Api, deps: ReplayDeps): void {
  addCreate(api, deps);
  addRecover(api, deps);
  addList(api, deps);
  addGet(api, deps);
}

function addCreate(api: Api, deps: ReplayDeps): void {
  addOperation(
    api,
    {
      id: 'createReplay',
      method: 'post',
      path: REPLAYS_PATH,
      scopes: ['deliveries:write'],
      tag: REPLAYS_TAG,
      summary: 'Replay many deliveries',
      description:
        'Sends finished deliveries again, the oldest first, at a given rate, as a durable job. Its deliveries are fixed now: ' +
        'deliveries that finish later, including its own, are not among them. Each is replayed once. With ' +
        '`state: retrying`, it makes the next attempt of deliveries that are still retried now: it starts no new run, ' +
        'and their schedule goes on from there.',
      body: createReplayBody,
      bodyExample: { filter: { state: 'failed', type: 'order.created' }, rate_per_second: 20 },
      guard: (ctx) => refuseIdempotencyHeader(ctx, 'is for events: list the replays before you start another one'),
      audit: 'replay.started',
      answers: ACCEPTED,
      errors: {
        404: 'The endpoint of the filter does not exist, or it belongs to another account.',
        409: 'The account has the maximum number of running replays (10).',
      },
      errorExamples: { ...ENDPOINT_NOT_FOUND.errorExamples, 409: LIMIT_REACHED },
    },
    async ({ body, ctx }) => {
      const { filter, rate_per_second: ratePerSecond } = body;
      return begin(ctx, deps, {
        state: filter.state,
        endpointId: filter.endpoint_id,
        type: filter.type,
        after: filter.after,
        before: filter.before,
        completedAfter: filter.completed_after,
        completedBefore: filter.completed_before,
        ratePerSecond,
      });
    },
  );
}

function addRecover(api: Api, deps: ReplayDeps): void {
  addOperation(
    api,
    {
      id: 'recoverEndpoint',
      method: 'post',
      path: '/api/v1/webhooks/endpoints/{endpoint_id}/recover',
      scopes: ['deliveries:write'],
      tag: REPLAYS_TAG,
      summary: 'Recover an endpoint',
      description:
        'Sends again the deliveries that became `failed` since a given time, after an outage of the endpoint. The ' +
        'same as a replay with `state: failed`, this `endpoint_id`, and `completed_after`.',
      params: endpointParams,
      body: recoverBody,
      bodyExample: { since: '2026-11-21T06:00:00Z' },
      audit: 'endpoint.recovered',
      answers: ACCEPTED,
      errors: {
        404: ENDPOINT_NOT_FOUND.errors[404],
        409: 'The account has the maximum number of running replays (10).',
      },
      errorExamples: { ...ENDPOINT_NOT_FOUND.errorExamples, 409: LIMIT_REACHED },
    },
    async ({ params: { endpoint_id: endpointId }, body, ctx }) => {
      return begin(ctx, deps, {
        state: 'failed',
        endpointId,
        completedAfter: body.since,
        completedBefore: body.until,
        ratePerSecond: body.rate_per_second,
      });
    },
  );
}

async function begin(ctx: HttpContext, deps: ReplayDeps, input: CreateReplayInput): Promise<object> {
  const job = await createReplay(deps, ctx.state.caller, input);
  ctx.set('Location', `${REPLAYS_PATH}/${job._id}`);
  return presentReplay(job);
}

function addList(api: Api, deps: ReplayDeps): void {
  addOperation(
    api,
    {
      id: 'listReplays',
      method: 'get',
      path: REPLAYS_PATH,
      scopes: ['events:read'],
      tag: REPLAYS_TAG,
      summary: 'List replays',
      description: 'The newest first.',
      query: replayListQuery,
      answers: {
        200: {
          description: 'A page of replays.',
          schema: replayListView,
          example: { replays: [RUNNING], next_cursor: null },
        },
      },
    },
    async ({ query, caller }) => {
      const { page, nextCursor } = await listReplays(deps, caller.accountId, query);
      return { replays: page.map(presentReplay), next_cursor: nextCursor };
    },
  );
}

function addGet(api: Api, deps: ReplayDeps): void {
  addOperation(
    api,
    {
      id: 'getReplay',
      method: 'get',
      path: `${REPLAYS_PATH}/{job_id}`,
      scopes: ['events:read'],
      tag: REPLAYS_TAG,
      summary: 'Get a replay and its progress',
      description: 'It has ended if `state` is not `running`. The deliveries that it started are retried as usual.',
      params: replayParams,
      answers: { 200: { description: 'The replay.', schema: replayView, example: RUNNING } },
      errors: { 404: 'The replay does not exist, or it belongs to another account.' },
      errorExamples: { 404: NOT_FOUND },
    },
    async ({ params: { job_id: id }, caller }) => {
      return presentReplay(await getReplay(deps, caller.accountId, id));
    },
  );
}
