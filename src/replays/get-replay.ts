import { NotFoundError } from '../domain/errors';
import type { ReplayJob, ReplayStore } from './replay-store';

/** What `getReplay` needs. */
export interface GetReplayDeps {
  readonly replays: Pick<ReplayStore, 'find'>;
}

/**
 * Finds an account's bulk replay.
 *
 * @throws NotFoundError when there is none, or it is another account's: the answers are the same
 */
export async function getReplay(deps: GetReplayDeps, accountId: string, id: string): Promise<ReplayJob> {
  const job = await deps.replays.find(id);
  if (!job || job.account_id !== accountId) {
    throw new NotFoundError('There is no replay with this id.', 'replay_not_found');
  }
  return job;
}
