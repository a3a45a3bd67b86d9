import { Timestamp, type Collection, type Db, type Document } from 'mongodb';
import type { Timings } from '../domain/attempt-timings';
import { endsWithin, timeIsOver } from '../domain/clock-set-back';
import { deliveryId, type AttemptInput, type DeliveryRef } from '../domain/delivery-contract';
import type { AttemptErrorCode } from '../domain/delivery-state';
import { systemClock } from '../platform/clock';
import { DURABLE, FAST, insertAllNew } from '../platform/mongo';
import type { PayloadBox } from '../payloads/payload-box';
import { createWriteGroup, DATA_PATH_GROUP, type WriteGroup } from '../platform/write-groups';
import { sealAnswer, type AnswerAtRest as AtRest } from './sealed-answer-store';

/** One attempt: first a claim, then the answer. Its id makes it unique on (delivery, run, number). */
export interface Attempt {
  /** `<event_id>.<endpoint_id>/<run>/<number>` */
  readonly _id: string;
  readonly event_id: number;
  readonly endpoint_id: string;
  readonly run: number;
  readonly number: number;
  readonly trigger: 'scheduled' | 'manual';
  /** Absent if the claim was part of the event's insert. */
  readonly claimed_by?: string;
  /** When it was first claimed, in cluster time. The lease starts here, unless `lease_until` is set. */
  readonly claimed_at?: Timestamp;
  /** The lease of the process that has the claim: another process may have another timeout. */
  readonly lease_ms?: number;
  /** Set on the wall clock when the attempt was requested again. */
  readonly lease_until?: Date;
  readonly answer?: StoredAnswer;
  /** When MongoDB removes it: not before its event. Absent in attempts of earlier versions. */
  readonly expires_at?: Date;
}

/** A receiver's answer as MongoDB has it. */
export type AnswerAtRest = AtRest<StoredAnswer>;

/** An attempt as MongoDB has it. */
export type AttemptAtRest = Omit<Attempt, 'answer'> & { readonly answer?: AnswerAtRest };

/** An attempt with an answer. */
export type AnsweredAttempt = Attempt & { readonly answer: StoredAnswer };

/** The receiver's answer, as the attempt history shows it. */
export interface StoredAnswer {
  readonly started_at: Date;
  readonly latency_ms: number;
  readonly succeeded: boolean;
  readonly status_code: number | null;
  readonly error_code: AttemptErrorCode | null;
  readonly error: string | null;
  readonly response_snippet: string | null;
  /** What was odd about a response whose status counts. */
  readonly warning?: string;
  /** The URL that it was sent to: the endpoint's URL may change between attempts. */
  readonly url: string;
  /** 1 when a pooled connection was reset and the request was sent again. */
  readonly resends: number;
  /** The wait before the next attempt, if its jitter or `Retry-After` made it longer than the schedule's. */
  readonly next_delay_ms?: number;
  readonly sent: SentParts;
  /** Set if no request was sent: there was no connection that could carry it. */
  readonly unsent?: true;
  /** Set if the attempt was made outside of an execution. */
  readonly express?: true;
  /** From the time when the attempt was due, by the database's clock, until it started; absent for a manual one. */
  readonly queued_ms?: number;
  readonly timings: Timings;
  /** As `keepHeaders` wrote them; absent without a response. */
  readonly response_headers?: string;
}

/** An answer without what its receiver sent, which is not opened to find out what follows from it. */
export type RecordedAnswer = Omit<StoredAnswer, 'response_snippet' | 'response_headers'>;

/**
 * The parts of a request that can't be derived later, because secrets and options change. `sentHeaders` adds the rest.
 */
export interface SentParts {
  /** `X-Webhook-Timestamp`: Unix seconds. */
  readonly timestamp: number;
  /** `X-Webhook-Signature`. */
  readonly signature: string;
  /** `X-Webhook-Signature-Next`, while the secret was being rotated. */
  readonly next_signature?: string;
  /** `webhook-signature`. */
  readonly standard_signature: string;
  /** `User-Agent`, which changes with the version. */
  readonly user_agent: string;
  /** `Accept`. Absent for attempts of versions that did not send it, and sent `Host` behind the signatures. */
  readonly accept?: string;
  /** `traceparent`, if the endpoint asks for it and the event belongs to a trace. */
  readonly traceparent?: string;
  /** Names of the headers that the endpoint's options added. Their values are the owner's secrets. */
  readonly hidden?: readonly string[];
}

/** What was received after a status: it may be recorded later than the rest of the answer. */
export type ReceivedParts = Pick<StoredAnswer, 'response_snippet' | 'response_headers' | 'warning'> & {
  /** `timings.body`; absent while the body is read. */
  readonly body_ms?: number;
};

/** An answer, and how it is recorded. */
interface Recording {
  readonly input: AttemptInput;
  readonly answer: StoredAnswer;
  readonly expiresAt: Date;
  /** Whose event it is. */
  readonly accountId: string;
  readonly isNew: boolean;
}

