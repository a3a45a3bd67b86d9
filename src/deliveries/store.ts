import { Timestamp, type Collection, type Db } from 'mongodb';
import { deliveryId, type AttemptAnswer, type AttemptInput, type DeliveryRef } from '../domain/delivery-contract';
import { isFinished, type AttemptErrorCode } from '../domain/delivery-state';
import { EVENTS_COLLECTION, type Destination, type StoredEvent } from '../events/store';
import { createReadGroup, DURABLE, FAST, insertAllNew } from '../platform/mongo';
import { createWriteGroup, type WriteGroup } from '../platform/write-groups';
import { groupedMoves, groupedStarts } from './moves-store';
import { createDeliveryOperations, type DeliveryOperations } from './operations-store';

/** One attempt: first a claim, then the answer. Unique on (delivery, run, number) by its id. */
export interface Attempt {
  /** `<event_id>.<endpoint_id>/<run>/<number>` */
  readonly _id: string;
  readonly event_id: number;
  readonly endpoint_id: string;
  readonly run: number;
  readonly number: number;
  readonly trigger: 'scheduled' | 'manual';
  /** Absent where an answer was written down without a claim in the database. */
  readonly claimed_by?: string;
  /** When it was first claimed, by the database's clock. The lease is 40 s from here, unless `lease_until` says else. */
  readonly claimed_at?: Timestamp;
  /** Set when the attempt was claimed again. */
  readonly lease_until?: Date;
  /** Whether somebody found the lease over: it is taken at the second look. */
  readonly seen_expired?: boolean;
  readonly answer?: StoredAnswer;
}

/** What the receiver answered, as the attempt history keeps it. */
export interface StoredAnswer {
  readonly started_at: Date;
  readonly latency_ms: number;
  readonly succeeded: boolean;
  readonly status_code: number | null;
  readonly error_code: AttemptErrorCode | null;
  readonly error: string | null;
  readonly response_snippet: string | null;
  /** Where it went: the endpoint's URL may change between attempts. */
  readonly url: string | null;
  /** 1 when a pooled connection was reset and the request was sent once more. */
  readonly resends: number;
  /** The wait before the next attempt, where `Retry-After` made it longer than the schedule says. */
  readonly next_delay_ms?: number;
  /** Absent where the answer was written down by another process than the one that sent. */
  readonly sent?: SentParts;
}

/** What of a request can't be derived later, since secrets and options change. `sentHeaders` puts the rest to it. */
export interface SentParts {
  /** `X-Webhook-Timestamp`: Unix seconds. */
  readonly timestamp: number;
  /** `X-Webhook-Signature`. */
  readonly signature: string;
  /** `X-Webhook-Signature-Next`, while the secret was being rotated. */
  readonly next_signature?: string;
  /** `webhook-signature`. */
  readonly standard_signature: string;
  /** Names of the headers that the endpoint's options added. Their values are the owner's secrets. */
  readonly hidden?: readonly string[];
}

/** What a claim came to. */
export type ClaimResult =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  /** The lease is over after `forMs`, by the database's clock. */
  | { readonly kind: 'taken'; readonly forMs: number };

/** A delivery with what an attempt needs of its event. */
export interface LoadedDelivery {
  readonly event: LoadedEvent;
  readonly destination: Destination;
}

type LoadedEvent = Pick<StoredEvent, '_id' | 'account_id' | 'type' | 'data' | 'timestamp' | 'destinations'>;

/** Names an attempt. */
export type AttemptRef = DeliveryRef & Pick<AttemptInput, 'number'>;

