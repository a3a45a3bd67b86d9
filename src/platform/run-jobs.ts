import type { Logger } from './logger';
import type { ClaimedJob, JobClaims } from './mongo-jobs';
import { runPeriodically, type Periodic } from './periodic';

/** The intervals, in milliseconds. */
export interface JobTiming {
  /** How often it looks for jobs that no process runs. */
  readonly intervalMs: number;
  /** How long a process claims its job at a time. */
  readonly leaseMs: number;
}

interface RunJobsDeps<Job extends ClaimedJob> {
  readonly jobs: JobClaims<Job>;
  /**
   * Runs a job to its end, or until it is paused or the process stops. Throws when it must be continued later.
   *
   * @param keep keeps the job for this process. @throws Error when another process has it
   */
  readonly run: (job: Job, keep: () => Promise<Job>, stop: AbortSignal) => Promise<void>;
  /** Names the kind of job in log lines: `bulk replay`. */
  readonly kind: string;
  readonly logger: Logger;
  /** Names this process in claims. */
  readonly owner: string;
}

/**
 * Runs durable jobs. MongoDB has the progress of each, so another process can continue the job of a killed one. Part of
 * the worker role; safe in any number of workers.
 */
export function runJobs<Job extends ClaimedJob>(
  { jobs, run, kind, logger, owner }: RunJobsDeps<Job>,
  { intervalMs, leaseMs }: JobTiming,
): Periodic {
  /** By job. */
  const running = new Map<string, Promise<void>>();
  const keep = async (jobId: string): Promise<Job> => {
    const job = await jobs.keep(jobId, owner, leaseMs);
    if (!job) throw new Error('another process has the job');
    return job;
  };
  const runOne = async (job: Job, stop: AbortSignal): Promise<void> => {
    try {
      await run(job, () => keep(job._id), stop);
      await jobs.letGo(job._id, owner);
    } catch (error) {
      logger.info({ err: error, job_id: job._id }, `a ${kind} was interrupted; it continues when its claim ends`);
    }
  };
  const failure = `${kind}s could not be searched for; the next round tries again`;
  const looking = runPeriodically({ intervalMs, logger, failure }, async (stop) => {
    const claim = () => (stop.aborted ? null : jobs.claim(owner, leaseMs));
    for (let job = await claim(); job; job = await claim()) {
      const { _id: jobId } = job;
      const underWay = running.get(jobId);
      // A job whose claim ended meanwhile is kept, not run twice.
      if (!underWay)
        running.set(
          jobId,
          runOne(job, stop).finally(() => running.delete(jobId)),
        );
      // A run that stops may have released the job right before this claim.
      else if (stop.aborted) await underWay.then(() => jobs.letGo(jobId, owner));
    }
  });
  return {
    async close() {
      await looking.close();
      await Promise.all(running.values());
    },
  };
}
