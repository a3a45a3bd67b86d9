import type { Collection, Filter } from 'mongodb';
import { timeIsOver } from '../domain/clock-set-back';
import { FAST } from './mongo';

/** What a durable job has, so that one process at a time runs it. */
export interface ClaimedJob {
  readonly _id: string;
  readonly state: string;
  /** Whether it starts nothing more until it is resumed. */
  readonly paused?: boolean;
  /** The process that runs it; null if none does. */
  readonly claimed_by: string | null;
  /** From when on any process may run it; null if nothing is left to do, or if it is paused. */
  readonly due_at: Date | null;
}

/** Not finished, or with something that is not counted yet. For a partial index. */
export const IS_DUE = { due_at: { $type: 'date' as const } };

/** The claims of durable jobs in a collection. A claim ends by itself, so another process continues a dead one's job. */
export interface JobClaims<Job extends ClaimedJob> {
  /** Claims a due job that no process runs, for `leaseMs`: the one that is due for longest. */
  claim(owner: string, leaseMs: number): Promise<Job | null>;
  /** Extends the claim on a job by `leaseMs`. @returns the job; null when another process has it, or when it is gone */
  keep(id: string, owner: string, leaseMs: number): Promise<Job | null>;
  /** Releases a job; one that is still running and not paused is due at once. */
  letGo(id: string, owner: string): Promise<void>;
}

/** @param jobs needs an index on `due_at` */
export function createJobClaims<Job extends ClaimedJob>(jobs: Collection<Job>): JobClaims<Job> {
  const updated = (filter: object, update: object[], sort?: Record<string, 1>) =>
    jobs.findOneAndUpdate(filter, update, {
      returnDocument: 'after',
      writeConcern: FAST,
      ...(sort && { sort }),
    }) as Promise<Job | null>;
  return {
    claim: (owner, leaseMs) =>
      updated(
        { ...IS_DUE, $expr: timeIsOver('$due_at', leaseMs) },
        [{ $set: { claimed_by: { $literal: owner }, due_at: { $add: ['$$NOW', leaseMs] } } }],
        { due_at: 1 },
      ),
    keep: (id, owner, leaseMs) =>
      updated({ _id: id, claimed_by: owner }, [{ $set: { due_at: { $add: ['$$NOW', leaseMs] } } }]),
    async letGo(id, owner) {
      const goesOn = { $and: [{ $eq: ['$state', 'running'] }, { $ne: ['$paused', true] }] };
      const dueAt = { $cond: [goesOn, '$$NOW', null] };
      await jobs.updateOne({ _id: id, claimed_by: owner } as Filter<Job>, [
        { $set: { claimed_by: null, due_at: dueAt } },
      ]);
    },
  };
}
