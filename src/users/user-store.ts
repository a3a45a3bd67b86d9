import type { ClientSession, Collection, Db } from 'mongodb';
import { accountCreation, ACCOUNTS_COLLECTION, type Account } from '../accounts/account-store';
import { changeAudited, type NewAuditEntry } from '../accounts/audit-store';
import type { By } from '../domain/audit-actions';
import { isDuplicateKey } from '../platform/mongo';

/** A person who signs in to the dashboard. */
export interface User {
  readonly _id: string;
  readonly account_id: string;
  /** As `normaliseEmail` spells it; unique. */
  readonly email: string;
  /** Argon2id, with its parameters and salt. */
  readonly password_hash: string;
  readonly role: 'owner';
  /** An operator sees all accounts, and sets their tiers. */
  readonly operator: boolean;
  readonly created_at: Date;
}

/** A new password's hash, and its audit action. */
export interface PasswordChange {
  readonly to: string;
  /** The hash that it replaces; any if absent. */
  readonly from?: string;
  readonly action: 'password.changed' | 'password.reset';
}

/** Name of the collection, for the sessions, which look their user up. */
export const USERS_COLLECTION = 'users';

export type UserStore = ReturnType<typeof createUserStore>;

/** Reads and writes users. */
export function createUserStore(db: Db) {
  const users: Collection<User> = db.collection(USERS_COLLECTION);
  const accounts: Collection<Account> = db.collection(ACCOUNTS_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      await users.createIndexes([{ key: { email: 1 }, unique: true }, { key: { account_id: 1 } }]);
    },
    /** @returns false when the address is taken */
    insert: (user: User, by: By): Promise<boolean> =>
      unlessTaken(() =>
        changeAudited(
          db,
          (session) => users.insertOne(user, { session }),
          () => creationOf(user, by),
        ),
      ),
    /** Inserts a user and the user's own account: both or neither. @returns false if the address is taken */
    insertWithAccount: (user: User, account: Account, by: By): Promise<boolean> =>
      unlessTaken(() =>
        changeAudited(
          db,
          async (session) => {
            await accounts.insertOne(account, { session });
            return users.insertOne(user, { session });
          },
          () => [accountCreation(account, by), creationOf(user, by)],
        ),
      ),
    /**
     * Uses up the set-up link, inserts the user who claims its account, and gives the account the user's address: all or
     * nothing.
     *
     * @param useLink removes the link, and throws if it is gone
     * @returns false if the address is taken
     */
    insertWithLink: (user: User, by: By, useLink: (session: ClientSession) => Promise<void>): Promise<boolean> =>
      unlessTaken(() =>
        changeAudited(
          db,
          async (session) => {
            await useLink(session);
            await accounts.updateOne({ _id: user.account_id }, { $set: { email: user.email } }, { session });
            return users.insertOne(user, { session });
          },
          () => creationOf(user, by),
        ),
      ),
    find: (id: string): Promise<User | null> => users.findOne({ _id: id }),
    findByEmail: (email: string): Promise<User | null> => users.findOne({ email }),
    /** All users, oldest first. */
    list: (): Promise<User[]> => users.find().sort({ created_at: 1 }).toArray(),
    /** Whether any user can sign in yet. */
    any: async (): Promise<boolean> => (await users.findOne({}, { projection: { _id: 1 } })) !== null,
    /** The id of the oldest account that has no user; null if there is none. */
    async oldestAccountWithout(): Promise<string | null> {
      const [oldest] = await accounts
        .aggregate<{ _id: string }>([
          { $sort: { created_at: 1, _id: 1 } },
          { $lookup: { from: USERS_COLLECTION, localField: '_id', foreignField: 'account_id', as: 'users' } },
          { $match: { users: [] } },
          { $limit: 1 },
          { $project: { _id: 1 } },
        ])
        .toArray();
      return oldest?._id ?? null;
    },
    /** Whether there is an operator yet. */
    anyOperator: async (): Promise<boolean> =>
      (await users.findOne({ operator: true }, { projection: { _id: 1 } })) !== null,
    /** Removes a user with all sessions. @returns null if there is no such user */
    remove: (id: string, by: By): Promise<User | null> => removeUser(db, id, by),
    /** Makes a user an operator, or takes that back. @returns null if there is no such user, or it was so already */
    setOperator: (id: string, operator: boolean, by: By): Promise<User | null> =>
      setOperator(users, db, { id, operator, by }),
    /** @returns false if there is no such user, or if the hash is no longer the expected one */
    async setPasswordHash(id: string, { to, from, action }: PasswordChange, by: By): Promise<boolean> {
      const expected = { _id: id, ...(from !== undefined && { password_hash: from }) };
      const changed = await changeAudited(
        db,
        (session) => users.findOneAndUpdate(expected, { $set: { password_hash: to } }, { session }),
        ({ account_id: accountId }) => ({ ...by, accountId, action, object: id }),
      );
      return changed !== null;
    },
  };
}

function removeUser(db: Db, id: string, by: By): Promise<User | null> {
  return changeAudited(
    db,
    async (session) => {
      const removed = await db.collection<User>(USERS_COLLECTION).findOneAndDelete({ _id: id }, { session });
      await db.collection('sessions').deleteMany({ user_id: id }, { session });
      return removed;
    },
    ({ account_id: accountId }) => ({ ...by, accountId, action: 'user.deleted', object: id }),
  );
}

function setOperator(
  users: Collection<User>,
  db: Db,
  { id, operator, by }: { readonly id: string; readonly operator: boolean; readonly by: By },
): Promise<User | null> {
  return changeAudited(
    db,
    (session) =>
      users.findOneAndUpdate(
        { _id: id, operator: !operator },
        { $set: { operator } },
        { session, returnDocument: 'after' },
      ),
    ({ account_id: accountId }) => ({
      ...{ ...by, accountId, action: 'user.operator_changed', object: id },
      changes: [{ field: 'operator', from: yesNo(!operator), to: yesNo(operator) }],
    }),
  );
}

const yesNo = (value: boolean): string => (value ? 'yes' : 'no');

/** Without the address: entries about operators outlive the account and must not name its users. */
function creationOf({ _id, account_id: accountId, operator }: User, by: By): NewAuditEntry {
  const changes = operator ? [{ field: 'operator', to: 'yes' }] : [];
  return { ...by, accountId, action: 'user.created', object: _id, changes };
}

async function unlessTaken(insert: () => Promise<unknown>): Promise<boolean> {
  try {
    await insert();
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
