import type { Collection, Db, Filter, UpdateFilter } from 'mongodb';
import { serialiseInsertions } from '../accounts/account-store';
import { changeAudited, type NewAuditEntry } from '../accounts/audit-store';
import type { Product } from '../domain/api-key';
import { isManagementKey, type AnyKey, type ApiKey } from '../domain/api-key-record';
import type { AuditAction, By, FieldChange } from '../domain/audit-actions';
import { createReadGroup } from '../platform/mongo';
import { followRevocations, type RevocationFollower } from './follow-revocations';
import { newsAfter, noteRevoked } from './revocation-store';

/** Why a key has ended: the first of these that applies. */
export type EndedState = 'revoked' | 'expired';

/** A key and how long it was still valid by the database's clock at the look-up: negative for an expired one. */
export interface FoundKey {
  readonly key: AnyKey;
  /** Null for a key that never expires. */
  readonly expiresInMs: number | null;
}

/** Uses of a key since the last write. */
export interface KeyUse {
  readonly lastAt: Date;
  /** The client's address of the last one. */
  readonly address: string;
  readonly calls: number;
}

/** Revoked keys stay, and there may be any number of them. */
export const MAX_LISTED = 1_000;

export type KeyStore = ReturnType<typeof createKeyStore>;

/** Reads and writes API keys. */
export function createKeyStore(db: Db) {
  const keys: Collection<ApiKey> = db.collection(KEYS_COLLECTION);
  // Guessed keys are looked up too. Grouped look-ups keep guessing from overloading MongoDB.
  const byHash = createReadGroup<AnyKey, FoundKey & { hash: string }, 'hash'>(
    db.collection(KEYS_COLLECTION),
    FOUND,
    'hash',
  );
  return {
    async ensureIndexes(): Promise<void> {
      await keys.createIndexes([{ key: { hash: 1 }, unique: true }, { key: { account_id: 1, created_at: 1 } }]);
    },
    /** Inserts a key, unless the account has `most` that are neither revoked nor expired. @returns false if it has */
    async insert(key: ApiKey, most: number, by: By): Promise<boolean> {
      const { account_id: accountId } = key;
      const inserted = await changeAudited(
        db,
        async (session) => {
          await serialiseInsertions(db, accountId, 'keys_version', session);
          const active = await keys.countDocuments({ account_id: accountId, $expr: IS_ACTIVE }, { session });
          return active < most ? keys.insertOne(key, { session }) : null;
        },
        () => ({ ...entryOf(key, 'key.created', by), changes: restrictionsOf(key) }),
      );
      return inserted !== null;
    },
    findByHash: (hash: string): Promise<FoundKey | null> => byHash.add(hash),
    /** The account's newest keys, the oldest of them first; at most `MAX_LISTED`. */
    async listByAccount(accountId: string): Promise<ApiKey[]> {
      const newest = keys.find({ account_id: accountId }).sort({ created_at: -1 }).limit(MAX_LISTED);
      return (await newest.toArray()).toReversed();
    },
    /** The active keys that a user created, oldest first. */
    listActiveBy: (creatorId: string, accountId: string): Promise<ApiKey[]> =>
      keys.find({ account_id: accountId, created_by: creatorId, $expr: IS_ACTIVE }).sort({ created_at: 1 }).toArray(),
    listNewest: (accountId: string, mostEnded: number) => listNewest(keys, accountId, mostEnded),
    /** Whether the account has a key of this product that is neither revoked nor expired. */
    hasActive: async (accountId: string, product: Product): Promise<boolean> =>
      (await keys.findOne({ account_id: accountId, product, $expr: IS_ACTIVE }, { projection: { _id: 1 } })) !== null,
    /** The labels of these keys, the oldest key first. */
    labelsOf: (ids: readonly string[]): Promise<Pick<ApiKey, '_id' | 'label'>[]> =>
      keys
        .find({ _id: { $in: [...ids] } }, { projection: { label: 1 } })
        .sort({ created_at: 1 })
        .toArray(),
    /** Revokes a key, once: a second call keeps the first time. @returns null if there is no such key */
    revoke: (id: string, at: Date, by: By, accountId?: string): Promise<ApiKey | null> =>
      revokeOne(db, keys, { _id: id, account_id: accountId ?? { $exists: true } }, { at, by }),
    /** The states of these keys, whatever their accounts are; missing keys are left out. */
    async statesOf(ids: readonly string[]): Promise<Map<string, EndedState | 'active'>> {
      const found = keys.aggregate<{ _id: string; state: EndedState | 'active' }>([
        { $match: { _id: { $in: [...new Set(ids)] } } },
        { $project: { state: STATE } },
      ]);
      return new Map((await found.toArray()).map(({ _id, state }) => [_id, state]));
    },
    /** Stores uses of keys, several at once. */
    touch: (uses: ReadonlyMap<string, KeyUse>): Promise<void> => touch(keys, uses),
    /** Follows the revocations of all keys until `close`. @param now a monotonic clock, in milliseconds */
    followRevocations: (follower: RevocationFollower, now: () => number) =>
      followRevocations((seen) => newsAfter(db, seen), follower, now),
  };
}

