import type { Collection, Db, Filter } from 'mongodb';
import { ACCOUNTS_COLLECTION, type Account } from './account-store';

/** Finds names however they are written: `muller` begins `Müller GmbH` too. */
const IGNORING_CASE = { locale: 'en', strength: 1 } as const;
/** Sorts behind every other character. */
const LAST = '\uffff';

export type AccountSearchStore = ReturnType<typeof createAccountSearchStore>;

/** Searches accounts. Every query reads an index, and at most as many accounts as it may return. */
export function createAccountSearchStore(db: Db) {
  const accounts: Collection<Account> = db.collection(ACCOUNTS_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      await accounts.createIndexes([
        { name: 'name_ignoring_case', key: { name: 1 }, sparse: true, collation: IGNORING_CASE },
      ]);
    },
    /**
     * The accounts with this id or e-mail address, then those whose `external_id` begins like that, then those whose
     * name does, whatever its case and accents.
     *
     * @param most of each kind
     */
    async find(text: string, most: number): Promise<Account[]> {
      const found = await Promise.all([
        accounts.find({ _id: text }).limit(1).toArray(),
        accounts
          .find(ofText('email', text.toLowerCase().normalize('NFC')))
          .limit(1)
          .toArray(),
        accounts
          .find(ofText('external_id', { $gte: text, $lt: text + LAST }))
          .sort({ external_id: 1 })
          .limit(most)
          .toArray(),
        accounts
          .find({ name: { $gte: text, $lt: text + LAST } })
          .sort({ name: 1 })
          .collation(IGNORING_CASE)
          .limit(most)
          .toArray(),
      ]);
      return [...new Map(found.flat().map((account) => [account._id, account])).values()];
    },
  };
}

/** A condition that MongoDB answers from the index of those accounts that have the field. */
function ofText(
  field: 'email' | 'external_id',
  condition: string | { readonly $gte: string; readonly $lt: string },
): Filter<Account> {
  const compared = typeof condition === 'string' ? { $eq: condition } : condition;
  return { [field]: { ...compared, $type: 'string' } };
}
