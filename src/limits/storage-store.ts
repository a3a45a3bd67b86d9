import type { Collection, Db } from 'mongodb';
import { FAST, upsertOnceMore } from '../platform/mongo';

/** The bytes of `data` that an account stored on one day in UTC. */
interface StoredBytes {
  /** `<account id>/<2026-11-21>` */
  readonly _id: string;
  readonly bytes: number;
  readonly expires_at: Date;
}

const KEPT_MS = 2 * 86_400_000;

export type StorageStore = ReturnType<typeof createStorageStore>;

/** Sums the bytes that accounts store in a day, over all processes. */
export function createStorageStore(db: Db) {
  const sums: Collection<StoredBytes> = db.collection('stored_bytes');
  return {
    async ensureIndexes(): Promise<void> {
      await sums.createIndexes([{ key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
    },
    /** Adds bytes; below 0 for events that were not stored. @returns the sum of the day */
    async add(accountId: string, day: string, bytes: number): Promise<number> {
      const update = {
        $inc: { bytes },
        $setOnInsert: { expires_at: new Date(Date.parse(day) + KEPT_MS) },
      };
      const options = { upsert: true, returnDocument: 'after', writeConcern: FAST } as const;
      const sum = await upsertOnceMore(() => sums.findOneAndUpdate({ _id: `${accountId}/${day}` }, update, options));
      return sum!.bytes;
    },
  };
}
