import { Timestamp, type Collection } from 'mongodb';
import { SET_BACK_MS } from '../domain/clock-set-back';
import type { AttemptInput } from '../domain/delivery-contract';
import { FAST, insertAllNew } from '../platform/mongo';
import { createWriteGroup, type WriteGroup } from '../platform/write-groups';
import { attemptId, type Attempt, type AttemptRef, type StoredAnswer } from './attempt-store';

/** What a claim came to. */
export type ClaimResult =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  /** The lease is over after `forMs`, by the database's clock. */
  | { readonly kind: 'taken'; readonly forMs: number };

/** Who makes an attempt: one process at a time. */
export interface ClaimStore {
  /**
   * Takes the attempt for `owner` for the store's lease, unless it is answered or somebody else's.
   * An owner may take its own again: inside a process the attempt is single-flight.
   */
  claim(input: AttemptInput, owner: string): Promise<ClaimResult>;
  /**
   * Whether somebody is making the attempt now: it is claimed and not answered, and the claim's lease is not over, nor from
   * before the database's clock was set back.
   */
  isUnderWay(attempt: AttemptRef): Promise<boolean>;
  /** Gives a claim back: nothing was sent. */
  release(input: AttemptInput, owner: string): Promise<void>;
}

/** Margin to write an answer down, beyond the longest time that the receiver may take. */
const WRITE_DOWN_MS = 10_000;

/** How long a claim keeps others away: longer than any attempt that may take `timeoutMs`. */
export function claimLeaseMs(timeoutMs: number): number {
  return timeoutMs + WRITE_DOWN_MS;
}

/** @param leaseMs how long a claim of this process lasts (`claimLeaseMs`) */
export function createClaimStore(attempts: Collection<Attempt>, leaseMs: number): ClaimStore {
  const claims = groupedClaims(attempts, leaseMs);
  return {
    async claim(input, owner) {
      // Nearly always the attempt is new, and an insert is the cheapest claim there is.
      if (await claims.add({ input, owner })) return { kind: 'claimed' };
      return claimAgain(attempts, { input, owner }, leaseMs);
    },
    async isUnderWay(attempt) {
      const isClaimed = {
        _id: attemptId(attempt),
        answer: { $exists: false },
        $expr: {
          $and: [
            { $gt: [CLAIMED_UNTIL, '$$NOW'] },
            { $lte: [CLAIMED_UNTIL, { $add: [LONGEST_FROM_NOW, SET_BACK_MS] }] },
          ],
        },
      };
      return (await attempts.countDocuments(isClaimed, { limit: 1 })) > 0;
    },
    async release(input, owner) {
      const filter = { _id: attemptId(input), claimed_by: owner, answer: { $exists: false } };
      await attempts.deleteOne(filter, { writeConcern: FAST });
    },
  };
}

type Claim = { readonly input: AttemptInput; readonly owner: string };

/** First claims, inserted together. The result says whether the attempt was new. */
function groupedClaims(attempts: Collection<Attempt>, leaseMs: number): WriteGroup<Claim, boolean> {
  return createWriteGroup(
    (claims) =>
      insertAllNew(
        attempts,
        claims.map(({ input, owner }) => ({
          _id: attemptId(input),
          event_id: input.eventId,
          endpoint_id: input.endpointId,
          run: input.run,
          number: input.number,
          trigger: input.trigger,
          claimed_by: owner,
          // The server replaces an empty top-level timestamp by its own clock.
          claimed_at: new Timestamp({ t: 0, i: 0 }),
          lease_ms: leaseMs,
        })),
        FAST,
      ),
    { maxItems: 200, maxInFlight: 2 },
  );
}

/**
 * Claims an attempt that somebody claimed before: our own again, or one whose lease is over. From now on somebody else's
 * lease has an end on the wall clock, `$$NOW`, which is at most a whole lease away.
 */
async function claimAgain(
  attempts: Collection<Attempt>,
  { input, owner }: Claim,
  leaseMs: number,
): Promise<ClaimResult> {
  const isOurs = { $eq: ['$claimed_by', { $literal: owner }] };
  const isOver = { $lte: [CLAIMED_UNTIL, '$$NOW'] };
  const isFree = { $and: [{ $not: ['$answer'] }, { $or: [isOurs, isOver] }] };
  const attempt = await attempts.findOneAndUpdate(
    { _id: attemptId(input) },
    [
      {
        $set: {
          claimed_by: { $cond: [isFree, { $literal: owner }, '$claimed_by'] },
          lease_until: { $cond: [isFree, { $add: ['$$NOW', leaseMs] }, { $min: [CLAIMED_UNTIL, LONGEST_FROM_NOW] }] },
          lease_ms: { $cond: [isFree, leaseMs, '$lease_ms'] },
        },
      },
    ],
    {
      returnDocument: 'after',
      writeConcern: FAST,
      projection: { answer: 1, claimed_by: 1, left_ms: { $subtract: ['$lease_until', '$$NOW'] } },
    },
  );
  if (attempt?.answer) return { kind: 'answered', answer: attempt.answer };
  if (attempt?.claimed_by === owner) return { kind: 'claimed' };
  // Without an attempt it was given back this moment.
  const { left_ms: leftMs } = (attempt ?? { left_ms: 0 }) as { readonly left_ms: number };
  return { kind: 'taken', forMs: Math.max(leftMs, 0) };
}

/**
 * The claim's second as a date: 1970 plus so many seconds. It is cluster time, which only an insert gets from the server for
 * nothing. Cluster time is never behind the wall clock. It is ahead after a clock that was wrong was set right, and stands
 * still until the wall clock has caught up.
 */
const SECOND_OF_CLAIM = { $add: [new Date(0), { $multiply: [{ $tsSecond: '$claimed_at' }, 1_000] }] };
const LONGEST_FROM_NOW = { $add: ['$$NOW', '$lease_ms'] };
const CLAIMED_UNTIL = {
  $ifNull: ['$lease_until', { $add: [SECOND_OF_CLAIM, '$lease_ms'] }],
};
