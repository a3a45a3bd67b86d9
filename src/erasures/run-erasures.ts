import type { Periodic } from '../platform/periodic';
import { runPeriodically } from '../platform/periodic';
import { runJobs, type JobTiming } from '../platform/run-jobs';
import { sleep } from '../platform/sleep';
import type { DispatchStore } from '../stores/dispatch-store';
import type { ErasedDataStore } from '../stores/erased-data-store';
import type { Logger } from '../platform/logger';
import { erasePage, type ErasePageDeps } from './erase-page';
import type { ErasureStore } from './erasure-store';

interface RunErasuresDeps extends Omit<ErasePageDeps, 'erasures'> {
  readonly erasures: ErasureStore;
  readonly logger: Logger;
  /** Names this process in claims. */
  readonly owner: string;
}

/** A claim is longer than a page, whose writes may each wait ten seconds for their majority. */
const ERASURE_TIMING: JobTiming = { intervalMs: 2_000, leaseMs: 60_000 };

/** Runs erasures of any size, page by page. */
export function runErasures(deps: RunErasuresDeps, timing = ERASURE_TIMING): Periodic {
  return runJobs(
    {
      ...deps,
      jobs: deps.erasures,
      kind: 'bulk erasure',
      async run(job, keep, stop) {
        for (let hasMore = true; hasMore && !stop.aborted;) {
          await keep();
          const startedAt = performance.now();
          hasMore = await erasePage(deps, job._id, keep);
          // As long as the page took: others get half of the database's time.
          if (hasMore) await sleep(performance.now() - startedAt, stop);
        }
      },
    },
    timing,
  );
}

interface LateAnswersDeps {
  readonly erasedData: Pick<ErasedDataStore, 'eraseLateAnswers'>;
  readonly dispatch: Pick<DispatchStore, 'holdLease' | 'now'>;
  readonly logger: Logger;
  /** Names this process in the lease. */
  readonly owner: string;
}

const INTERVAL_MS = 5_000;
const LEASE_MS = 60_000;
const PAGE = 200;

/**
 * Erases what receivers answered after the data of their events was erased. Part of the worker role: one worker at a
 * time does it.
 */
export function eraseLateAnswers(
  { erasedData, dispatch, logger, owner }: LateAnswersDeps,
  intervalMs = INTERVAL_MS,
): Periodic {
  const failure = 'late answers to erased events could not be erased; the next round tries again';
  return runPeriodically({ intervalMs, logger, failure }, async (stop) => {
    const now = await dispatch.now();
    const nextPage = async (): Promise<number> =>
      stop.aborted || !(await dispatch.holdLease('erase-late-answers', owner, LEASE_MS))
        ? 0
        : erasedData.eraseLateAnswers(now, PAGE);
    while ((await nextPage()) === PAGE);
  });
}