/** The key of an attempt. */
export type AttemptRef = DeliveryRef & Pick<AttemptInput, 'number'>;

export const ATTEMPTS_COLLECTION = 'attempts';

/** Id of an attempt in the database. */
export function attemptId(attempt: AttemptRef): string {
  return `${deliveryId(attempt)}/${attempt.run}/${attempt.number}`;
}

/** The filter of an attempt: with the event's id, which is the shard key (docs/sharding.md). */
function whereIs(attempt: AttemptRef): Pick<Attempt, '_id' | 'event_id'> {
  return { _id: attemptId(attempt), event_id: attempt.eventId };
}

/** The result of a claim. */
export type ClaimResult =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'answered'; readonly answer: AnswerAtRest }
  /** The lease ends in `forMs`, by the database's clock. */
  | { readonly kind: 'taken'; readonly forMs: number };

/**
 * Attempts: first a claim, then the answer. One process at a time makes an attempt.
 *
 * @param leaseMs how long a claim of this process lasts (`claimLeaseMs`)
 * @param keptMs how long a claim without an answer is kept
 */
export function createAttemptStore(db: Db, leaseMs: number, keptMs: number, payloads: PayloadBox) {
  const attempts: Collection<AttemptAtRest> = db.collection(ATTEMPTS_COLLECTION);
  const sealedFor = <Parts extends ReceivedParts>(input: AttemptInput, accountId: string, parts: Parts) =>
    sealAnswer(payloads, { id: attemptId(input), eventId: input.eventId, accountId }, parts);
  const claims = groupedClaims(attempts, leaseMs, keptMs);
  const { firsts, answers } = groupedAnswers(attempts);
  return {
    /**
     * Claims the attempt for `owner` for the store's lease, unless it has an answer or belongs to another process. An
     * owner may claim it again: within a process the attempt is single-flight.
     */
    async claim(input: AttemptInput, owner: string): Promise<ClaimResult> {
      // The attempt is nearly always new, and an insert is the cheapest claim.
      if (await claims.add({ input, owner })) return { kind: 'claimed' };
      return claimAgain(attempts, { input, owner }, leaseMs);
    },
    /**
     * Whether a process is making the attempt now: it is claimed without an answer, and the claim's lease has not ended
     * and is not from before the database's clock was set back.
     */
    async isUnderWay(attempt: AttemptRef): Promise<boolean> {
      const isClaimed = {
        ...whereIs(attempt),
        answer: { $exists: false },
        $expr: { $not: [timeIsOver(CLAIMED_UNTIL, '$lease_ms')] },
      };
      return (await attempts.countDocuments(isClaimed, { limit: 1 })) > 0;
    },
    /** Releases a claim: nothing was sent. */
    async release(input: AttemptInput, owner: string): Promise<void> {
      const filter = { ...whereIs(input), claimed_by: owner, answer: { $exists: false } };
      await attempts.deleteOne(filter, { writeConcern: FAST });
    },
    /**
     * Writes an answer durably. The first one stays, but a 2xx replaces a failure: of two processes that made the attempt,
     * because one was stopped past its claim, one may have delivered it, and then the delivery is delivered.
     *
     * @param recording `isNew`: the claim is part of the event's insert, so the attempt has no record yet
     * @returns the answer that the attempt has now, as it is stored
     */
    async answer({ isNew, accountId, input, answer, expiresAt }: Recording): Promise<AnswerAtRest> {
      const write = { input, answer: await sealedFor(input, accountId, answer), expiresAt };
      // An insert costs MongoDB a third of what the update costs.
      if (isNew && (await firsts.add(write))) return write.answer;
      return answers.add(write);
    },
    /** Replaces what was received, by what had been received at its end. A lost one is only not shown. */
    async addReceived(
      input: AttemptInput,
      answer: StoredAnswer,
      { accountId, parts }: { readonly accountId: string; readonly parts: ReceivedParts },
    ): Promise<void> {
      const { body_ms: body, ...received } = await sealedFor(input, accountId, parts);
      const added = Object.entries({ ...received, 'timings.body': body }).filter(([, value]) => value !== undefined);
      const update = { $set: Object.fromEntries(added.map(([name, value]) => [`answer.${name}`, value])) };
      // Another process may have made the attempt again, and recorded its answer first.
      const filter = { ...whereIs(input), 'answer.started_at': answer.started_at };
      await attempts.updateOne(filter, update, { writeConcern: FAST });
    },
  };
}

type AnswerWrite = { readonly input: AttemptInput; readonly answer: AnswerAtRest; readonly expiresAt: Date };

