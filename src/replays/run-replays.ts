import { nextPageAt } from '../domain/replay-contract';
import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
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

/** The intervals, in milliseconds. */
export interface ReplayTiming {
  /** How often it looks for jobs that no process runs. */
  readonly intervalMs: number;
  /**
   * How long a process claims its job at a time: enough for fifty starts, sixteen at once, of which each may take
   * Temporal 5 s.
   */
  readonly leaseMs: number;
}

/** A job that waits for its account's budget keeps its claim. */
const CHECKS_PER_LEASE = 3;

export const REPLAY_TIMING: ReplayTiming = { intervalMs: 2_000, leaseMs: 30_000 };

/**
 * Runs bulk replays of any size, page by page, at the rate of each. MongoDB has the progress after each page, so
 * another process can continue the job of a killed one. Part of the worker role; safe in any number of workers.
 */
export function runReplays(deps: RunReplaysDeps, { intervalMs, leaseMs } = REPLAY_TIMING): Periodic {
  const { replays, logger, owner } = deps;
  /** By job. */
  const running = new Map<string, Promise<void>>();
  const keep: ReplayPageDeps['keep'] = async (jobId) => {
    const job = await replays.keep(jobId, owner, leaseMs);
    if (!job) throw new Error('another process has the job');
    return job.state === 'running';
  };
  const run = async (job: ReplayJob, stop: AbortSignal): Promise<void> => {
    try {
      await runReplay({ ...deps, keep }, job, { stop, leaseMs });
      await replays.letGo(job._id, owner);
    } catch (error) {
      logger.info({ err: error, job_id: job._id }, 'a bulk replay was interrupted; it continues when its claim ends');
    }
  };
  const failure = 'bulk replays could not be searched for; the next round tries again';
  const looking = runPeriodically({ intervalMs, logger, failure }, async (stop) => {
    const claim = () => (stop.aborted ? null : replays.claim(owner, leaseMs));
    for (let job = await claim(); job; job = await claim()) {
      const { _id: jobId } = job;
      const underWay = running.get(jobId);
      // A job whose claim ended meanwhile is kept, not run twice.
      if (!underWay)
        running.set(
          jobId,
          run(job, stop).finally(() => running.delete(jobId)),
        );
      // A run that stops may have released the job right before this claim.
      else if (stop.aborted) await underWay.then(() => replays.letGo(jobId, owner));
    }
  });
  return {
    async close() {
      await looking.close();
      await Promise.all(running.values());
    },
  };
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
