import type { Collection, Db } from 'mongodb';
import { ACCOUNTS_COLLECTION } from '../accounts/account-store';
import { EVENTS_COLLECTION, PENDING_INDEX, type StoredEvent } from '../record/event-store';
import { FAST } from '../platform/mongo';
import type { DeliveryCounters } from './delivery-budget-store';

/** Counts unfinished deliveries. */
export interface PendingStore {
  /**
   * Counts an account's unfinished deliveries in the index, of at most `limit` events, and writes the number down for all
   * processes. One count of an account at a time, with a rest after it of ten times what it took.
   *
   * @returns false when it was counted a moment ago, or another process counts
   */
  count(accountId: string, limit: number): Promise<boolean>;
}

/** As often as gates are looked at. */
export const LEAST_BETWEEN_COUNTS_MS = 1_000;
/** So counting takes a tenth of the time at most. */
const RESTS_PER_COUNT = 10;
/** Should the process die meanwhile, another one counts after this. */
const COUNT_LEASE_MS = 30_000;

export function createPendingStore(db: Db): PendingStore {
  const accounts: Collection<{ readonly _id: string; readonly deliveries?: DeliveryCounters }> =
    db.collection(ACCOUNTS_COLLECTION);
  const events: Collection<StoredEvent> = db.collection(EVENTS_COLLECTION);
  return {
    async count(accountId, limit) {
      const isTime = { $lte: [{ $ifNull: ['$deliveries.count_again_at', null] }, '$$NOW'] };
      // The total comes first: what begins while it is counted is counted twice rather than not at all. So the number is
      // wrong by what is being accepted at this moment, until the next count.
      const begun = await accounts.findOneAndUpdate(
        { _id: accountId, $expr: isTime },
        [{ $set: { 'deliveries.count_again_at': { $add: ['$$NOW', COUNT_LEASE_MS] } } }],
        { returnDocument: 'after', projection: { deliveries: 1 }, writeConcern: FAST },
      );
      if (!begun) return false;
      const startedAtMs = performance.now();
      const [found] = await events
        .aggregate<{ pending: number }>(
          [
            { $match: { account_id: accountId, unfinished: { $gt: 0 } } },
            { $project: { _id: 0, unfinished: 1 } },
            { $limit: limit },
            { $group: { _id: null, pending: { $sum: '$unfinished' } } },
          ],
          { hint: PENDING_INDEX },
        )
        .toArray();
      const restMs = Math.max(LEAST_BETWEEN_COUNTS_MS, (performance.now() - startedAtMs) * RESTS_PER_COUNT);
      const base = (found?.pending ?? 0) - (begun.deliveries?.total ?? 0);
      await accounts.updateOne(
        { _id: accountId },
        [{ $set: { 'deliveries.pending_base': base, 'deliveries.count_again_at': { $add: ['$$NOW', restMs] } } }],
        { writeConcern: FAST },
      );
      return true;
    },
  };
}
