import type { DispatchStore } from '../dispatch/dispatch-store';
import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import type { RetentionStore } from '../record/retention-store';

interface OrphanRemovalDeps {
  readonly retention: RetentionStore;
  readonly dispatch: Pick<DispatchStore, 'holdLease'>;
  readonly logger: Logger;
  /** Names this process in the lease. */
  readonly owner: string;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 60_000;
const LEASE_MS = 180_000;
const PAGE = 2_000;
/** Pages in a round. The job walks through the attempts, and continues where the last round stopped. */
const PAGES_IN_ROUND = 50;

/**
 * MongoDB expires events itself. Attempts have no date that says when their event is finished, and must not disappear
 * before it. So they are removed after it: one worker at a time walks through them by event id, over an index.
 */
export function createOrphanRemoval(deps: OrphanRemovalDeps): Periodic {
  const { intervalMs = INTERVAL_MS, logger } = deps;
  const failure = 'attempts of expired events could not be removed; the next round tries again';
  let after = 0;
  return runPeriodically({ intervalMs, logger, failure }, async (stop) => {
    for (let page = 0; page < PAGES_IN_ROUND && !stop.aborted; page += 1) {
      if (!(await deps.dispatch.holdLease('remove-orphans', deps.owner, LEASE_MS))) return;
      const { next, removed } = await deps.retention.removeOrphans({ after, limit: PAGE });
      if (removed > 0) logger.debug({ removed }, 'attempts of expired events were removed');
      after = next ?? 0;
      if (next === null) return;
    }
  });
}
