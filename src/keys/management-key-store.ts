import type { Collection, Db, Filter } from 'mongodb';
import { changeAudited } from '../accounts/audit-store';
import { MANAGEMENT, type ManagementKey } from '../domain/api-key-record';
import type { By } from '../domain/audit-actions';
import { entryOf, KEYS_COLLECTION, MAX_LISTED, restrictionsOf, revokeOne } from './key-store';

/** Reads and writes the keys of the installation, which are beside those of the accounts. */
export function createManagementKeyStore(db: Db) {
  const keys: Collection<ManagementKey> = db.collection(KEYS_COLLECTION);
  const all: Filter<ManagementKey> = { product: MANAGEMENT };
  return {
    async ensureIndexes(): Promise<void> {
      await keys.createIndexes([{ key: { product: 1, created_at: -1 }, partialFilterExpression: all }]);
    },
    async insert(key: ManagementKey, by: By): Promise<void> {
      await changeAudited(
        db,
        (session) => keys.insertOne(key, { session }),
        () => ({ ...entryOf(key, 'key.created', by), changes: restrictionsOf(key) }),
      );
    },
    /** The newest keys, newest first; at most `MAX_LISTED`. */
    list: (): Promise<ManagementKey[]> => keys.find(all).sort({ created_at: -1 }).limit(MAX_LISTED).toArray(),
    /** Revokes a key, once. @returns null if there is no such key */
    revoke: (id: string, at: Date, by: By): Promise<ManagementKey | null> =>
      revokeOne(db, keys, { ...all, _id: id }, { at, by }),
  };
}

export type ManagementKeyStore = ReturnType<typeof createManagementKeyStore>;
