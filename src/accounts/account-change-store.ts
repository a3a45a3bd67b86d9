import type { Collection, Db } from 'mongodb';
import type { By, FieldChange } from '../domain/audit-actions';
import { isDuplicateKey } from '../platform/mongo';
import { ACCOUNTS_COLLECTION, type Account } from './account-record';
import { changeAudited } from './audit-store';

/** The fields that an account need not have. */
type Removable = 'name' | 'email' | 'own_limits' | 'metadata' | 'defaults' | 'event_types' | 'retention_days';

/** A change of an account by the API. */
export interface AccountChange {
  readonly set: Partial<Pick<Account, Removable | 'tier' | 'search_fields'>>;
  readonly unset?: readonly Removable[];
  readonly changes: readonly FieldChange[];
}

/** Changes accounts, each in one transaction with its audit entry. */
export function createAccountChanges(db: Db) {
  const accounts: Collection<Account> = db.collection(ACCOUNTS_COLLECTION);
  return {
    /**
     * Changes an account unless it was changed since it was read, with its audit entry.
     *
     * @returns the changed account; null if it was changed meanwhile, or is gone; `taken` if another account has the
     *   e-mail address
     */
    async change(before: Account, change: AccountChange, by: By): Promise<Account | null | 'taken'> {
      const { set, unset = [], changes } = change;
      const update = {
        $set: set,
        $currentDate: { updated_at: true as const },
        ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((field) => [field, true as const])) }),
      };
      const unchanged = { _id: before._id, updated_at: before.updated_at ?? { $exists: false } };
      return changeAudited(
        db,
        (session) => accounts.findOneAndUpdate(unchanged, update, { session, returnDocument: 'after' }),
        ({ _id: accountId }) => ({ ...by, accountId, action: 'account.changed', object: accountId, changes }),
      ).catch((error: unknown) => {
        if (isDuplicateKey(error)) return 'taken';
        throw error;
      });
    },
    /** @returns the changed account, or null if there is none */
    async setTier(id: string, tier: string, by: By): Promise<Account | null> {
      const before = await changeAudited(
        db,
        (session) => accounts.findOneAndUpdate({ _id: id, tier: { $ne: tier } }, { $set: { tier } }, { session }),
        ({ tier: from }) => ({
          ...{ ...by, accountId: id, action: 'account.tier_changed', object: id, detail: tier },
          changes: [{ field: 'tier', from, to: tier }],
        }),
      );
      return before ? { ...before, tier } : accounts.findOne({ _id: id });
    },
    /**
     * Sets the fields of `data` by which the account's events are found from now on, unless they have changed.
     *
     * @returns false if they are no longer `before`
     */
    async setSearchFields(id: string, before: readonly string[], fields: readonly string[], by: By): Promise<boolean> {
      // An account that never had any has no list, which null matches.
      const unchanged = before.length === 0 ? { $in: [[], null as never] } : [...before];
      const changed = await changeAudited(
        db,
        (session) =>
          accounts.findOneAndUpdate(
            { _id: id, search_fields: unchanged },
            { $set: { search_fields: fields } },
            { session },
          ),
        () => ({
          ...{ ...by, accountId: id, action: 'account.search_fields_changed', object: id },
          changes: [
            {
              field: 'search_fields',
              ...(before.length > 0 && { from: before.join(', ') }),
              ...(fields.length > 0 && { to: fields.join(', ') }),
            },
          ],
        }),
      );
      return changed !== null;
    },
  };
}
