import { nextPageAt } from '../domain/replay-contract';
import type { Logger } from '../platform/logger';
import type { Periodic } from '../platform/periodic';
import { runJobs, type JobTiming } from '../platform/run-jobs';
import { sleep } from '../platform/sleep';
import { countReplay, replayPage, type ReplayPageDeps } from './replay-page';
import type { ReplayJob, ReplayStore } from './replay-store';

/** What a process needs to run bulk replays. */
export interface RunReplaysDeps extends Omit<ReplayPageDeps, 'keep' | 'replays'> {
  readonly replays: ReplayStore;
  readonly logger: Logger;
  /** Names this process in claims. */
  readonly owner: string;
}

/** A job that waits for its account's budget keeps its claim. */
const CHECKS_PER_LEASE = 3;

/** A claim is long enough for fifty starts, sixteen at once, of which each may take Temporal 5 s. */
export const REPLAY_TIMING: JobTiming = { intervalMs: 2_000, leaseMs: 30_000 };

/** Runs bulk replays of any size, page by page, at the rate of each. MongoDB has the progress after each page. */
export function runReplays(deps: RunReplaysDeps, timing = REPLAY_TIMING): Periodic {
  const run = (job: ReplayJob, kept: () => Promise<ReplayJob>, stop: AbortSignal): Promise<void> => {
    const keep = async (): Promise<boolean> => (await kept()).state === 'running';
    return runReplay({ ...deps, keep }, job, { stop, leaseMs: timing.leaseMs });
  };
  return runJobs({ ...deps, jobs: deps.replays, run, kind: 'bulk replay' }, timing);
}

/** Runs a job to its end, or until it is paused or the process stops. */
async function runReplay(
  deps: ReplayPageDeps,
  job: ReplayJob,
  { stop, leaseMs }: { stop: AbortSignal; leaseMs: number },
): Promise<void> {
  await countReplay(deps, job);
  let nextAtMs = performance.now();
  while (!stop.aborted) {
    const taken = await replayPage(deps, job._id);
    if (taken.kind === 'ended' || taken.kind === 'paused') return;
    if (taken.kind === 'no budget') {
      // Another job of the account may return some budget, or this job may be cancelled: it checks again before the
      // minute ends.
      await deps.keep(job._id);
      await sleep(Math.min(taken.waitMs, leaseMs / CHECKS_PER_LEASE), stop);
      continue;
    }
    nextAtMs = nextPageAt(nextAtMs, performance.now(), taken.count, taken.ratePerSecond);
    await sleep(Math.max(0, nextAtMs - performance.now()), stop);
  }
}
