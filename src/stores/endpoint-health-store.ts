import type { Collection, Db, Document } from 'mongodb';
import type { AnswersSeen, FailureCause, FailureRun } from '../domain/endpoint-health';
import { FAST } from '../platform/mongo';

/** What the attempts to an endpoint say about it, as far as they are flushed. */
export interface StoredHealth {
  /** The endpoint's id. */
  readonly _id: string;
  readonly account_id: string;
  readonly succeeded_at?: Date;
  readonly failed_at?: Date;
  /** The failures after the last success; null if the last attempt succeeded. */
  readonly run?: { readonly since: Date; readonly failures: number; readonly same_cause: number } | null;
  /** Of the last failed attempt. */
  readonly cause?: FailureCause;
  /** When the last run of failures ended. */
  readonly recovered_at?: Date;
  /** The start of the run of failures that was announced; null once its end is announced too. */
  readonly announced_since?: Date | null;
  readonly expires_at: Date;
}

/** As long as the counts by hour. */
const KEPT_MS = 30 * 24 * 3_600_000;

/** Name of the collection, for the store of outages. */
export const HEALTH_COLLECTION = 'endpoint_health';

export type EndpointHealthStore = ReturnType<typeof createEndpointHealthStore>;

/** What attempts say about their endpoints: a document for each endpoint, until 30 days after its last attempt. */
export function createEndpointHealthStore(db: Db) {
  const health: Collection<StoredHealth> = db.collection(HEALTH_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      await health.createIndexes([{ key: { account_id: 1 } }, { key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
    },
    /** Adds what newer attempts say, in one command. */
    async note(list: readonly { endpointId: string; accountId: string; seen: AnswersSeen }[]): Promise<void> {
      if (list.length === 0) return;
      const updates = list.map(({ endpointId, accountId, seen }) => ({
        updateOne: { filter: { _id: endpointId }, update: [{ $set: fieldsAfter(accountId, seen) }], upsert: true },
      }));
      await health.bulkWrite(updates, { ordered: false, writeConcern: FAST });
    },
    /** What is known of these endpoints; those without an attempt are left out. */
    async find(ids: readonly string[]): Promise<Map<string, AnswersSeen>> {
      const found = await health.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map((stored) => [stored._id, seenOf(stored)]));
    },
    /** Removes what is known of an endpoint. A request that is under way may still write it once; that expires. */
    async remove(id: string): Promise<void> {
      await health.deleteOne({ _id: id }, { writeConcern: FAST });
    },
  };
}

/** What a stored document says. */
export function seenOf({ succeeded_at: succeededAt, failed_at: failedAt, cause, run }: StoredHealth): AnswersSeen {
  return {
    succeededAt: succeededAt ?? null,
    failedAt: failedAt ?? null,
    cause: cause ?? null,
    run: run ? { since: run.since, failures: run.failures, sameCause: run.same_cause } : null,
  };
}

/** The document after these attempts, as expressions on the one before: `mergeSeen` in domain/endpoint-health.ts. */
function fieldsAfter(accountId: string, { succeededAt, failedAt, cause, run }: AnswersSeen): Document {
  const hadRun = { $eq: [{ $type: '$run.since' }, 'date'] };
  return {
    account_id: { $literal: accountId },
    ...(succeededAt && {
      succeeded_at: succeededAt,
      recovered_at: { $cond: [hadRun, succeededAt, { $ifNull: ['$recovered_at', '$$REMOVE'] }] },
    }),
    ...(failedAt && { failed_at: failedAt }),
    ...(cause && { cause: { $literal: cause } }),
    run: run && (succeededAt ? storedRun(run) : continuedRun(run, cause)),
    expires_at: { $add: ['$$NOW', KEPT_MS] },
  };
}

function storedRun({ since, failures, sameCause }: FailureRun) {
  return { since, failures, same_cause: sameCause };
}

/** As the function in domain/endpoint-health.ts. */
function continuedRun({ since, failures, sameCause }: FailureRun, cause: FailureCause | null): Document {
  const isSame = { $and: [sameCause === failures, { $eq: ['$cause.text', { $literal: cause?.text }] }] };
  return {
    since: { $ifNull: ['$run.since', since] },
    failures: { $add: [{ $ifNull: ['$run.failures', 0] }, failures] },
    same_cause: { $add: [{ $cond: [isSame, { $ifNull: ['$run.same_cause', 0] }, 0] }, sameCause] },
  };
}
