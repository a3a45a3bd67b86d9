import type { ClientSession, Collection, Db, Document, Filter } from 'mongodb';
import { ERASED_COLLECTION, eraseEntries } from '../accounts/audit-chain-store';
import { AUDIT_COLLECTION, changeAudited, type AuditEntry, type NewAuditEntry } from '../accounts/audit-store';
import type { By } from '../domain/audit-actions';
import { ATTEMPTS_COLLECTION } from '../stores/attempt-store';
import { ENDPOINTS_COLLECTION } from '../stores/endpoint-store';
import { EVENTS_COLLECTION } from '../stores/event-store';
import { operationalScope } from '../stores/idempotency-store';
import { noteRevoked } from '../keys/revocation-store';
import { DATA_KEYS_COLLECTION } from '../payloads/data-key-store';
import { DURABLE } from '../platform/mongo';
import { deletesOf } from '../platform/mongo-router';
import { USERS_COLLECTION, type User } from '../users/user-store';
import { ACCOUNTS_COLLECTION, type Account } from '../accounts/account-store';
import { changeAccount } from './suspension-store';

/** How many documents of each kind were removed. */
export type Removed = Readonly<Record<string, number>>;

const HAS_BEGUN = { deleting_since: { $type: 'date' as const } };

type Any = Document & { readonly _id: string | number };

export type DeletionStore = ReturnType<typeof createDeletionStore>;

/** Deletes accounts, step by step. Every step can be repeated, by another process too. */
export function createDeletionStore(db: Db) {
  const accounts: Collection<Account> = db.collection(ACCOUNTS_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      // Partial, because few accounts have the field.
      await accounts.createIndexes([{ key: { deleting_since: 1 }, partialFilterExpression: HAS_BEGUN }]);
    },
    /**
     * Marks a suspended account, with its entry in the audit log, in one transaction. A second call changes and records
     * nothing.
     *
     * @returns the account; null when there is none
     */
    begin: (accountId: string, by: By): Promise<Account | null> =>
      changeAccount(db, { ...by, accountId, action: 'account.deletion_started', object: accountId }, (session) =>
        accounts.findOneAndUpdate(
          { _id: accountId, deleting_since: { $exists: false } },
          { $currentDate: { deleting_since: true }, $set: { deleting_by: by } },
          { session, returnDocument: 'after' },
        ),
      ),
    /** Accounts whose deletion has started. */
    begun: (): Promise<string[]> =>
      accounts
        .find(HAS_BEGUN, { projection: { _id: 1 } })
        .map(({ _id }) => _id)
        .toArray(),
    /** Milliseconds since the account was suspended, by the database's clock. */
    async suspendedForMs(accountId: string): Promise<number> {
      const [found] = await accounts
        .aggregate<{ ms: number }>([
          { $match: { _id: accountId } },
          { $project: { ms: { $subtract: ['$$NOW', '$suspended_at'] } } },
        ])
        .toArray();
      return found?.ms ?? Number.POSITIVE_INFINITY;
    },
    /**
     * Removes some of an account's documents: up to `limit` of each kind, with those that depend on them.
     *
     * @returns an empty object when nothing is left
     */
    removeSome: (accountId: string, limit: number): Promise<Removed> => removeSome(db, accountId, limit),
    /**
     * Removes the account itself and writes the audit entry, in one transaction. @returns false when another process
     * did
     */
    async end(accountId: string, entry: NewAuditEntry): Promise<boolean> {
      const remove = (session: ClientSession) => accounts.findOneAndDelete({ _id: accountId }, { session });
      return (await changeAudited(db, remove, () => entry)) !== null;
    },
  };
}

/** The data key first: then the account's payloads can't be read. Then keys and users, so that they can do nothing more. */
async function removeSome(db: Db, accountId: string, limit: number): Promise<Removed> {
  const own = { account_id: accountId };
  const removed: Record<string, number> = {};
  const done = new Set<string>();
  const remove = async (
    name: string,
    filter: Filter<Any>,
    before?: (ids: Any['_id'][]) => Promise<void>,
    after?: (ids: Any['_id'][]) => Promise<void>,
  ) => {
    done.add(name);
    const collection = db.collection<Any>(name);
    const ids = await collection
      .find(filter, { projection: { _id: 1 } })
      .limit(limit)
      .map(({ _id }) => _id)
      .toArray();
    if (ids.length === 0) return;
    // Dependent documents first: after a crash, the next step finds both again.
    await before?.(ids);
    removed[name] = await deleteAll(db, name, '_id', ids);
    await after?.(ids);
  };
  await remove(DATA_KEYS_COLLECTION, own);
  await remove('api_keys', own, undefined, (ids) => noteRevoked(db, ids as string[]));
  await remove('setup_links', own);
  const erased = await eraseEntries(db, await ownEntries(db, accountId), limit);
  if (erased > 0) removed[AUDIT_COLLECTION] = erased;
  done.add(AUDIT_COLLECTION).add(ERASED_COLLECTION);
  await remove(USERS_COLLECTION, own, async (ids) => {
    await db.collection('sessions').deleteMany({ user_id: { $in: ids } }, DURABLY);
  });
  await remove('replays', own);
  await remove(ENDPOINTS_COLLECTION, own, async (ids) => {
    for (const name of ['gates', 'rates', 'ordered_endpoints']) {
      await deleteAll(db, name, '_id', ids);
    }
  });
  await remove(EVENTS_COLLECTION, own, async (ids) => {
    await deleteAll(db, ATTEMPTS_COLLECTION, 'event_id', ids);
  });
  for (const scope of [accountId, operationalScope(accountId)]) await remove('idempotency_keys', keysIn(scope));
  // `<account_id>/<day>`, and `0` is the character after `/`.
  await remove('stored_bytes', { _id: { $gte: `${accountId}/`, $lt: `${accountId}0` } });
  for (const name of await ownedCollections(db)) if (!done.has(name)) await remove(name, own);
  return removed;
}

/** Collections whose documents belong to accounts: one of their indexes begins with `account_id`. */
async function ownedCollections(db: Db): Promise<string[]> {
  const owned: string[] = [];
  for (const { name } of await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()) {
    const indexes = await db.collection(name).indexes();
    if (indexes.some(({ key }) => Object.keys(key)[0] === 'account_id')) owned.push(name);
  }
  return owned;
}

/** Ids of idempotency keys are `<scope>:<key>`, and `;` is the character after `:`. */
function keysIn(scope: string): Filter<Any> {
  return { _id: { $gte: `${scope}:`, $lt: `${scope};` } };
}

const DURABLY = { writeConcern: DURABLE };

/** Deletes documents by a field, which is the shard key of a sharded collection. @returns how many */
async function deleteAll(db: Db, name: string, field: string, keys: readonly unknown[]): Promise<number> {
  const collection = db.collection(name);
  const deletes = deletesOf(collection, field, keys);
  return (await collection.bulkWrite(deletes, { ordered: false, ...DURABLY })).deletedCount;
}

/** Entries about actions of the account's own users and keys, which name them. Entries about operators stay. */
async function ownEntries(db: Db, accountId: string): Promise<Filter<AuditEntry>> {
  const operators = await db
    .collection<User>(USERS_COLLECTION)
    .find({ operator: true, account_id: { $ne: accountId } }, { projection: { _id: 1 } })
    .map(({ _id }) => _id)
    .toArray();
  return {
    account_id: accountId,
    'actor.type': { $in: ['user', 'key', 'portal'] },
    'actor.id': { $nin: operators },
  };
}
