import { MongoServerError, type ChangeStream, type Db, type Document } from 'mongodb';
import { EVENTS_COLLECTION, hasData, type StoredEvent, type WithData } from '../stores/event-store';
import { openEvent, WITH_DATA, type AtRest } from '../stores/sealed-event-store';
import type { PayloadBox } from '../payloads/payload-box';
import { createReadGroup } from '../platform/mongo';
import { followChanges, positionOf, tokenOf, type ChangeFollower } from '../platform/mongo-changes';
import { isMongoUnavailable } from '../platform/mongo-unavailable';
import { createConcurrencyLimit } from '../platform/concurrency-limit';

/** The fields of an event that a listener gets. */
export type ListenedEvent = WithData<ToldEvent>;
type ToldEvent = Pick<StoredEvent, '_id' | 'account_id' | 'type' | 'data' | 'timestamp'>;

/** An accepted event without its data: enough to know its account and who listens to it. */
export interface AcceptedEvent {
  readonly id: number;
  readonly accountId: string;
  readonly type: string;
}

/** An accepted event, and the position after which a stream resumes, in any process; opaque. */
export interface PlacedEvent {
  readonly event: AcceptedEvent;
  readonly position: string;
}

/** A position is hexadecimal, as `positionOf` writes it. */
const POSITION = /^[0-9A-Fa-f]{16,1000}(\.[0-9A-Fa-f]{2,100})?$/;

/** The database does not have the changes after the position. */
export class PositionLostError extends Error {}

interface Inserted extends Document {
  readonly fullDocument: { readonly _id: number; readonly account_id: string; readonly type: string };
}

/** Only ids leave the database; data is read only for events that have a listener. */
const SEEN = { $project: { 'fullDocument._id': 1, 'fullDocument.account_id': 1, 'fullDocument.type': 1 } };
const TOLD = { ...WITH_DATA, type: 1, timestamp: 1 };

const WAIT_MS = 500;
/** How long the database waits for more changes when all are read. */
const NO_WAIT_MS = 10;
/** Each catch-up read holds a connection of the pool, which ingest needs too. */
const STEPS_AT_ONCE = 4;
/** ChangeStreamHistoryLost */
const HISTORY_LOST = 286;

export type ListenStore = ReturnType<typeof createListenStore>;

/** Follows accepted events, in the order in which a majority of the database has them. */
export function createListenStore(db: Db, payloads: PayloadBox) {
  const events = db.collection(EVENTS_COLLECTION);
  const told = createReadGroup<StoredEvent, AtRest<ToldEvent>>(db.collection(EVENTS_COLLECTION), TOLD);
  const slots = createConcurrencyLimit(STEPS_AT_ONCE);
  return {
    /** Watches the events of all accounts until `close`. */
    watch: (follower: ChangeFollower<AcceptedEvent>): { close(): Promise<void> } =>
      followChanges(
        () =>
          events.watch<Document, Inserted>([{ $match: { operationType: 'insert' } }, SEEN], {
            maxAwaitTimeMS: WAIT_MS,
          }),
        { ...follower, onChange: (change, position) => follower.onChange(acceptedOf(change), position) },
      ),
    /**
     * An account's events after one position, up to another.
     *
     * @throws PositionLostError when `position` is invalid, or the database no longer reaches back that far
     */
    async *between(
      accountId: string,
      position: string,
      until: string,
      signal: AbortSignal,
    ): AsyncGenerator<PlacedEvent, void> {
      if (!POSITION.test(position)) throw new PositionLostError('this is not a position');
      const resumeAfter = tokenOf(position);
      // MongoDB resumes only after a change that the pipeline returns, and the position may be another account's.
      const wanted = { $or: [{ 'fullDocument.account_id': accountId }, { _id: resumeAfter }] };
      const stream: ChangeStream<Document, Inserted> = events.watch<Document, Inserted>(
        [{ $match: { operationType: 'insert', ...wanted } }, SEEN],
        { maxAwaitTimeMS: NO_WAIT_MS, resumeAfter },
      );
      let isOpen = false;
      try {
        while (!signal.aborted) {
          const change = await slots.run(() => stream.tryNext());
          isOpen = true;
          const reached = positionOf(change?._id ?? stream.resumeToken);
          if (change && reached <= until) yield { event: acceptedOf(change), position: reached };
          if (reached >= until) return;
        }
      } catch (error) {
        // MongoDB refuses an invalid position with many different errors.
        const isRefused = !isOpen && !isMongoUnavailable(error);
        if (error instanceof MongoServerError && (isRefused || error.code === HISTORY_LOST)) {
          throw new PositionLostError('the stream cannot resume there');
        }
        throw error;
      } finally {
        await stream.close().catch(() => undefined);
      }
    },
    /** @returns null if it no longer exists, or if its data was erased */
    async find(id: number): Promise<ListenedEvent | null> {
      const event = await told.add(id);
      const opened = event && (await openEvent<ToldEvent>(payloads, event));
      return opened && hasData(opened) ? opened : null;
    },
  };
}

function acceptedOf({ fullDocument }: Inserted): AcceptedEvent {
  return { id: fullDocument._id, accountId: fullDocument.account_id, type: fullDocument.type };
}