/** Moves deliveries: claims, answers and states. The one place that changes an event's destinations. */
export interface DeliveryStore extends DeliveryOperations {
  ensureIndexes(): Promise<void>;
  /** @returns null when the event or its destination is gone */
  load(ref: DeliveryRef): Promise<LoadedDelivery | null>;
  /**
   * Takes the attempt for `owner` for 40 s, unless it is answered or somebody else's.
   * An owner may take its own again: inside a process the attempt is single-flight. A lease that is over is prolonged
   * once, by 5 s, before anybody else gets it: after an outage of the database its owner may come with the answer.
   */
  claim(input: AttemptInput, owner: string): Promise<ClaimResult>;
  /** Whether somebody is making the attempt now: it is claimed and not answered, and the claim's lease is not over. */
  isUnderWay(attempt: AttemptRef): Promise<boolean>;
  /** Gives a claim back: nothing was sent. */
  release(input: AttemptInput, owner: string): Promise<void>;
  /** Writes an answer and moves the delivery, durably; a second time changes nothing. */
  record(input: AttemptInput, answer: StoredAnswer): Promise<void>;
  /** Moves the delivery for an answer that is in the history already. */
  applyAnswer(input: AttemptInput, answer: Pick<StoredAnswer, 'succeeded' | 'next_delay_ms'>): Promise<void>;
  /** Notes that the run's workflow is started. */
  markStarted(ref: DeliveryRef): Promise<void>;
  /** Whether the run's workflow is not known to be started, and the delivery not finished without one. */
  awaitsStart(ref: DeliveryRef): Promise<boolean>;
  /** Answered attempts of an event, in the order they were made. */
  listAttempts(eventId: number): Promise<(Attempt & { readonly answer: StoredAnswer })[]>;
}

/** Longer than any attempt: 30 s for the receiver, and margin to write its answer down. */
const CLAIM_LEASE_MS = 40_000;
/** Longer than it takes a worker with an answer to find that the database is back, and to write it down. */
const LOOK_AGAIN_MS = 5_000;

export const ATTEMPTS_COLLECTION = 'attempts';

/** Id of an attempt in the database. */
export function attemptId(attempt: AttemptRef): string {
  return `${deliveryId(attempt)}/${attempt.run}/${attempt.number}`;
}

export function createDeliveryStore(db: Db): DeliveryStore {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const attempts: Collection<Attempt> = db.collection(ATTEMPTS_COLLECTION);
  const answers = groupedAnswers(attempts);
  const moves = groupedMoves(events);
  const starts = groupedStarts(events);
  const loads = createReadGroup<StoredEvent, LoadedEvent>(events, {
    account_id: 1,
    type: 1,
    data: 1,
    timestamp: 1,
    destinations: 1,
  });
  const states = createReadGroup<StoredEvent, Pick<StoredEvent, '_id' | 'destinations'>>(events, { destinations: 1 });
  const claims = groupedClaims(attempts);
  const applyAnswer: DeliveryStore['applyAnswer'] = (input, { succeeded, next_delay_ms: nextDelayMs }) =>
    moves.add({ input: nextDelayMs === undefined ? input : { ...input, nextDelayMs }, succeeded });
  return {
    ...createDeliveryOperations(events),
    async ensureIndexes() {
      await attempts.createIndexes([{ key: { event_id: 1 } }]);
    },
    async load(ref) {
      const event = await loads.add(ref.eventId);
      const destination = event?.destinations.find(({ endpoint_id }) => endpoint_id === ref.endpointId);
      return event && destination ? { event, destination } : null;
    },
    async claim(input, owner) {
      // Nearly always the attempt is new, and an insert is the cheapest claim there is.
      if (await claims.add({ input, owner })) return { kind: 'claimed' };
      return claimAgain(attempts, input, owner);
    },
    async isUnderWay(attempt) {
      const isClaimed = {
        _id: attemptId(attempt),
        answer: { $exists: false },
        $expr: { $gt: [CLAIMED_UNTIL, '$$NOW'] },
      };
      return (await attempts.countDocuments(isClaimed, { limit: 1 })) > 0;
    },
    async release(input, owner) {
      const filter = { _id: attemptId(input), claimed_by: owner, answer: { $exists: false } };
      await attempts.deleteOne(filter, { writeConcern: FAST });
    },
    async record(input, answer) {
      // One after the other: a crash may leave an answer whose state has not followed yet, and whoever asks for the
      // attempt again makes that good. A state without its answer would stay so.
      await answers.add({ input, answer });
      await applyAnswer(input, answer);
    },
    applyAnswer,
    markStarted: (ref) => starts.add(ref),
    async awaitsStart({ eventId, endpointId, run }) {
      const event = await states.add(eventId);
      const destination = event?.destinations.find((it) => it.endpoint_id === endpointId && it.run === run);
      return destination !== undefined && !destination.started && !isFinished(destination.state);
    },
    listAttempts: (eventId) =>
      attempts
        .find<Attempt & { answer: StoredAnswer }>({ event_id: eventId, answer: { $exists: true } })
        .sort({ run: 1, number: 1 })
        .toArray(),
  };
}

