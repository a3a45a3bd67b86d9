import type { Collection, Db } from 'mongodb';
import { attemptExpiry, lateBefore, lateExpiry, ON_TIME_MS, type AttemptExpiry } from '../domain/retention';
import { systemClock, type Clock } from '../platform/clock';
import { DURABLE } from '../platform/mongo';
import { conditionsOf } from '../platform/mongo-router';
import { ATTEMPTS_COLLECTION, type Attempt } from './attempt-store';
import { EVENTS_COLLECTION, type StoredEvent } from './event-store';

/** The fields of an event that say how long it is kept. */
export type KeptEvent = Pick<StoredEvent, '_id' | 'timestamp' | 'retention_ms'>;

export type AttemptExpiryStore = ReturnType<typeof createAttemptExpiryStore>;

/**
 * Keeps an event's attempts at least as long as the event. Each attempt is stored with an expiry that suits an event
 * that finishes on time. Whatever lets an event finish later extends its attempts first, so a crash leaves attempts
 * that are kept too long, never too short.
 *
 * @param retentionMs of events of earlier versions, which don't say how long they are kept
 */
export function createAttemptExpiryStore(db: Db, retentionMs: number, clock: Clock = systemClock) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const attempts: Collection<Attempt> = db.collection(ATTEMPTS_COLLECTION);
  const extend = async (ids: readonly number[], { neededUntil, expiresAt }: AttemptExpiry): Promise<void> => {
    if (ids.length === 0 || !neededUntil) return;
    const updates = conditionsOf(attempts, ids).map((eventId) => ({
      updateMany: {
        filter: { event_id: eventId, expires_at: { $lt: neededUntil } },
        update: { $set: { expires_at: expiresAt } },
      },
    }));
    await attempts.bulkWrite(updates, { ordered: false, writeConcern: DURABLE });
  };
  return {
    /**
     * To be called before an answer is recorded.
     *
     * @param nextDelayMs until the next attempt; 0 if this one may be the event's last
     * @returns when the answer's attempt expires
     */
    async beforeAnswer({ _id, timestamp, ...event }: KeptEvent, nextDelayMs: number): Promise<Date> {
      const kept = { timestamp, retentionMs: event.retention_ms ?? retentionMs };
      const expiry = attemptExpiry(kept, clock() + nextDelayMs);
      await extend([_id], expiry);
      return expiry.expiresAt;
    },
    /** To be called before deliveries of these events are cancelled. */
    async beforeCancel(ids: readonly number[]): Promise<void> {
      const now = clock();
      const late = await events
        .find({ _id: { $in: [...ids] }, timestamp: { $lt: lateBefore(now) } })
        .project<KeptEvent>({ timestamp: 1, retention_ms: 1 })
        .toArray();
      const retentionOf = (event: KeptEvent): number => event.retention_ms ?? retentionMs;
      for (const ms of new Set(late.map(retentionOf))) {
        const alike = late.filter((event) => retentionOf(event) === ms).map(({ _id }) => _id);
        await extend(alike, lateExpiry(ms, now));
      }
    },
    /** To be called before a replay, and again and again while events wait: their attempts outlive the wait. */
    async whileUnfinished(ids: readonly number[]): Promise<void> {
      const now = clock();
      await extend(ids, { neededUntil: new Date(now + ON_TIME_MS), expiresAt: new Date(now + 2 * ON_TIME_MS) });
    },
  };
}
