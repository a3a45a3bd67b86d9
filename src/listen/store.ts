import { MongoServerError, type ChangeStream, type Db, type Document, type ResumeToken } from 'mongodb';
import { EVENTS_COLLECTION, type StoredEvent } from '../events/store';
import { isMongoUnavailable } from '../platform/mongo';

/** An event that was accepted just now. */
export type ListenedEvent = Pick<StoredEvent, '_id' | 'type' | 'data' | 'timestamp'>;

/** A step of following an account's events. */
export interface Step {
  /** Undefined where nothing came for a moment. */
  readonly event: ListenedEvent | undefined;
  /** Goes on behind this step, in whichever process; opaque. */
  readonly position: string | undefined;
}

/** Follows events as they are accepted. */
export interface ListenStore {
  /**
   * The account's events from now on, in the order in which a majority of the database has them; a step some times a
   * second. With `position` it begins behind it.
   *
   * @throws PositionLostError when the position is none, or the database does not reach back so far any more
   */
  follow(accountId: string, position: string | undefined, signal: AbortSignal): AsyncGenerator<Step, void>;
}

/** What came between the position and now is not known. */
export class PositionLostError extends Error {}

interface Inserted extends Document {
  readonly fullDocument: ListenedEvent;
}

const WAIT_MS = 500;
/** ChangeStreamHistoryLost */
const HISTORY_LOST = 286;

export function createListenStore(db: Db): ListenStore {
  return {
    async *follow(accountId, position, signal) {
      const pipeline = [
        { $match: { operationType: 'insert', 'fullDocument.account_id': accountId } },
        {
          $project: {
            'fullDocument._id': 1,
            'fullDocument.type': 1,
            'fullDocument.data': 1,
            'fullDocument.timestamp': 1,
          },
        },
      ];
      const stream: ChangeStream<Document, Inserted> = db
        .collection(EVENTS_COLLECTION)
        .watch<Document, Inserted>(pipeline, {
          maxAwaitTimeMS: WAIT_MS,
          ...(position !== undefined && { resumeAfter: { _data: position } }),
        });
      let isOpen = false;
      try {
        while (!signal.aborted) {
          const change = await stream.tryNext();
          isOpen = true;
          yield { event: change?.fullDocument, position: positionOf(change?._id ?? stream.resumeToken) };
        }
      } catch (error) {
        // What is no position is refused in many ways, depending on how it is none.
        const isRefused = position !== undefined && !isOpen && !isMongoUnavailable(error);
        if (error instanceof MongoServerError && (isRefused || error.code === HISTORY_LOST)) {
          throw new PositionLostError('the stream can not go on from there');
        }
        throw error;
      } finally {
        await stream.close().catch(() => undefined);
      }
    },
  };
}

function positionOf(token: ResumeToken): string | undefined {
  const data = (token as { _data?: unknown } | undefined)?._data;
  return typeof data === 'string' ? data : undefined;
}
