import type { Collection, Timestamp } from 'mongodb';
import { deliveryId, type AttemptInput, type DeliveryRef } from '../domain/delivery-contract';
import type { AttemptErrorCode } from '../domain/delivery-state';
import { DURABLE } from '../platform/mongo';
import { createWriteGroup, type WriteGroup } from '../platform/write-groups';

/** One attempt: first a claim, then the answer. Unique on (delivery, run, number) by its id. */
export interface Attempt {
  /** `<event_id>.<endpoint_id>/<run>/<number>` */
  readonly _id: string;
  readonly event_id: number;
  readonly endpoint_id: string;
  readonly run: number;
  readonly number: number;
  readonly trigger: 'scheduled' | 'manual';
  /** Absent where the claim came with the promise. */
  readonly claimed_by?: string;
  /** When it was first claimed, in cluster time. The lease runs from here, unless `lease_until` says else. */
  readonly claimed_at?: Timestamp;
  /** Of whoever has the claim: another process may have another time-out. */
  readonly lease_ms?: number;
  /** Set when the attempt was asked for again, on the wall clock. */
  readonly lease_until?: Date;
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
  readonly url: string;
  /** 1 when a pooled connection was reset and the request was sent once more. */
  readonly resends: number;
  /** The wait before the next attempt, where `Retry-After` made it longer than the schedule says. */
  readonly next_delay_ms?: number;
  readonly sent: SentParts;
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

/** Names an attempt. */
export type AttemptRef = DeliveryRef & Pick<AttemptInput, 'number'>;

export const ATTEMPTS_COLLECTION = 'attempts';

/** Id of an attempt in the database. */
export function attemptId(attempt: AttemptRef): string {
  return `${deliveryId(attempt)}/${attempt.run}/${attempt.number}`;
}

type AnswerWrite = { readonly input: AttemptInput; readonly answer: StoredAnswer };

/** Writes answers, together. The first one stays: a repeated record finds it there and changes nothing. */
export function groupedAnswers(attempts: Collection<Attempt>): WriteGroup<AnswerWrite, void> {
  return createWriteGroup(
    async (items) => {
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
    },
    { maxItems: 200, maxInFlight: 2 },
  );
}
