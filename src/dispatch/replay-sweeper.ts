import { replayWorkflowId } from '../domain/replay-contract';
import type { Logger } from '../platform/logger';
import { runPeriodically, type Periodic } from '../platform/periodic';
import type { TemporalLink } from '../platform/temporal';
import type { ReplayJob, ReplayStore } from '../replays/store';
import type { ReplayStarter } from './start-replay';
import type { DispatchStore } from './store';

/** How patient the sweeper of bulk replays is, in milliseconds. */
export interface ReplaySweeperTiming {
  readonly intervalMs: number;
  /** Younger jobs are left to the process that took them in. */
  readonly startGraceMs: number;
  /** A job that nothing was heard of for so long is held against Temporal. */
  readonly silentMs: number;
  readonly leaseMs: number;
}

export const REPLAY_SWEEPER_TIMING: ReplaySweeperTiming = {
  intervalMs: 2_000,
  startGraceMs: 5_000,
  silentMs: 60_000,
  leaseMs: 15_000,
};

export interface ReplaySweeperDeps {
  readonly replays: ReplayStore;
  readonly dispatch: Pick<DispatchStore, 'now' | 'holdLease'>;
  readonly replayStarter: ReplayStarter;
  readonly temporal: TemporalLink;
  readonly logger: Logger;
  /** Names this process in the lease. */
  readonly owner: string;
}

const BATCH = 100;

/**
 * Starts bulk replays that were accepted while Temporal was away, and goes on with one whose execution Temporal lost.
 * Part of the worker role; safe in any number of workers.
 */
export function createReplaySweeper(deps: ReplaySweeperDeps, timing = REPLAY_SWEEPER_TIMING): Periodic {
  const failure = 'a sweep of bulk replays failed; the next one tries again';
  return runPeriodically({ intervalMs: timing.intervalMs, logger: deps.logger, failure }, () =>
    sweepReplaysOnce(deps, timing),
  );
}

/** One pass. */
export async function sweepReplaysOnce(deps: ReplaySweeperDeps, timing: ReplaySweeperTiming): Promise<void> {
  if (!(await deps.temporal.isHealthy())) return;
  if (!(await deps.dispatch.holdLease('replay-sweeper', deps.owner, timing.leaseMs))) return;
  const now = (await deps.dispatch.now()).getTime();
  const jobs = await deps.replays.findSilent(
    new Date(now - timing.startGraceMs),
    new Date(now - timing.silentMs),
    BATCH,
  );
  for (const job of jobs) await reconcile(deps, job);
}

/** Holds one job against what Temporal knows of it. */
async function reconcile(
  { temporal, replays, replayStarter, logger }: ReplaySweeperDeps,
  job: ReplayJob,
): Promise<void> {
  const { _id: jobId } = job;
  const status = job.started ? await temporal.statusOf(replayWorkflowId(jobId)) : 'NOT_FOUND';
  switch (status) {
    case 'RUNNING':
      return replays.noteSeen(jobId);
    case 'TERMINATED':
    case 'CANCELLED':
      await replays.end(jobId, 'cancelled');
      return logger.info({ job_id: jobId, status }, 'recorded a cancel made in Temporal');
    case 'FAILED':
    case 'TIMED_OUT':
      await replays.end(jobId, 'failed');
      return logger.error({ job_id: jobId, status }, 'a bulk replay failed');
    default:
      logger.info({ job_id: jobId, status }, 'a bulk replay had no running workflow; it goes on');
      return replayStarter.start(job);
  }
}
