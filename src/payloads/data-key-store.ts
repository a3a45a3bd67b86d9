import type { Collection, Db } from 'mongodb';
import { ACCOUNTS_COLLECTION, type Account } from '../accounts/account-store';
import { DURABLE, upsertOnceMore } from '../platform/mongo';
import type { SealedSecret } from '../platform/secret-box';

/** The data key of an account. */
export interface DataKey {
  /** The account's id. */
  readonly _id: string;
  readonly account_id: string;
  /** 32 bytes in base64, sealed with a key of `ENCRYPTION_KEY` in the context `dataKeyContext`. */
  readonly key: SealedSecret;
  readonly created_at: Date;
}

/** Name of the collection, for the deletion of accounts. */
export const DATA_KEYS_COLLECTION = 'data_keys';

/** What a sealed data key is bound to. */
export const dataKeyContext = (accountId: string): string => `data-key:${accountId}`;

export type DataKeyStore = ReturnType<typeof createDataKeyStore>;

/** Reads and writes the data keys of accounts, which never change. They can only be sealed again. */
export function createDataKeyStore(db: Db) {
  const dataKeys: Collection<DataKey> = db.collection(DATA_KEYS_COLLECTION);
  const accounts: Collection<Account> = db.collection(ACCOUNTS_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      // An account's deletion finds the collection by the first one.
      await dataKeys.createIndexes([{ key: { account_id: 1 } }, { key: { 'key.key_id': 1 } }]);
    },
    /** The key as a majority has it: nothing may be sealed with a key that a failover can revert. */
    find: (accountId: string): Promise<DataKey | null> =>
      dataKeys.findOne({ _id: accountId }, { readConcern: { level: 'majority' } }),
    /**
     * Gives an account a key, unless it has one.
     *
     * @returns the account's key, which a majority has; null if the account does not exist or is being deleted
     */
    async create(accountId: string, key: SealedSecret): Promise<DataKey | null> {
      // A deletion that begins at this moment removes the key in its next step.
      if (!(await accounts.findOne({ _id: accountId, deleting_since: { $exists: false } }))) return null;
      const fields = { account_id: { $literal: accountId }, key: { $literal: key }, created_at: '$$NOW' };
      const keepsOld = Object.entries(fields).map(([name, value]) => [name, { $ifNull: [`$${name}`, value] }]);
      return upsertOnceMore(() =>
        dataKeys.findOneAndUpdate({ _id: accountId }, [{ $set: Object.fromEntries(keepsOld) }], {
          upsert: true,
          returnDocument: 'after',
          writeConcern: DURABLE,
        }),
      );
    },
    /** Ids of the keys that data keys are sealed with: a handful, read from the index. */
    keyIds: (): Promise<string[]> => dataKeys.distinct('key.key_id'),
    /** Every data key, in the order of accounts. */
    all: () => dataKeys.find({}).sort({ _id: 1 }),
    /** Seals a key again, unless another process did. @returns false if it did, or if the key is gone */
    async replace({ _id, key }: DataKey, sealed: SealedSecret): Promise<boolean> {
      const filter = { _id, 'key.box': key.box };
      return (
        (await dataKeys.updateOne(filter, { $set: { key: sealed } }, { writeConcern: DURABLE })).modifiedCount === 1
      );
    },
  };
}
