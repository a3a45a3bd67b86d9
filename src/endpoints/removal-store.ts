import type { Collection, Db } from 'mongodb';
import { DURABLE, FAST } from '../platform/mongo';
import { isPast } from './due-store';
import { ENDPOINTS_COLLECTION, type Endpoint } from './store';

/** A removed endpoint whose deliveries' executions nobody ends yet. */
export interface Removal {
  /** The endpoint's id. */
  readonly _id: string;
  readonly account_id: string;
  /** The endpoint's, after this last change of it. */
  readonly version: number;
  readonly removed_at: Date;
}

/** Removes endpoints, and remembers what is still to be done for them. */
export interface RemovalStore {
  ensureIndexes(): Promise<void>;
  /** Removes the endpoint, frees its slot and notes the removal, in one transaction. @returns null when there is none */
  remove(endpoint: Pick<Endpoint, '_id' | 'account_id' | 'version'>): Promise<Omit<Removal, 'removed_at'> | null>;
  /** Removals of more than `graceMs` ago, by the database's clock, that are not finished; some of them, the oldest first. */
  findUnfinished(graceMs: number): Promise<Removal[]>;
  /** Forgets a removal: nothing is left to do for it. */
  finish(id: string): Promise<void>;
}

const REMOVALS = 100;

export function createRemovalStore(db: Db): RemovalStore {
  const endpoints: Collection<Endpoint> = db.collection(ENDPOINTS_COLLECTION);
  const removals: Collection<Removal> = db.collection('endpoint_removals');
  return {
    async ensureIndexes() {
      await removals.createIndex({ removed_at: 1 });
    },
    remove: ({ _id, account_id: accountId, version = 0 }) =>
      db.client.withSession((session) =>
        session.withTransaction(
          async () => {
            const { deletedCount } = await endpoints.deleteOne({ _id }, { session });
            if (deletedCount === 0) return null;
            const removal = { account_id: accountId, version: version + 1 };
            await removals.updateOne(
              { _id },
              { $set: removal, $currentDate: { removed_at: true } },
              { upsert: true, session },
            );
            return { _id, ...removal };
          },
          { writeConcern: DURABLE },
        ),
      ),
    findUnfinished: (graceMs) =>
      removals.find(isPast('removed_at', graceMs)).sort({ removed_at: 1 }).limit(REMOVALS).toArray(),
    async finish(id) {
      // A removal that is not forgotten is finished once more, which changes nothing.
      await removals.deleteOne({ _id: id }, { writeConcern: FAST });
    },
  };
}
