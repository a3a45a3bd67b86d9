import { ConflictError } from '../domain/errors';
import type { Logger } from '../platform/logger';
import { getReplay } from './get-replay';
import type { ReplayJob, ReplayStore } from './store';

/** What `cancelReplay` needs. */
export interface CancelReplayDeps {
  readonly replays: Pick<ReplayStore, 'find' | 'end'>;
  readonly replayStarter: { cancelled(jobId: string): Promise<void> };
  readonly logger: Logger;
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
  // The record decides: a workflow that is not told finds it there before its next page.
  await deps.replayStarter.cancelled(id).catch((error: unknown) => {
    deps.logger.info({ err: error, job_id: id }, 'a cancelled replay was not woken');
  });
  return job;
}
