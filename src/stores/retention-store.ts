import { Timestamp, type Collection, type Db } from 'mongodb';
import { createAttemptExpiryStore } from './attempt-expiry-store';
import { ATTEMPTS_COLLECTION, type Attempt } from './attempt-store';
import { EVENTS_COLLECTION, HELD_INDEX, type StoredEvent } from './event-store';
import { pagesOf } from './pages-of';

/** MongoDB removes each document at the time in its field; one without the field stays. */
export const EXPIRY_INDEX = { expires_at: 1 } as const;

export type RetentionStore = ReturnType<typeof createRetentionStore>;

/**
 * Lets MongoDB remove events and attempts that have expired.
 *
 * @param retentionMs how long the installation keeps a finished event
 */
export function createRetentionStore(db: Db, retentionMs: number) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const attempts: Collection<Attempt> = db.collection(ATTEMPTS_COLLECTION);
  const expiry = createAttemptExpiryStore(db, retentionMs);
  return {
    async ensureIndexes(): Promise<void> {
      await events.createIndexes([{ key: EXPIRY_INDEX, expireAfterSeconds: 0 }]);
      await attempts.createIndexes([{ key: EXPIRY_INDEX, expireAfterSeconds: 0 }]);
    },
    /**
     * Keeps the attempts of events that wait at a gate.
     *
     * @param acceptedBefore of events that were accepted before this time
     * @param isOurs asked before each page; false ends it
     */
    async keepHeld(acceptedBefore: Date, isOurs: () => Promise<boolean>): Promise<void> {
      const before = new Timestamp({ t: Math.floor(acceptedBefore.getTime() / 1_000), i: 0 });
      const held = events
        .find({ 'destinations.dispatch': 'held', accepted_at: { $lt: before } }, { hint: HELD_INDEX })
        .project<{ _id: number }>({ _id: 1 });
      for await (const page of pagesOf(held)) {
        if (!(await isOurs())) return;
        await expiry.whileUnfinished(page.map(({ _id }) => _id));
      }
    },
  };
}
