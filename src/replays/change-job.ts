import type { Collection, Db, Filter } from 'mongodb';
import { changeAudited } from '../accounts/audit-store';
import type { By, FieldChange } from '../domain/audit-actions';
import type { ReplayJob } from './replay-store';

/** What can change while a job runs. */
export type ReplayChange = Pick<ReplayJob, 'rate_per_second'> & { readonly paused: boolean };

/** One change of a job: the job as it was read, what it becomes, and who does it. */
interface JobChange {
  readonly job: ReplayJob;
  readonly next: ReplayChange;
  readonly by: By;
}

/** Changes a running job, unless it was changed since it was read, in one transaction with the audit entry. */
export function changeJob(
  db: Db,
  jobs: Collection<ReplayJob>,
  { job, next, by }: JobChange,
): Promise<ReplayJob | null> {
  return changeAudited(
    db,
    (session) => jobs.findOneAndUpdate(unchanged(job), changeUpdate(next), { returnDocument: 'after', session }),
    ({ _id: object, account_id: accountId }) => ({
      ...{ ...by, accountId, action: 'replay.changed' as const, object },
      changes: changesOf(job, next),
    }),
  );
}

/** Matches a job that can be changed as it was read. */
function unchanged({ _id, rate_per_second: rate, paused }: ReplayJob): Filter<ReplayJob> {
  return { _id, state: 'running', rate_per_second: rate, paused: paused === true ? true : { $ne: true } };
}

function changeUpdate({ rate_per_second: rate, paused }: ReplayChange): object[] {
  const isResumed = { $and: [{ $eq: ['$paused', true] }, { $eq: ['$claimed_by', null] }, !paused] };
  return [
    {
      $set: { rate_per_second: rate, paused, changed_at: '$$NOW', due_at: { $cond: [isResumed, '$$NOW', '$due_at'] } },
    },
  ];
}

function changesOf(job: ReplayJob, next: ReplayChange): FieldChange[] {
  const before = { rate_per_second: job.rate_per_second, paused: job.paused ?? false };
  return (['rate_per_second', 'paused'] as const)
    .filter((field) => before[field] !== next[field])
    .map((field) => ({ field, from: String(before[field]), to: String(next[field]) }));
}
