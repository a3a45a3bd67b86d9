import { addRoute } from '../http/operation';
import type { RouteApi } from '../http/route';
import { previewReplay, type PreviewDeps } from '../replays/preview-replay';
import { getReplayOutcomes } from './overview';
import type { OverviewStore } from './overview-store';
import { replayOutcomesQuery, replayOutcomesView, replayPreviewQuery, replayPreviewView } from './schema';

/** What the page of bulk replays needs. */
export interface ReplayRouteDeps extends PreviewDeps {
  readonly overview: OverviewStore;
}

/** Adds what the page of bulk replays shows before and after a replay. */
export function addReplayRoutes(api: RouteApi, deps: ReplayRouteDeps): void {
  // Deliveries of bulk replays by their outcome. One that was replayed again counts for the later replay.
  addRoute(
    api,
    {
      id: 'getReplayOutcomes',
      method: 'get',
      path: '/dashboard/api/replay-outcomes',
      query: replayOutcomesQuery,
      answer: replayOutcomesView,
    },
    async ({ query: { job_ids: jobIds }, caller }) => {
      return { outcomes: await getReplayOutcomes(deps, caller.accountId, jobIds) };
    },
  );

  // What a replay with this filter would send again now. Nothing is started.
  addRoute(
    api,
    {
      id: 'previewReplay',
      method: 'get',
      path: '/dashboard/api/replay-preview',
      query: replayPreviewQuery,
      answer: replayPreviewView,
    },
    async ({ query, caller }) => {
      const { matched, isMore, removed, atRunLimit, endpointFailed } = await previewReplay(deps, caller, {
        ...query,
        endpointId: query.endpoint_id,
        completedAfter: query.completed_after,
        completedBefore: query.completed_before,
      });
      return {
        matched,
        at_least: isMore,
        endpoint_removed: removed,
        at_run_limit: atRunLimit,
        endpoint_failed: endpointFailed,
      };
    },
  );
}