/** Turns the workflow's outcome into a stored answer; the snippet did not travel through Temporal. */
export function storedAnswerOf(answer: AttemptAnswer): StoredAnswer {
  return {
    started_at: new Date(answer.startedAtMs),
    latency_ms: answer.latencyMs,
    succeeded: answer.succeeded,
    status_code: answer.statusCode,
    error_code: answer.errorCode,
    error: null,
    response_snippet: null,
    url: null,
    resends: 0,
    ...(answer.nextDelayMs !== undefined && { next_delay_ms: answer.nextDelayMs }),
  };
}

type Claim = { readonly input: AttemptInput; readonly owner: string };

/** First claims, inserted together. The result says whether the attempt was new. */
function groupedClaims(attempts: Collection<Attempt>): WriteGroup<Claim, boolean> {
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
        })),
        FAST,
      ),
    GROUP,
  );
}

/** Claims an attempt that somebody claimed before: our own again, or one whose lease is over at the second look. */
async function claimAgain(attempts: Collection<Attempt>, input: AttemptInput, owner: string): Promise<ClaimResult> {
  const isOpen = { $not: ['$answer'] };
  const isOurs = { $and: [isOpen, { $eq: ['$claimed_by', { $literal: owner }] }] };
  const isOver = { $and: [isOpen, { $lte: [CLAIMED_UNTIL, '$$NOW'] }] };
  const isFree = { $or: [isOurs, { $and: [isOver, '$seen_expired'] }] };
  const prolonged = { $cond: [isOver, { $add: ['$$NOW', LOOK_AGAIN_MS] }, CLAIMED_UNTIL] };
  const attempt = await attempts.findOneAndUpdate(
    { _id: attemptId(input) },
    [
      {
        $set: {
          claimed_by: { $cond: [isFree, { $literal: owner }, '$claimed_by'] },
          lease_until: { $cond: [isFree, { $add: ['$$NOW', CLAIM_LEASE_MS] }, prolonged] },
          seen_expired: { $and: [{ $not: [isFree] }, { $or: ['$seen_expired', isOver] }] },
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

/** The claim's second as a date: 1970 plus so many seconds. */
const SECOND_OF_CLAIM = { $add: [new Date(0), { $multiply: [{ $tsSecond: '$claimed_at' }, 1_000] }] };
const CLAIMED_UNTIL = { $ifNull: ['$lease_until', { $add: [SECOND_OF_CLAIM, CLAIM_LEASE_MS] }] };

const GROUP = { maxItems: 200, maxInFlight: 2 };

type AnswerWrite = { readonly input: AttemptInput; readonly answer: StoredAnswer };

/** The first answer stays: a repeated record finds it there and changes nothing. */
function groupedAnswers(attempts: Collection<Attempt>): WriteGroup<AnswerWrite, void> {
  return createWriteGroup(async (items) => {
    const updates = items.map(({ input, answer }) => ({
      updateOne: {
        filter: { _id: attemptId(input) },
        update: [
          {
            $set: {
              event_id: input.eventId,
              endpoint_id: { $literal: input.endpointId },
              run: input.run,
              number: input.number,
              trigger: { $ifNull: ['$trigger', input.trigger] },
              answer: { $ifNull: ['$answer', { $literal: answer }] },
            },
          },
        ],
        upsert: true,
      },
    }));
    await attempts.bulkWrite(updates, { ordered: false, writeConcern: DURABLE });
    return items.map(() => ({ value: undefined }));
  }, GROUP);
}
