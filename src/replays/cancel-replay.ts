import { ConflictError } from '../domain/errors';
import { getReplay } from './get-replay';
import type { ReplayJob, ReplayStore } from './replay-store';

/** What `cancelReplay` needs. */
export interface CancelReplayDeps {
  readonly replays: Pick<ReplayStore, 'find' | 'end'>;
}

/**
 * Ends a running bulk replay: no further delivery is begun. Those that it has begun go on.
 *
 * @throws NotFoundError when there is none, or it is another account's
 * @throws ConflictError when it has ended
 */
export async function cancelReplay(deps: CancelReplayDeps, accountId: string, id: string): Promise<ReplayJob> {
  await getReplay(deps, accountId, id);
  const isCancelled = await deps.replays.end(id, 'cancelled');
  const job = await getReplay(deps, accountId, id);
  if (!isCancelled) throw new ConflictError(`This replay is ${job.state} already.`, 'replay_finished');
  return job;
}
