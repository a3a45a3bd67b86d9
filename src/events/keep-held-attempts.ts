import { ON_TIME_MS } from '../domain/retention';
import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import type { DispatchStore } from '../stores/dispatch-store';
import type { RetentionStore } from '../stores/retention-store';

interface KeepHeldDeps {
  readonly retention: Pick<RetentionStore, 'keepHeld'>;
  readonly dispatch: Pick<DispatchStore, 'holdLease' | 'now'>;
  readonly logger: Logger;
  /** Names this process in the lease. */
  readonly owner: string;
}

/** A round leaves attempts with more than `ON_TIME_MS`: several rounds may fail. */
const INTERVAL_MS = ON_TIME_MS / 8;

/**
 * An event may wait at a gate for longer than its attempts are kept, because nothing is written while it waits. So one
 * worker at a time extends the attempts of events that have waited for long.
 */
export function keepHeldAttempts({ retention, dispatch, logger, owner }: KeepHeldDeps): Periodic {
  const failure = 'attempts of held events could not be kept longer; the next round tries again';
  const isOurs = (): Promise<boolean> => dispatch.holdLease('keep-held-attempts', owner, INTERVAL_MS);
  return runPeriodically({ intervalMs: INTERVAL_MS, logger, failure }, async (stop) => {
    if (!(await isOurs())) return;
    const before = new Date((await dispatch.now()).getTime() - ON_TIME_MS);
    await retention.keepHeld(before, async () => !stop.aborted && (await isOurs()));
  });
}
