import { addOperation } from '../http/operation';
import type { Api } from '../http/route';
import { ENDED, RUNNING } from './examples';
import { replayParams } from './params';
import { presentReplay } from './present';
import { cancelReplay, changeReplay, type ReplayDeps } from './replay-jobs';
import { changeReplayBody, replayView } from './schema';
import { REPLAYS_PATH, REPLAYS_TAG } from './tag';

/** Adds the operations on a running replay: its rate, pause and resume, and its end. */
export function addReplayChangeRoutes(api: Api, deps: Pick<ReplayDeps, 'replays'>): void {
  addChange(api, deps);
  addCancel(api, deps);
}

function addChange(api: Api, deps: Pick<ReplayDeps, 'replays'>): void {
  addOperation(
    api,
    {
      id: 'changeReplay',
      method: 'patch',
      path: `${REPLAYS_PATH}/{job_id}`,
      scopes: ['deliveries:write'],
      tag: REPLAYS_TAG,
      summary: 'Change the rate of a replay, pause or resume it',
      description:
        'Takes effect within about two seconds: what the replay is starting at this moment goes on. A paused replay ' +
        'stays `running`, keeps its place, and counts as one of the ten. Absent fields stay unchanged.',
      params: replayParams,
      body: changeReplayBody,
      bodyExample: { rate_per_second: 5, paused: false },
      recordsItself: true,
      answers: {
        200: { description: 'The replay.', schema: replayView, example: { ...RUNNING, rate_per_second: 5 } },
      },
      ...ENDED,
    },
    async ({ params: { job_id: id }, body, caller: { accountId, actor, address } }) => {
      return presentReplay(await changeReplay(deps, { accountId, actor, address, id }, body));
    },
  );
}

function addCancel(api: Api, deps: Pick<ReplayDeps, 'replays'>): void {
  addOperation(
    api,
    {
      id: 'cancelReplay',
      method: 'post',
      path: `${REPLAYS_PATH}/{job_id}/cancel`,
      scopes: ['deliveries:write'],
      tag: REPLAYS_TAG,
      summary: 'Cancel a replay',
      description: 'Starts no further deliveries. Those already started continue; cancel them one by one.',
      params: replayParams,
      audit: 'replay.cancelled',
      answers: {
        202: {
          description: 'The cancelled replay.',
          schema: replayView,
          example: { ...RUNNING, state: 'cancelled', finished_at: '2026-11-21T12:00:07.000Z' },
        },
      },
      ...ENDED,
    },
    async ({ params: { job_id: id }, caller }) => {
      return presentReplay(await cancelReplay(deps, caller.accountId, id));
    },
  );
}
