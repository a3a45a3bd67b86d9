import type { ClientSession, Collection, Db, Document, Filter, IndexDescription } from 'mongodb';
import type { By, FieldChange } from '../domain/audit-actions';
import { isOwnAccountId } from '../domain/external-id';
import type { ListPosition } from '../platform/cursor';
import { dropIndex } from '../platform/drop-index';
import { DURABLE, findNewestFirst, isDuplicateKey } from '../platform/mongo';
import { changeAudited, type NewAuditEntry } from './audit-store';

/** A team: it owns keys, endpoints and events, and has one set of limits. */
export interface Account {
  readonly _id: string;
  /** The id that whoever created it by the API chose; unique. */
  readonly external_id?: string;
  readonly name?: string;
  /** Lower-case; unique. Absent if it was created by the API without one: nobody signs in to it. */
  readonly email?: string;
  /** Id of a tier; one that is not configured counts as `free`. */
  readonly tier: string;
  /** Limits in place of those of the tier. */
  readonly own_limits?: OwnLimits;
  /** The caller's own map of texts, as JSON, because its names may contain any character. Absent: empty. */
  readonly metadata?: string;
  /** Increases with every change of the account's endpoints, so that caches know when to reload. */
  readonly endpoints_version: number;
  /** The fields of `data` by which events are found, for events from now on; absent: none. */
  readonly search_fields?: readonly string[];
  readonly created_at: Date;
  /** When the API or an operator last changed it; absent before that. */
  readonly updated_at?: Date;
  /** When it was suspended; absent while it is not. */
  readonly suspended_at?: Date;
  /** When its deletion began, which can't be undone. Only on a suspended account. */
  readonly deleting_since?: Date;
  /** The user who had it deleted, and the address of that request. */
  readonly deleting_by?: By;
  /** The limiter's counters, once there was a call; `quota_used` counts the calls of `month`. */
  readonly limits?: { readonly month: Date; readonly quota_used: number };
}

/** How much an account may do, where it differs from its tier. */
export interface OwnLimits {
  readonly per_minute?: number;
  /** Null is unlimited. */
  readonly monthly_quota?: number | null;
  readonly endpoints?: number;
  readonly deliveries_per_minute?: number;
  readonly pending_deliveries?: number;
}

/** Selects an account by its id, or by its `external_id`, which never looks like one. */
export function named(account: string): { readonly _id: string } | { readonly external_id: string } {
  return isOwnAccountId(account) ? { _id: account } : { external_id: account };
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
      await dropIndex(accounts, OLD_EMAIL_INDEX);
      await accounts.createIndexes([
        uniqueIfPresent('email'),
        uniqueIfPresent('external_id'),
        { key: { created_at: -1, _id: -1 } },
        {
          name: 'suspended_by_age',
          key: { created_at: -1, _id: -1 },
          partialFilterExpression: { suspended_at: { $exists: true } },
        },
      ]);
    },
    /** @returns false when the e-mail address or the `external_id` is taken */
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
    /** @param account its id, or its `external_id` */
    findNamed: (account: string): Promise<Account | null> => accounts.findOne(named(account)),
    /** Which of these accounts exist and are not suspended. */
    async activeAmong(ids: readonly string[]): Promise<Set<string>> {
      const found = accounts.find({ _id: { $in: [...new Set(ids)] }, ...OF_STATUS.active }, { projection: { _id: 1 } });
      return new Set(await found.map(({ _id }) => _id).toArray());
    },
    findMany: (ids: readonly string[]): Promise<Account[]> => accounts.find({ _id: { $in: [...ids] } }).toArray(),
    /** A page of all accounts, or of those in one state, newest first, after the given position. */
    page: (status: AccountStatus | undefined, limit: number, after?: ListPosition) =>
      findNewestFirst(accounts, status === undefined ? {} : OF_STATUS[status], limit, after),
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
    /** Makes every process notice that the account's endpoints changed. */
    async bumpEndpointsVersion(id: string): Promise<void> {
      await accounts.updateOne({ _id: id }, { $inc: { endpoints_version: 1 } }, { writeConcern: DURABLE });
    },
  };
}

/** A change of an account by the API. */
export interface AccountChange {
  readonly set: Partial<Pick<Account, 'name' | 'email' | 'tier' | 'own_limits' | 'metadata' | 'search_fields'>>;
  readonly unset?: readonly ('name' | 'email' | 'own_limits' | 'metadata')[];
  readonly changes: readonly FieldChange[];
}

/** What an account can be. */
export const ACCOUNT_STATUSES = ['active', 'suspended', 'deleting'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** What an account is. */
export function statusOf({
  suspended_at: suspendedAt,
  deleting_since: since,
}: Pick<Account, 'suspended_at' | 'deleting_since'>): AccountStatus {
  if (since) return 'deleting';
  return suspendedAt ? 'suspended' : 'active';
}

const OF_STATUS: Readonly<Record<AccountStatus, Filter<Account>>> = {
  active: { suspended_at: { $exists: false } },
  suspended: { suspended_at: { $exists: true }, deleting_since: { $exists: false } },
  deleting: { suspended_at: { $exists: true }, deleting_since: { $exists: true } },
};

/** Of versions in which every account had an e-mail address. */
const OLD_EMAIL_INDEX = 'email_1';

function uniqueIfPresent(field: 'email' | 'external_id'): IndexDescription {
  return {
    name: `${field}_if_present`,
    key: { [field]: 1 },
    unique: true,
    partialFilterExpression: { [field]: { $type: 'string' } },
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