/** Writes answers in groups: of attempts without a record, and of any. */
function groupedAnswers(attempts: Collection<AttemptAtRest>) {
  const firsts = createWriteGroup(
    (items: readonly AnswerWrite[]) =>
      insertAllNew(
        attempts,
        items.map(({ input, answer, expiresAt }) => ({ ...attemptOf(input), answer, expires_at: expiresAt })),
        DURABLE,
      ),
    DATA_PATH_GROUP,
  );
  // A repeated record finds the first answer and changes nothing.
  const answers = createWriteGroup(async (items: readonly AnswerWrite[]) => {
    const updates = items.map(({ input, answer, expiresAt }) => ({
      updateOne: {
        filter: whereIs(input),
        update: [
          {
            $set: {
              endpoint_id: { $literal: input.endpointId },
              run: input.run,
              number: input.number,
              trigger: { $ifNull: ['$trigger', input.trigger] },
              answer: { $cond: [staysBefore(answer), '$answer', { $literal: answer }] },
              expires_at: expiresAt,
            },
          },
        ],
        upsert: true,
      },
    }));
    const written = await attempts.bulkWrite(updates, { ordered: false, writeConcern: DURABLE });
    if (written.modifiedCount + written.upsertedCount === items.length) return items.map(({ answer }) => answer);
    // Some answers did not replace the one that is stored.
    const eventIds = items.map(({ input }) => input.eventId);
    const stored = await attempts
      .find({ _id: { $in: items.map(({ input }) => attemptId(input)) }, event_id: { $in: eventIds } })
      .toArray();
    const byId = new Map(stored.map(({ _id, answer }) => [_id, answer]));
    return items.map(({ input, answer }) => byId.get(attemptId(input)) ?? answer);
  }, DATA_PATH_GROUP);
  return { firsts, answers };
}

/** Whether the stored answer, if there is one, stays when this one comes. */
function staysBefore({ succeeded }: AnswerAtRest): Document {
  const isStored = { $gt: ['$answer', null] };
  return succeeded ? { $eq: ['$answer.succeeded', true] } : isStored;
}

/** The record of an attempt without a claim and an answer. */
function attemptOf(input: AttemptInput): Attempt {
  const { eventId, endpointId, run, number, trigger } = input;
  return { _id: attemptId(input), event_id: eventId, endpoint_id: endpointId, run, number, trigger };
}

type Claim = { readonly input: AttemptInput; readonly owner: string };

/** First claims, inserted in groups. The result says whether the attempt was new. */
function groupedClaims(
  attempts: Collection<AttemptAtRest>,
  leaseMs: number,
  keptMs: number,
): WriteGroup<Claim, boolean> {
  return createWriteGroup(
    (claims) =>
      insertAllNew(
        attempts,
        claims.map(({ input, owner }) => ({
          ...attemptOf(input),
          claimed_by: owner,
          // The server replaces an empty top-level timestamp by its own clock.
          claimed_at: new Timestamp({ t: 0, i: 0 }),
          lease_ms: leaseMs,
          expires_at: new Date(systemClock() + keptMs),
        })),
        FAST,
      ),
    DATA_PATH_GROUP,
  );
}

/**
 * Claims an attempt that was claimed before: by this process, or with a lease that has ended. From now on another
 * process's lease has an end on the wall clock, `$$NOW`, at most one whole lease away.
 */
async function claimAgain(
  attempts: Collection<AttemptAtRest>,
  { input, owner }: Claim,
  leaseMs: number,
): Promise<ClaimResult> {
  const isOurs = { $eq: ['$claimed_by', { $literal: owner }] };
  const hasEnded = { $lte: [CLAIMED_UNTIL, '$$NOW'] };
  const isFree = { $and: [{ $not: ['$answer'] }, { $or: [isOurs, hasEnded] }] };
  const attempt = await attempts.findOneAndUpdate(
    { _id: attemptId(input), event_id: input.eventId },
    [
      {
        $set: {
          claimed_by: { $cond: [isFree, { $literal: owner }, '$claimed_by'] },
          lease_until: { $cond: [isFree, { $add: ['$$NOW', leaseMs] }, endsWithin(CLAIMED_UNTIL, '$lease_ms')] },
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
  // Without an attempt it was released at this moment.
  const { left_ms: leftMs } = (attempt ?? { left_ms: 0 }) as { readonly left_ms: number };
  return { kind: 'taken', forMs: Math.max(leftMs, 0) };
}

/**
 * The claim's second as a date: 1970 plus this many seconds. It is cluster time, which only an insert gets from the
 * server without a query. Cluster time is never behind the wall clock. It is ahead after a wrong clock was set right,
 * and then stands still until the wall clock has caught up.
 */
const SECOND_OF_CLAIM = { $add: [new Date(0), { $multiply: [{ $tsSecond: '$claimed_at' }, 1_000] }] };
const CLAIMED_UNTIL = {
  $ifNull: ['$lease_until', { $add: [SECOND_OF_CLAIM, '$lease_ms'] }],
};
