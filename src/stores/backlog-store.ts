import type { Collection, Db } from 'mongodb';
import { EVENTS_COLLECTION, OVERDUE_INDEX, type StoredEvent } from './event-store';

/** How late the deliveries of the installation are. */
export interface Lateness {
  /** How long the next attempt of the oldest one is due, in seconds; 0 if none is due. */
  readonly oldestSeconds: number;
  /** Events with a delivery whose next attempt is due; at most `MAX_COUNTED`. */
  readonly due: number;
}

/** Counting more would cost MongoDB more than a scrape should. */
const MAX_COUNTED = 10_000;
const WITHIN_MS = 2_000;

export type BacklogStore = ReturnType<typeof createBacklogStore>;

/** Reads how far behind the deliveries are. */
export function createBacklogStore(db: Db) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  return {
    /** Reads one index, and one document. Deliveries that are held, or wait for their time, are not due. */
    async lateness(now: Date): Promise<Lateness> {
      const due = { 'destinations.next_attempt_at': { $gt: new Date(0), $lt: now } };
      const options = { hint: OVERDUE_INDEX, maxTimeMS: WITHIN_MS };
      const [oldest, count] = await Promise.all([
        // In the order of the index.
        events.findOne(due, { ...options, projection: { 'destinations.next_attempt_at': 1 } }),
        events.countDocuments(due, { ...options, limit: MAX_COUNTED }),
      ]);
      const times = oldest?.destinations.flatMap(({ next_attempt_at: at }) => at?.getTime() ?? []) ?? [];
      return { oldestSeconds: Math.max(0, now.getTime() - Math.min(now.getTime(), ...times)) / 1_000, due: count };
    },
  };
}
