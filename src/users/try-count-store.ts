import { createHash } from 'node:crypto';
import type { Collection, Db } from 'mongodb';
import { timeIsOver } from '../domain/clock-set-back';
import { DURABLE, upsertOnceMore } from '../platform/mongo';
import { createWriteGroups } from '../platform/write-groups';

/** The number of tries in a window, by the database's clock. */
interface TryCount {
  /** SHA-256, because the addresses may belong to people without an account here. */
  readonly _id: string;
  readonly tries: number;
  readonly ends_at: Date;
  /** The time of the last try. */
  readonly tried_at: Date;
}

/** A limit on tries in a window that begins with the first try. */
export interface TryLimit {
  readonly tries: number;
  readonly windowMs: number;
}

export type TryCounter = ReturnType<typeof createTryCounter>;

/** Counts tries for all processes of the installation together. */
export function createTryCounter(db: Db) {
  const counts: Collection<TryCount> = db.collection('sign_in_tries');
  const countOnce = (id: string, tries: number, windowMs: number) => {
    const isOver = timeIsOver('$ends_at', windowMs);
    return counts.findOneAndUpdate(
      { _id: id },
      [
        {
          $set: {
            tries: { $cond: [isOver, tries, { $add: ['$tries', tries] }] },
            ends_at: { $cond: [isOver, { $add: ['$$NOW', windowMs] }, '$ends_at'] },
            tried_at: '$$NOW',
          },
        },
      ],
      { upsert: true, returnDocument: 'after', writeConcern: DURABLE },
    );
  };
  // Tries that arrive together share one update: a flood from one address costs MongoDB no more than one try.
  const groupOf = createWriteGroups<TryLimit, number>(
    async (id, limits) => {
      const [{ tries: most, windowMs }] = limits as readonly [TryLimit];
      const counted = await upsertOnceMore(() => countOnce(id, limits.length, windowMs));
      const { tries, ends_at: endsAt, tried_at: now } = counted!;
      const waitSeconds = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1_000));
      return limits.map((_, index) => (tries - limits.length + index < most ? 0 : waitSeconds));
    },
    { maxItems: 1_000, maxInFlight: 1 },
  );
  return {
    async ensureIndexes(): Promise<void> {
      await counts.createIndexes([{ key: { ends_at: 1 }, expireAfterSeconds: 0 }]);
    },
    /**
     * Counts a try before its outcome is known, so ten concurrent tries are ten.
     *
     * @param limit the same for every try of `what`
     * @returns 0 if the try is allowed, else the seconds to wait
     */
    count: (what: string, limit: TryLimit): Promise<number> => groupOf(hashOf(what)).add(limit),
    /** Removes one try, because it was right. */
    async takeBack(what: string): Promise<void> {
      await counts.updateOne({ _id: hashOf(what), tries: { $gt: 0 } }, { $inc: { tries: -1 } });
    },
    /** Removes all tries. */
    async forget(what: string): Promise<void> {
      await counts.deleteOne({ _id: hashOf(what) });
    },
  };
}

function hashOf(what: string): string {
  return createHash('sha256').update(what).digest('base64url');
}
