import type { z } from 'zod';
import type { replayView } from './schema';
import type { ReplayJob } from './replay-store';

/** A bulk replay with its progress. */
export function presentReplay(job: ReplayJob): z.output<typeof replayView> {
  const { filter } = job;
  return {
    job_id: job._id,
    state: job.state,
    paused: job.state === 'running' && job.paused === true,
    filter: {
      state: filter.state,
      endpoint_id: filter.endpoint_id,
      type: filter.type,
      after: filter.after?.toISOString() ?? null,
      before: filter.before?.toISOString() ?? null,
      completed_after: filter.completed_after?.toISOString() ?? null,
      completed_before: filter.completed_before?.toISOString() ?? null,
    },
    rate_per_second: job.rate_per_second,
    matched: job.matched,
    replayed: job.replayed,
    skipped: job.skipped,
    at_run_limit: job.at_run_limit ?? 0,
    changed_at: job.changed_at?.toISOString() ?? null,
    created_at: job.created_at.toISOString(),
    finished_at: job.finished_at?.toISOString() ?? null,
  };
}
