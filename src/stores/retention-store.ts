import type { Collection, Db } from 'mongodb';
import { ATTEMPTS_COLLECTION, type Attempt } from './attempt-store';
import { FAST } from '../platform/mongo';
import { deletesOf } from '../platform/mongo-router';
import { ensureExpiry } from '../platform/mongo-expiry';
import { EVENTS_COLLECTION, firstIdAt, type StoredEvent } from './event-store';

export type RetentionStore = ReturnType<typeof createRetentionStore>;

/**
 * Removes what is older than the retention period.
 *
 * @param retentionMs how long an event is kept after its last destination finished. An unfinished one has no
 *   `finished_at` and never expires.
 */
export function createRetentionStore(db: Db, retentionMs: number) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const attempts: Collection<Attempt> = db.collection(ATTEMPTS_COLLECTION);
  return {
    /** Sets how long finished events are kept, also after the setting changed. */
    ensureIndexes: () => ensureExpiry(events, 'finished_at', retentionMs),
    /**
     * Removes the attempts of events that have expired, in the order of event ids, one page at a time. Ids follow the
     * clock, so it ends at the first id that is younger than the retention period: no event behind it can have expired.
     *
     * @param page starts after this event id, and reads this many attempts; `now` is the database's clock
     * @returns how many were `removed`, and `next`: where the next page starts; null at the end
     */
    async removeOrphans({ after, limit, now }: { readonly after: number; readonly limit: number; readonly now: Date }) {
      const end = firstIdAt(new Date(now.getTime() - retentionMs));
      // The index alone answers this.
      const ids = await attempts
        .find({ event_id: { $gt: after, $lt: end } }, { projection: { _id: 0, event_id: 1 } })
        .sort({ event_id: 1 })
        .limit(limit)
        .map(({ event_id }) => event_id)
        .toArray();
      const seen = [...new Set(ids)];
      const kept = await events
        .find({ _id: { $in: seen } }, { projection: { _id: 1 } })
        .map(({ _id }) => _id)
        .toArray();
      const existing = new Set(kept);
      const gone = seen.filter((id) => !existing.has(id));
      const deletes = deletesOf(attempts, 'event_id', gone);
      const removed =
        deletes.length === 0
          ? 0
          : (await attempts.bulkWrite(deletes, { ordered: false, writeConcern: FAST })).deletedCount;
      return { removed, next: ids.length < limit ? null : (seen.at(-1) ?? null) };
    },
  };
}
