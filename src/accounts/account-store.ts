import type { ClientSession, Collection, Db, Document } from 'mongodb';
import type { By } from '../domain/audit-actions';
import type { ListPosition } from '../platform/cursor';
import { DURABLE, findNewestFirst, isDuplicateKey } from '../platform/mongo';
import { changeAudited, type NewAuditEntry } from './audit-store';

/** A team: it owns keys, endpoints and events, and has one set of limits. */
export interface Account {
  readonly _id: string;
  /** Lower-case; unique. */
  readonly email: string;
  /** Id of a tier; one that is not configured counts as `free`. */
  readonly tier: string;
  /** Increases with every change of the account's endpoints, so that caches know when to reload. */
  readonly endpoints_version: number;
  /** The fields of `data` by which events are found, for events from now on; absent: none. */
  readonly search_fields?: readonly string[];
  readonly created_at: Date;
  /** When it was suspended; absent while it is not. */
  readonly suspended_at?: Date;
  /** When its deletion began, which can't be undone. Only on a suspended account. */
  readonly deleting_since?: Date;
  /** The user who had it deleted, and the address of that request. */
  readonly deleting_by?: By;
  /** The limiter's counters, once there was a call; `quota_used` counts the calls of `month`. */
  readonly limits?: { readonly month: Date; readonly quota_used: number };
}

/** Name of the collection, for the limiter, which updates the same documents. */
export const ACCOUNTS_COLLECTION = 'accounts';

/** The end of a pipeline over documents with an `account_id`: keeps the ids of those whose account is not suspended. */
export const OF_ACTIVE_ACCOUNTS = [
  { $lookup: { from: ACCOUNTS_COLLECTION, localField: 'account_id', foreignField: '_id', as: 'account' } },
  { $match: { 'account.0': { $exists: true }, 'account.suspended_at': { $exists: false } } },
  { $project: { _id: 1 } },
];

export type AccountStore = ReturnType<typeof createAccountStore>;

/** Reads and writes accounts. The limiter keeps its counters in the same documents. */
export function createAccountStore(db: Db) {
  const accounts: Collection<Account> = db.collection(ACCOUNTS_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      await accounts.createIndexes([{ key: { email: 1 }, unique: true }, { key: { created_at: -1, _id: -1 } }]);
    },
    /** @returns false when the e-mail address is taken */
    async insert(account: Account, by: By): Promise<boolean> {
      try {
        await changeAudited(
          db,
          (session) => accounts.insertOne(account, { session }),
          () => accountCreation(account, by),
        );
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    find: (id: string): Promise<Account | null> => accounts.findOne({ _id: id }),
    findMany: (ids: readonly string[]): Promise<Account[]> => accounts.find({ _id: { $in: [...ids] } }).toArray(),
    list: (): Promise<Account[]> => accounts.find().sort({ created_at: 1 }).toArray(),
    /** A page of all accounts, newest first, after the given position. */
    page: (limit: number, after?: ListPosition) => findNewestFirst(accounts, {}, limit, after),
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
    /** Makes every process notice that the account's endpoints changed. */
    async bumpEndpointsVersion(id: string): Promise<void> {
      await accounts.updateOne({ _id: id }, { $inc: { endpoints_version: 1 } }, { writeConcern: DURABLE });
    },
  };
}

/**
 * Makes transactions that insert the same kind of thing for one account conflict, so that each counts what the others
 * inserted. Call it first: every call of the account updates this document, and later in the transaction it would
 * conflict with them too.
 *
 * @param field counts the insertions; each kind has its own
 */
export async function serialiseInsertions(
  db: Db,
  accountId: string,
  field: 'keys_version' | 'replays_version',
  session: ClientSession,
): Promise<void> {
  const accounts = db.collection<Document & { readonly _id: string }>(ACCOUNTS_COLLECTION);
  await accounts.updateOne({ _id: accountId }, { $inc: { [field]: 1 } }, { session });
}

/** The audit entry of a new account. */
export function accountCreation({ _id: accountId, tier: detail }: Account, by: By): NewAuditEntry {
  return { ...by, accountId, action: 'account.created', object: accountId, detail };
}
