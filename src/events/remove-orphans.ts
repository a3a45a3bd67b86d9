import { setTimeout as sleep } from 'node:timers/promises';
import type { DispatchStore } from '../dispatch/store';
import type { Logger } from '../platform/logger';
import type { RetentionStore } from './retention-store';

/** Removes the attempts of expired events, now and then. */
export interface OrphanRemoval {
  close(): Promise<void>;
}

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
/** Pages of a round: the job is a walk through the attempts that goes on where the last round ended. */
const PAGES_IN_ROUND = 50;

/**
 * MongoDB expires events by itself; their attempts have no date that says when their event is done, and must not go
 * before it. So they follow it: one worker at a time walks through them by event id, over an index.
 */
export function createOrphanRemoval(deps: OrphanRemovalDeps): OrphanRemoval {
  const stop = new AbortController();
  let after = 0;
  const round = async (): Promise<void> => {
    for (let page = 0; page < PAGES_IN_ROUND && !stop.signal.aborted; page += 1) {
      if (!(await deps.dispatch.holdLease('remove-orphans', deps.owner, LEASE_MS))) return;
      const { next, removed } = await deps.retention.removeOrphans({ after, limit: PAGE });
      if (removed > 0) deps.logger.debug({ removed }, 'attempts of expired events were removed');
      after = next ?? 0;
      if (next === null) return;
    }
  };
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await round().catch((error: unknown) => {
        deps.logger.warn({ err: error }, 'attempts of expired events could not be removed; the next round tries again');
      });
      await sleep(deps.intervalMs ?? INTERVAL_MS, undefined, { ref: false, signal: stop.signal }).catch(
        () => undefined,
      );
    }
  };
  const running = loop();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