/** Name of the collection of all keys. */
export const KEYS_COLLECTION = 'api_keys';

/** Revokes a key with its audit entry, once: a second call keeps the first time. */
export async function revokeOne<K extends AnyKey>(
  db: Db,
  keys: Collection<K>,
  which: Filter<K>,
  { at, by }: { readonly at: Date; readonly by: By },
): Promise<K | null> {
  const revoked = await changeAudited(
    db,
    (session) =>
      keys.findOneAndUpdate(
        { ...which, revoked_at: null },
        { $set: { revoked_at: at } } as unknown as UpdateFilter<K>,
        { session, returnDocument: 'after' },
      ),
    (key) => entryOf(key, 'key.revoked', by),
  );
  const key = (revoked ?? (await keys.findOne(which))) as K | null;
  // Also of one that was revoked before: whoever did it may have ended before it told.
  if (key) await noteRevoked(db, [key._id]);
  return key;
}

async function touch(keys: Collection<ApiKey>, uses: ReadonlyMap<string, KeyUse>): Promise<void> {
  const updates = [...uses].map(([id, { lastAt, address, calls }]) => ({
    updateOne: {
      filter: { _id: id },
      update: { $max: { last_used_at: lastAt }, $set: { last_used_address: address }, $inc: { calls } },
    },
  }));
  if (updates.length > 0) await keys.bulkWrite(updates, { ordered: false, writeConcern: { w: 1 } });
}

/**
 * An account's active keys, and the newest `mostEnded` of the revoked and expired ones, all newest first.
 *
 * @returns `hasMore`: whether there are older revoked or expired ones
 */
async function listNewest(
  keys: Collection<ApiKey>,
  accountId: string,
  mostEnded: number,
): Promise<{ keys: ApiKey[]; hasMore: boolean }> {
  const newest = (isWanted: object) => keys.find({ account_id: accountId, $expr: isWanted }).sort({ created_at: -1 });
  const [active, ended] = await Promise.all([
    newest(IS_ACTIVE).toArray(),
    newest({ $not: IS_ACTIVE })
      .limit(mostEnded + 1)
      .toArray(),
  ]);
  const listed = [...active, ...ended.slice(0, mostEnded)];
  listed.sort((one, other) => other.created_at.getTime() - one.created_at.getTime());
  return { keys: listed, hasMore: ended.length > mostEnded };
}

/** An audit entry about a key: in the log of its account, or for operators only. */
export function entryOf(key: AnyKey, action: AuditAction, by: By): NewAuditEntry {
  const accountId = isManagementKey(key) ? null : key.account_id;
  return { ...by, accountId, action, object: key._id, detail: key.label };
}

/** The restrictions of a new key, for its whole life; empty if there are none. */
export function restrictionsOf({ scopes, expires_at: expiresAt }: AnyKey): FieldChange[] {
  return [
    ...(scopes ? [{ field: 'scopes', to: scopes.join(', ') }] : []),
    ...(expiresAt ? [{ field: 'expires_at', to: expiresAt.toISOString() }] : []),
  ];
}

/** A key with its remaining time. */
const FOUND = {
  hash: 1,
  key: '$$ROOT',
  expiresInMs: { $ifNull: [{ $subtract: ['$expires_at', '$$NOW'] }, null] },
};

/** The expression of a key's state; null and missing values are less than any date. */
const STATE = {
  $switch: {
    branches: [
      { case: { $gt: ['$revoked_at', null] }, then: 'revoked' },
      { case: { $and: [{ $gt: ['$expires_at', null] }, { $lte: ['$expires_at', '$$NOW'] }] }, then: 'expired' },
    ],
    default: 'active',
  },
};

const IS_ACTIVE = { $eq: [STATE, 'active'] };
