import { Binary, type Collection, type Db, type IndexDescription } from 'mongodb';
import { serialiseInsertions } from '../accounts/account-store';
import { accountSuspended } from '../domain/account-suspended';
import type { PayloadBox } from '../payloads/payload-box';
import { DURABLE, findNewestFirst, inTransaction } from '../platform/mongo';
import { createJobClaims, IS_DUE, type ClaimedJob } from '../platform/mongo-jobs';
import type { ListPosition } from '../platform/cursor';

/** States of an erasure, as in the API. */
export const ERASURE_STATES = ['running', 'completed'] as const;
export type ErasureState = (typeof ERASURE_STATES)[number];

/** An erasure of everything that has a search value. */
export interface ErasureJob extends ClaimedJob {
  readonly account_id: string;
  readonly state: ErasureState;
  /** The search field. Its value is in `search` alone. */
  readonly field: string;
  /** `<field>:<value>`, sealed with the account's key; absent once the erasure has ended. */
  readonly search?: Binary;
  /** By the database's clock. The erasure ends when no event from before has the value any more. */
  readonly created_at: Date;
  readonly finished_at: Date | null;
  /** When it is deleted; running ones have no expiry. */
  readonly expires_at?: Date;
  /** How many events it has erased. */
  readonly erased: number;
  /** Finished pages. */
  readonly pages: number;
  /** Ids of the events that are being erased. Stored first, so that repeating the page finds them again. */
  readonly page: readonly number[] | null;
  /** Whether the page is the last one. */
  readonly is_last: boolean;
}

const SEARCH_PART = 'search';
const ownerOf = ({ _id: id }: ErasureJob): string => `erasure:${id}`;

const INDEXES: IndexDescription[] = [
  { key: { account_id: 1, created_at: -1, _id: -1 } },
  { key: { expires_at: 1 }, expireAfterSeconds: 0 },
  { key: { due_at: 1 }, partialFilterExpression: IS_DUE },
  { key: { account_id: 1 }, partialFilterExpression: { state: 'running' } },
];

export type ErasureStore = ReturnType<typeof createErasureStore>;

/**
 * Reads and writes erasures. Every change of one is a compare-and-set.
 *
 * @param retentionMs how long an erasure is kept after its end
 */
export function createErasureStore(db: Db, retentionMs: number, payloads: PayloadBox) {
  const jobs: Collection<ErasureJob> = db.collection('erasures');
  return {
    async ensureIndexes(): Promise<void> {
      await jobs.createIndexes(INDEXES);
    },
    ...createJobClaims(jobs),
    /**
     * Inserts an erasure, unless its account has `most` that are running.
     *
     * @param search `<field>:<value>`, which is sealed, also where payloads are not
     * @returns false if it has
     * @throws ForbiddenError `account_suspended` if the account is being deleted
     */
    async insert(erasure: ErasureJob, search: string, most: number): Promise<boolean> {
      const { account_id: accountId } = erasure;
      const key = await payloads.keyToSeal(accountId);
      if (!key) throw accountSuspended();
      const job = { ...erasure, search: new Binary(key.seal(ownerOf(erasure), SEARCH_PART, Buffer.from(search))) };
      return inTransaction(db, async (session) => {
        await serialiseInsertions(db, accountId, 'erasures_version', session);
        const running = await jobs.countDocuments({ account_id: accountId, state: 'running' }, { session });
        if (running < most) await jobs.insertOne(job, { session });
        return running < most;
      });
    },
    /** The value that a running erasure looks for. @throws UnavailableError when this process can't open it */
    async searchOf(job: ErasureJob): Promise<string> {
      const key = await payloads.keyToOpen(job.account_id);
      return key.open(ownerOf(job), SEARCH_PART, job.search!.value()).toString();
    },
    find: (id: string) => jobs.findOne({ _id: id }),
    /** A page of an account's erasures, newest first, after the given position. */
    page: (accountId: string, limit: number, after?: ListPosition) =>
      findNewestFirst(jobs, { account_id: accountId }, limit, after),
    /** Stores page number `job.pages`. @returns false when the erasure advanced or ended meanwhile */
    async beginPage({ _id, pages }: ErasureJob, page: readonly number[], isLast: boolean): Promise<boolean> {
      const goesOn = { _id, pages, page: null, state: 'running' } as const;
      const update = { $set: { page, is_last: isLast } };
      return (await jobs.updateOne(goesOn, update, { writeConcern: DURABLE })).modifiedCount === 1;
    },
    /** Closes page number `job.pages`, once. After the last page the erasure has ended, and has no value any more. */
    async endPage({ _id, pages, page, is_last: isLast }: ErasureJob): Promise<void> {
      const counted = { page: null, pages: pages + 1, erased: { $add: ['$erased', page?.length ?? 0] } };
      const ended = { state: 'completed', finished_at: '$$NOW', expires_at: { $add: ['$$NOW', retentionMs] } };
      await jobs.updateOne(
        { _id, pages, page: { $ne: null } },
        [{ $set: { ...counted, ...(isLast && ended) } }, ...(isLast ? [{ $unset: 'search' }] : [])],
        { writeConcern: DURABLE },
      );
    },
  };
}
