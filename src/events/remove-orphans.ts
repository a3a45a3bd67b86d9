import type { DispatchStore } from '../stores/dispatch-store';
import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import type { RetentionStore } from '../stores/retention-store';

interface OrphanRemovalDeps {
  readonly retention: RetentionStore;
  readonly dispatch: Pick<DispatchStore, 'holdLease' | 'now'>;
  readonly logger: Logger;
  /** Names this process in the lease. */
  readonly owner: string;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 60_000;
const LEASE_MS = 180_000;
const PAGE = 2_000;
/**
 * Pages of a round without an attempt to remove: of events that are older than the retention period, but finished later.
 * The next round continues behind them. As long as a page has something to remove, the round goes on.
 */
const IDLE_PAGES_IN_ROUND = 50;

/**
 * MongoDB expires events itself. Attempts have no date that says when their event is finished, and must not disappear
 * before it. So they are removed after it: one worker at a time walks by event id, over an index, from the oldest attempt
 * to the first event that is too young to have expired, and then begins at the front again.
 */
export function createOrphanRemoval(deps: OrphanRemovalDeps): Periodic {
  const { intervalMs = INTERVAL_MS, logger } = deps;
  const failure = 'attempts of expired events could not be removed; the next round tries again';
  let after = 0;
  return runPeriodically({ intervalMs, logger, failure }, async (stop) => {
    const now = await deps.dispatch.now();
    for (let idlePages = 0; idlePages < IDLE_PAGES_IN_ROUND && !stop.aborted;) {
      if (!(await deps.dispatch.holdLease('remove-orphans', deps.owner, LEASE_MS))) return;
      const { next, removed } = await deps.retention.removeOrphans({ after, limit: PAGE, now });
      if (removed === 0) idlePages += 1;
      if (removed > 0) logger.debug({ removed }, 'attempts of expired events were removed');
      after = next ?? 0;
      if (next === null) return;
    }
  });
}
