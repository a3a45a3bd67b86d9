import { MongoServerError, type Collection, type Db, type Document } from 'mongodb';
import { ON_TIME_MS } from '../domain/retention';
import { DURABLE } from '../platform/mongo';
import { dropIndex } from '../platform/mongo-indexes';
import { conditionsOf } from '../platform/mongo-router';
import { ATTEMPTS_COLLECTION, type Attempt } from './attempt-store';
import { EXPIRES_AT } from './delivery-updates';
import { EVENTS_COLLECTION, type StoredEvent } from './event-store';
import { pagesOf } from './pages-of';
import { EXPIRY_INDEX } from './retention-store';

/** Of earlier versions: it removes events by `finished_at`. */
const OLD_INDEX = 'retention';
const NO_COLLECTION = 26;

type OldAttempt = Pick<Attempt, '_id' | 'event_id'>;

export type RetentionMigrationStore = ReturnType<typeof createRetentionMigrationStore>;

/**
 * Gives an expiry to the events and attempts of earlier versions. What has one is not found again, so a migration that
 * was killed continues where it was, and a second one changes nothing.
 *
 * @param retentionMs how long the installation keeps a finished event
 */
export function createRetentionMigrationStore(db: Db, retentionMs: number) {
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  const attempts: Collection<Attempt> = db.collection(ATTEMPTS_COLLECTION);
  /** By event: when its attempts expire; nothing for an event that is gone. */
  const expiriesOf = async (page: readonly OldAttempt[], now: Date): Promise<ReadonlyMap<number, Date>> => {
    const ids = [...new Set(page.map(({ event_id }) => event_id))];
    const found = await events
      .find({ _id: { $in: ids } })
      .project<Pick<StoredEvent, '_id' | 'expires_at' | 'retention_ms'>>({ expires_at: 1, retention_ms: 1 })
      .toArray();
    const ofUnfinished = ({ retention_ms: ms = retentionMs }: Pick<StoredEvent, 'retention_ms'>): Date =>
      new Date(now.getTime() + ON_TIME_MS + ms);
    return new Map(found.map((event) => [event._id, event.expires_at ?? ofUnfinished(event)]));
  };
  return {
    /** Whether an earlier version has stored events here, and nothing says yet that all of them have an expiry. */
    isDue: () => hasIndex(events, OLD_INDEX),
    /** Ends the migration: nothing is left to do. */
    end: () => dropIndex(events, OLD_INDEX),
    /**
     * Migrates events, page by page.
     *
     * @param isOurs asked before each page; false ends it
     * @returns how many it changed
     */
    async migrateEvents(isOurs: () => Promise<boolean>): Promise<number> {
      // One of an earlier version, or one of this version that an earlier one finished.
      const isOld: Document = {
        expires_at: null,
        $or: [{ retention_ms: { $exists: false } }, { finished_at: { $ne: null } }],
      };
      const update = [
        { $set: { retention_ms: { $ifNull: ['$retention_ms', retentionMs] } } },
        { $set: { expires_at: EXPIRES_AT } },
      ];
      let changed = 0;
      for await (const page of pagesOf(events.find(isOld, { hint: EXPIRY_INDEX, projection: { _id: 1 } }))) {
        if (!(await isOurs())) break;
        const updates = conditionsOf(
          events,
          page.map(({ _id }) => _id),
        ).map((id) => ({ updateMany: { filter: { ...isOld, _id: id }, update } }));
        // A majority has each page before the next one, so secondaries keep up.
        const { modifiedCount } = await events.bulkWrite(updates, { ordered: false, writeConcern: DURABLE });
        changed += modifiedCount;
      }
      return changed;
    },
    /**
     * The same for attempts: they expire with their event, which was migrated before.
     *
     * @param now the database's clock: when attempts expire whose event is gone
     */
    async migrateAttempts(now: Date, isOurs: () => Promise<boolean>): Promise<number> {
      const isOld: Document = { expires_at: null };
      const old = attempts.find(isOld, { hint: EXPIRY_INDEX }).project<OldAttempt>({ event_id: 1 });
      let changed = 0;
      for await (const page of pagesOf(old)) {
        if (!(await isOurs())) break;
        const expiries = await expiriesOf(page, now);
        const updates = page.map(({ _id, event_id }) => ({
          updateOne: {
            filter: { ...isOld, _id, event_id },
            update: { $set: { expires_at: expiries.get(event_id) ?? now } },
          },
        }));
        const { modifiedCount } = await attempts.bulkWrite(updates, { ordered: false, writeConcern: DURABLE });
        changed += modifiedCount;
      }
      return changed;
    },
  };
}

async function hasIndex(collection: Collection<StoredEvent>, name: string): Promise<boolean> {
  try {
    return await collection.indexExists(name);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NO_COLLECTION) return false;
    throw error;
  }
}
