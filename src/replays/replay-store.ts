import type { ClientSession, Collection, Db, Filter, IndexDescription, UpdateFilter } from 'mongodb';
import { serialiseInsertions } from '../accounts/account-store';
import { changeAudited } from '../accounts/audit-store';
import type { By, FieldChange } from '../domain/audit-actions';
import type { DeliveryRef } from '../domain/delivery-contract';
import type { ReplayableState, ReplayState } from '../domain/replay-contract';
import type { DeliveryPosition } from '../stores/list-deliveries-store';
import { DURABLE, findNewestFirst, inTransaction } from '../platform/mongo';
import { createJobClaims, IS_DUE, type ClaimedJob } from '../platform/mongo-jobs';
import type { ListPosition } from '../platform/cursor';

/** The deliveries that a bulk replay sends again. Null selects everything. */
export interface ReplayFilter {
  readonly state: ReplayableState;
  readonly endpoint_id: string | null;
  readonly type: string | null;
  /** When their events were accepted: at or after the first, and before the second. */
  readonly after: Date | null;
  readonly before: Date | null;
  /** When they finished: at or after the first, and before the second. */
  readonly completed_after: Date | null;
  readonly completed_before: Date | null;
}

/** A delivery of a page. */
export interface JournaledDelivery extends DeliveryRef {
  /** The attempt that is made now, if the delivery is still retried: repeating the page makes no other one. */
  readonly number?: number;
}

/** A page that is being replayed. It is stored first, so that repeating it does exactly the same. */
export interface JournaledPage {
  readonly deliveries: readonly JournaledDelivery[];
  /** Where the next page begins; null if there is none. */
  readonly next: DeliveryPosition | null;
}

/** A bulk replay. */
export interface ReplayJob extends ClaimedJob {
  readonly _id: string;
  readonly account_id: string;
  readonly filter: ReplayFilter;
  readonly rate_per_second: number;
  readonly state: ReplayState;
  /** Whether it starts nothing more until it is resumed. Absent in jobs of earlier versions. */
  readonly paused?: boolean;
  /** When its rate was last changed, or it was paused or resumed; absent if it never was. */
  readonly changed_at?: Date;
  /** By the database's clock. Deliveries that finished later are not replayed. */
  readonly created_at: Date;
  readonly finished_at: Date | null;
  /** When it is deleted; running jobs have no expiry. */
  readonly expires_at?: Date;
  /** The number of the job's deliveries; null until they are counted. */
  readonly matched: number | null;
  readonly replayed: number;
  /** Not replayed: their state changed meanwhile, their endpoint was removed, or they have had `MAX_RUNS` runs. */
  readonly skipped: number;
  /** Of `skipped`: those that have had `MAX_RUNS` runs. Absent in jobs of earlier versions. */
  readonly at_run_limit?: number;
  /** Finished pages. */
  readonly pages: number;
  readonly page: JournaledPage | null;
  /** Where the next page begins; null before the first one. */
  readonly position: DeliveryPosition | null;
  readonly is_exhausted: boolean;
}

/** What can change while a job runs. */
export type ReplayChange = Pick<ReplayJob, 'rate_per_second'> & { readonly paused: boolean };

/** The result of a page. */
export interface PageResult {
  readonly replayed: number;
  readonly skipped: number;
  /** Of `skipped`. */
  readonly atRunLimit: number;
}

const INDEXES: IndexDescription[] = [
  { key: { account_id: 1, created_at: -1, _id: -1 } },
  { key: { expires_at: 1 }, expireAfterSeconds: 0 },
  { key: { due_at: 1 }, partialFilterExpression: IS_DUE },
  // Ended jobs stay for the retention period, and an account may have any number of them.
  { key: { account_id: 1 }, partialFilterExpression: { state: 'running' } },
];

export type ReplayStore = ReturnType<typeof createReplayStore>;

/**
 * Reads and writes bulk replays. Every change of one is a compare-and-set.
 *
 * @param retentionMs how long a job is kept after its end
 */
