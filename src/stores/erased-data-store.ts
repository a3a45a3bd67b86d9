import type { Collection, Db, Filter } from 'mongodb';
import { MAX_CLAIM_MS } from '../domain/claim-lease';
import { latestFrom } from '../domain/clock-set-back';
import { DURABLE, FAST } from '../platform/mongo';
import { anyOf, writesAlike } from '../platform/mongo-router';
import { createAttemptExpiryStore } from './attempt-expiry-store';
import { ATTEMPTS_COLLECTION, type Attempt } from './attempt-store';
import { eraseUpdate } from './delivery-updates';
import { EVENTS_COLLECTION, type StoredEvent } from './event-store';

/** For events whose attempts are erased once more. */
const ERASED_INDEX = { erase_attempts_until: 1 } as const;
const BEGINNING = new Date(0);

/** What of an answer the receiver wrote: it may repeat what it was sent. */
const RECEIVED = ['answer.response_headers', 'answer.warning', 'answer.sealed'] as const;
const HAS_RECEIVED: Filter<Attempt> = {
  $or: [
    { 'answer.response_snippet': { $type: 'string' } },
    ...RECEIVED.map((field) => ({ [field]: { $exists: true } })),
  ],
};
const ERASE_RECEIVED = {
  $set: { 'answer.response_snippet': null },
  $unset: Object.fromEntries(RECEIVED.map((field) => [field, true as const])),
};

/** The most attempts that a call erases, so that it takes seconds. */
export const MAX_ATTEMPTS_AT_ONCE = 10_000;
/** Attempts that one write changes: about 0.1 s. */
const BATCH = 1_000;

export type ErasedDataStore = ReturnType<typeof createErasedDataStore>;

/**
 * Erases the data of events. Every step can be repeated, by another process too, and then changes nothing.
 *
 * @param retentionMs how long the installation keeps a finished event
 */
export function createErasedDataStore(db: Db, retentionMs: number) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const attempts: Collection<Attempt> = db.collection(ATTEMPTS_COLLECTION);
  const expiry = createAttemptExpiryStore(db, retentionMs);
  /** @returns false if the attempts may have more to erase */
  const eraseAttempts = async (eventIds: readonly number[], most: number): Promise<boolean> => {
    for (let erased = 0; erased < most;) {
      const batch = await attempts
        .find({ event_id: { $in: [...eventIds] }, ...HAS_RECEIVED })
        .project<Pick<Attempt, '_id' | 'event_id'>>({ event_id: 1 })
        .limit(BATCH)
        .toArray();
      if (batch.length === 0) return true;
      const writes = writesAlike(attempts, batch, ({ _id }) => _id, erasureOf);
      await attempts.bulkWrite(writes, { ordered: false, writeConcern: DURABLE });
      erased += batch.length;
      if (batch.length < BATCH) return true;
    }
    return false;
  };
  return {
    async ensureIndexes(): Promise<void> {
      const isMarked = { erase_attempts_until: { $gt: BEGINNING } };
      await events.createIndexes([{ key: ERASED_INDEX, partialFilterExpression: isMarked }]);
    },
    /**
     * Erases the data of an account's events, and cancels their unfinished deliveries, in one durable write for each
     * event. Until the end of `erase_attempts_until`, late answers may come.
     */
    async eraseEvents(accountId: string, eventIds: readonly number[]): Promise<void> {
      if (eventIds.length === 0) return;
      await expiry.beforeCancel(eventIds);
      const erase = (some: readonly number[]) => ({
        filter: { _id: anyOf(some), account_id: accountId, data_erased_at: { $exists: false } },
        update: eraseUpdate(),
      });
      const writes = writesAlike(events, eventIds, String, erase);
      await events.bulkWrite(writes, { ordered: false, writeConcern: DURABLE });
    },
    /**
     * Erases what the receivers of these events answered: `most` attempts, to the next thousand.
     *
     * @returns false if there may be more
     */
    eraseAttempts,
    /**
     * Erases the attempts of events once more, whose late answers have come by now.
     *
     * @param now the database's clock
     * @param limit the most events
     * @returns how many events it looked at
     */
    async eraseLateAnswers(now: Date, limit: number): Promise<number> {
      const isOver: Filter<StoredEvent> = {
        erase_attempts_until: { $gt: BEGINNING },
        $or: [
          { erase_attempts_until: { $lte: now } },
          { erase_attempts_until: { $gt: latestFrom(now, MAX_CLAIM_MS) } },
        ],
      };
      const due = await events
        .find(isOver, { projection: { _id: 1 }, hint: ERASED_INDEX })
        .limit(limit)
        .map(({ _id }) => _id)
        .toArray();
      if (due.length === 0) return 0;
      // The next call goes on with a history that is longer.
      if (!(await eraseAttempts(due, MAX_ATTEMPTS_AT_ONCE))) return due.length;
      // An answer that came meanwhile has set a later time.
      const end = (some: readonly number[]) => ({
        filter: { _id: anyOf(some), ...isOver },
        update: { $unset: { erase_attempts_until: true as const } },
      });
      await events.bulkWrite(writesAlike(events, due, String, end), { ordered: false, writeConcern: FAST });
      return due.length;
    },
  };
}

function erasureOf(batch: readonly Pick<Attempt, '_id' | 'event_id'>[]) {
  const ids = batch.map(({ _id }) => _id);
  return { filter: { _id: anyOf(ids), event_id: anyOf(batch.map((it) => it.event_id)) }, update: ERASE_RECEIVED };
}
