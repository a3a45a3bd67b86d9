import type { Collection, Db } from 'mongodb';
import { DURABLE, FAST, isDuplicateKey } from '../platform/mongo';

/** Which event an idempotency key of an account stands for, for 24 hours. */
interface IdempotencyRecord {
  /** `<account_id>:<key>` */
  readonly _id: string;
  readonly event_id: number;
  readonly expires_at: Date;
  readonly touched_at?: Date;
}

/** Reads and writes idempotency records. */
export interface IdempotencyStore {
  ensureIndexes(): Promise<void>;
  /**
   * Makes the key stand for `eventId`, unless it stands for another event inside its window.
   * The window is judged by the database's clock, never by the record's absence: TTL deletion lags.
   *
   * @returns the event that the key stands for now
   */
  claim(accountId: string, key: string, eventId: number): Promise<number>;
  /** Resolves when a majority holds the record: a primary that will be rolled back can't have answered. */
  confirm(accountId: string, key: string): Promise<void>;
}

/** Length of the window (api-spec, "Idempotency"). */
export const IDEMPOTENCY_WINDOW_MS = 24 * 3_600_000;

export function createIdempotencyStore(db: Db): IdempotencyStore {
  const records: Collection<IdempotencyRecord> = db.collection('idempotency_keys');
  const claimOnce = async (id: string, eventId: number): Promise<number> => {
    const isOver = { $lte: [{ $ifNull: ['$expires_at', new Date(0)] }, '$$NOW'] };
    const record = await records.findOneAndUpdate(
      { _id: id },
      [
        {
          $set: {
            event_id: { $cond: [isOver, { $literal: eventId }, '$event_id'] },
            expires_at: { $cond: [isOver, { $add: ['$$NOW', IDEMPOTENCY_WINDOW_MS] }, '$expires_at'] },
          },
        },
      ],
      // The event's own majority write follows in the same log, so it covers this one.
      { upsert: true, returnDocument: 'after', writeConcern: FAST },
    );
    return record!.event_id;
  };
  return {
    async ensureIndexes() {
      await records.createIndexes([{ key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
    },
    async claim(accountId, key, eventId) {
      const id = `${accountId}:${key}`;
      try {
        return await claimOnce(id, eventId);
      } catch (error) {
        // Two first calls at once: the other one inserted the record, so now it is there to be read.
        if (!isDuplicateKey(error)) throw error;
        return claimOnce(id, eventId);
      }
    },
    async confirm(accountId, key) {
      await records.updateOne(
        { _id: `${accountId}:${key}` },
        { $currentDate: { touched_at: true } },
        { writeConcern: DURABLE },
      );
    },
  };
}