export function createReplayStore(db: Db, retentionMs: number) {
  const jobs: Collection<ReplayJob> = db.collection('replays');
  const change = (filter: object, update: UpdateFilter<ReplayJob> | object[]) =>
    jobs.findOneAndUpdate(filter, update, { returnDocument: 'after', writeConcern: DURABLE });
  return {
    async ensureIndexes(): Promise<void> {
      await jobs.createIndexes(INDEXES);
    },
    /** Inserts a job, unless its account has `most` that are running. @returns false if it has */
    insert: (job: ReplayJob, most: number): Promise<boolean> =>
      inTransaction(db, async (session) => {
        const { account_id: accountId } = job;
        await serialiseInsertions(db, accountId, 'replays_version', session);
        const running = await jobs.countDocuments({ account_id: accountId, state: 'running' }, { session });
        if (running < most) await jobs.insertOne(job, { session });
        return running < most;
      }),
    ...createJobClaims(jobs),
    find: (id: string) => jobs.findOne({ _id: id }),
    /** A page of an account's jobs, newest first, after the given position. */
    page: (accountId: string, limit: number, after?: ListPosition) =>
      findNewestFirst(jobs, { account_id: accountId }, limit, after),
    async setMatched(id: string, matched: number): Promise<void> {
      await jobs.updateOne({ _id: id, matched: null }, { $set: { matched } });
    },
    /**
     * Changes a running job, with an audit entry. A paused one is left to the process that has it, which lets it go. One
     * that is resumed is due at once, unless a process has it.
     *
     * @returns the changed job; null when it ended, or was changed since it was read
     */
    change: (job: ReplayJob, next: ReplayChange, by: By): Promise<ReplayJob | null> =>
      changeJob(db, jobs, { job, next, by }),
    /** Stores page number `job.pages`. @returns false when the job advanced, was paused or ended meanwhile */
    async beginPage({ _id, pages }: ReplayJob, page: JournaledPage): Promise<boolean> {
      const goesOn = { _id, pages, page: null, state: 'running', paused: { $ne: true } };
      return (await change(goesOn, { $set: { page } })) !== null;
    },
    /** Closes page number `job.pages`, once. */
    async endPage(
      { _id, pages, page, position }: ReplayJob,
      { replayed, skipped, atRunLimit }: PageResult,
    ): Promise<void> {
      const next = page?.next ?? null;
      await change(
        { _id, pages, page: { $ne: null } },
        {
          $set: { page: null, position: next ?? position, is_exhausted: next === null },
          $inc: { pages: 1, replayed, skipped, at_run_limit: atRunLimit },
        },
      );
    },
    /** Ends a running job. @returns false when it had already ended */
    async end(id: string, state: Exclude<ReplayState, 'running'>): Promise<boolean> {
      return (await change({ _id: id, state: 'running' }, endUpdate(state, retentionMs))) !== null;
    },
    /** Cancels an account's running jobs, in a transaction. */
    async cancelAllOf(accountId: string, session: ClientSession): Promise<void> {
      const running = { account_id: accountId, state: 'running' as const };
      await jobs.updateMany(running, endUpdate('cancelled', retentionMs), { session });
    },
  };
}

/** One change of a job: the job as it was read, what it becomes, and who does it. */
interface JobChange {
  readonly job: ReplayJob;
  readonly next: ReplayChange;
  readonly by: By;
}

/** Changes a running job, unless it was changed since it was read, in one transaction with the audit entry. */
function changeJob(db: Db, jobs: Collection<ReplayJob>, { job, next, by }: JobChange): Promise<ReplayJob | null> {
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

function endUpdate(state: ReplayState, retentionMs: number): object[] {
  // Deliveries that left the job's set meanwhile, for example by a manual replay, count as skipped too.
  const left = { $subtract: [{ $ifNull: ['$matched', 0] }, '$replayed'] };
  const skipped = state === 'completed' ? { $max: [0, left] } : '$skipped';
  const expiresAt = { $add: ['$$NOW', retentionMs] };
  return [{ $set: { state, skipped, finished_at: '$$NOW', expires_at: expiresAt } }];
}
