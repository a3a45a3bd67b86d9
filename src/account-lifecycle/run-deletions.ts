import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import { continueDeletion, type ContinueDeletionDeps } from './delete-account';

interface RunDeletionsDeps extends ContinueDeletionDeps {
  readonly logger: Logger;
}

const INTERVAL_MS = 5_000;

/** Finishes deletions of accounts that somebody began. Part of the worker role; safe in any number of workers. */
export function runDeletions(deps: RunDeletionsDeps): Periodic {
  const { deletions, logger } = deps;
  const failure = 'accounts could not be deleted; the next look goes on';
  return runPeriodically({ intervalMs: INTERVAL_MS, logger, failure }, async (stop) => {
    for (const accountId of await deletions.begun()) {
      if (stop.aborted) return;
      const { againInMs } = await continueDeletion(deps, accountId);
      if (againInMs === 0) logger.info({ account_id: accountId }, 'deleted an account');
    }
  });
}
