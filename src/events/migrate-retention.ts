import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import type { DispatchStore } from '../stores/dispatch-store';
import type { RetentionMigrationStore } from '../stores/retention-migration-store';

interface MigrateRetentionDeps {
  readonly retentionMigration: RetentionMigrationStore;
  readonly dispatch: Pick<DispatchStore, 'holdLease' | 'now'>;
  readonly logger: Logger;
  /** Names this process in the lease. */
  readonly owner: string;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 60_000;
const LEASE_MS = 180_000;

/**
 * Gives an expiry to the events and attempts that an earlier version stored, in one worker at a time. A round that finds
 * none is the last one: while processes of the earlier version run, they leave some for the next round.
 */
export function migrateRetention(deps: MigrateRetentionDeps): Periodic {
  const { retentionMigration: migration, dispatch, logger, owner, intervalMs = INTERVAL_MS } = deps;
  const failure = 'events of an earlier version could not be given an expiry yet; the next round tries again';
  return runPeriodically({ intervalMs, logger, failure }, async (stop) => {
    let isWhole = await migration.isDue();
    /** Once false, it stays false: such a round says nothing about what is left. */
    const isOurs = async (): Promise<boolean> =>
      (isWhole &&= !stop.aborted && (await dispatch.holdLease('migrate-retention', owner, LEASE_MS)));
    if (!(await isOurs())) return;
    const events = await migration.migrateEvents(isOurs);
    const attempts = await migration.migrateAttempts(await dispatch.now(), isOurs);
    if (events + attempts > 0) logger.info({ events, attempts }, 'events of an earlier version have an expiry now');
    else if (await isOurs()) await migration.end();
  });
}
