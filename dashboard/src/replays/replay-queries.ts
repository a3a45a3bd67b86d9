import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Replay, ReplayList, ReplayOutcomes, ReplayPreview } from '../api/answers';
import { callApi } from '../api/call-api';
import { queryOf } from '../elements/list-filter';
import type { LiveList } from '../live/live-list';
import type { ReplayFilter } from './replay-draft';

const PATH = '/dashboard/api/webhooks/replays';
/** Progress moves many times a second; the pages look this often while a replay runs. */
const PROGRESS_MS = 5_000;
/** As many as the server counts in one call. */
const MAX_IDS = 100;

/** Bulk replays, newest first. */
export const replaysList: LiveList<Replay> = {
  queryKey: ['replays'],
  ask: async (cursor) => {
    const { replays, next_cursor: next } = await callApi<ReplayList>(`${PATH}?${queryOf({}, cursor)}`);
    return { rows: replays, next };
  },
  idOf: ({ job_id: id }) => id,
  lookEvery: (newest) => newest.some(({ state, paused }) => state === 'running' && !paused) && PROGRESS_MS,
};

/** The replays that have not ended; an account has at most ten, and none is behind its hundred newest ones for long. */
export const runningReplaysQuery = queryOptions({
  queryKey: ['replays', 'running'],
  queryFn: async () => {
    const { replays } = await callApi<ReplayList>(`${PATH}?limit=${MAX_IDS}`);
    return replays.filter(({ state }) => state === 'running');
  },
  refetchInterval: ({ state: { data = [] } }) => data.some(({ paused }) => !paused) && PROGRESS_MS,
});

/** The outcomes of the deliveries of bulk replays. They follow the deliveries. */
export function replayOutcomesQuery(replays: readonly Replay[]) {
  // Those that are still retried go on in the run that they had, which no replay began.
  const started = replays.filter(({ replayed, filter }) => replayed > 0 && filter.state !== 'retrying');
  const ids = started.slice(0, MAX_IDS).map(({ job_id: id }) => id);
  return queryOptions({
    queryKey: ['deliveries', 'replay-outcomes', ids],
    queryFn: () => callApi<ReplayOutcomes>(`/dashboard/api/replay-outcomes?job_ids=${ids.join(',')}`),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
  });
}

/** What a replay would send again now. */
export function replayPreviewQuery(filter: ReplayFilter) {
  const query = new URLSearchParams(filter as Record<string, string>);
  return queryOptions({
    queryKey: ['replays', 'preview', filter],
    queryFn: () => callApi<ReplayPreview>(`/dashboard/api/replay-preview?${query}`),
    placeholderData: keepPreviousData,
  });
}

/** What to replay. */
export interface ReplayWish {
  readonly filter: ReplayFilter;
  readonly rate_per_second: number;
}

function useReplayMutation<Input>(call: (input: Input) => Promise<Replay>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: call,
    onSuccess: () => client.invalidateQueries({ queryKey: ['replays'] }),
  });
}

export function useStartReplay() {
  return useReplayMutation((body: ReplayWish) => callApi<Replay>(PATH, { method: 'POST', body }));
}

/** Changes a running replay's rate, pauses it, or lets it go on. */
export function useChangeReplay(id: string) {
  return useReplayMutation((body: { readonly rate_per_second?: number; readonly paused?: boolean }) =>
    callApi<Replay>(`${PATH}/${id}`, { method: 'PATCH', body }),
  );
}

export function useCancelReplay(id: string) {
  return useReplayMutation<void>(() => callApi<Replay>(`${PATH}/${id}/cancel`, { method: 'POST' }));
}
