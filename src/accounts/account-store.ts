import type { ClientSession, Collection, Db, Document, Filter, IndexDescription } from 'mongodb';
import type { By } from '../domain/audit-actions';
import { isOwnAccountId } from '../domain/external-id';
import type { ListPosition } from '../platform/cursor';
import { dropIndex } from '../platform/mongo-indexes';
import { DURABLE, findNewestFirst, isDuplicateKey } from '../platform/mongo';
import { createAccountChanges } from './account-change-store';
import { ACCOUNTS_COLLECTION, type Account } from './account-record';
import { changeAudited, type NewAuditEntry } from './audit-store';

export { ACCOUNTS_COLLECTION, type Account, type OwnLimits } from './account-record';

/** Selects an account by its id, or by its `external_id`, which never looks like one. */
export function named(account: string): { readonly _id: string } | { readonly external_id: string } {
  return isOwnAccountId(account) ? { _id: account } : { external_id: account };
}

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
    ...createAccountChanges(db),
    /** Makes every process notice that the account's endpoints changed. */
    async bumpEndpointsVersion(id: string): Promise<void> {
      await accounts.updateOne({ _id: id }, { $inc: { endpoints_version: 1 } }, { writeConcern: DURABLE });
    },
  };
}

/** What the ingest has to know of an account. */
export function eventSettingsOf({
  endpoints_version: endpointsVersion,
  search_fields: searchFields = [],
  defaults,
  event_types: eventTypes,
  retention_days: retentionDays,
}: Pick<Account, 'endpoints_version' | 'search_fields' | 'defaults' | 'event_types' | 'retention_days'>) {
  return { endpointsVersion, searchFields, defaultBody: defaults?.body, eventTypes, retentionDays };
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
  field: 'keys_version' | 'replays_version' | 'erasures_version',
  session: ClientSession,
): Promise<void> {
  const accounts = db.collection<Document & { readonly _id: string }>(ACCOUNTS_COLLECTION);
  await accounts.updateOne({ _id: accountId }, { $inc: { [field]: 1 } }, { session });
}

/** The audit entry of a new account. */
export function accountCreation({ _id: accountId, tier: detail }: Account, by: By): NewAuditEntry {
  return { ...by, accountId, action: 'account.created', object: accountId, detail };
}
