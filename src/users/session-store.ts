import type { Collection, Db } from 'mongodb';
import { ACCOUNTS_COLLECTION, OF_ACTIVE_ACCOUNTS, type Account } from '../accounts/account-store';
import { createLookupGroup, DURABLE, FAST } from '../platform/mongo';
import { USERS_COLLECTION, type User } from './user-store';

/** A browser that is signed in. The token in its cookie is not stored: only its SHA-256. */
export interface Session {
  readonly _id: string;
  /** SHA-256 of the token, hexadecimal. 256 random bits need no slow hash. */
  readonly hash: string;
  readonly user_id: string;
  readonly account_id: string;
  readonly created_at: Date;
  /** The time of the last request; stored once a minute. */
  readonly last_seen_at: Date;
  /** The latest time at which it ends. */
  readonly ends_at: Date;
  readonly address: string;
  readonly user_agent: string;
  /** The account that its operator looks at; absent if it is the own one. */
  readonly viewed_account_id?: string;
}

/** A session in use, with its user and account, at one moment of the database's clock. */
export interface LiveSession {
  readonly session: Session;
  readonly user: User;
  readonly account: Account;
  /** The account that its operator looks at; absent if it is the own one, or was deleted since. */
  readonly viewed?: Account;
  readonly now: Date;
}

export type NewSession = Pick<Session, '_id' | 'hash' | 'user_id' | 'account_id' | 'address' | 'user_agent'>;

/** OWASP, Session Management Cheat Sheet: half an hour without a request, a working day at most. */
const IDLE_MS = 30 * 60_000;
const MAX_MS = 8 * 3_600_000;
/** The most sessions that a user has. Right passwords are not limited, so a program can sign in any number of times. */
const MAX_SESSIONS = 100;
/** A session's use is stored at most this often. */
const NOTE_EVERY_MS = 60_000;

const IS_ALIVE = {
  $expr: {
    $and: [{ $gt: ['$ends_at', '$$NOW'] }, { $gt: [{ $add: ['$last_seen_at', IDLE_MS] }, '$$NOW'] }],
  },
};

export type SessionStore = ReturnType<typeof createSessionStore>;

/** Reads and writes sessions. The database's clock decides when one has ended, never a missing document. */
export function createSessionStore(db: Db) {
  const sessions: Collection<Session> = db.collection('sessions');
  // Guessed tokens are looked up too. Grouped look-ups keep guessing from overloading MongoDB.
  const byHash = createLookupGroup(
    (hashes: readonly string[]) => sessions.aggregate<LiveSession>(liveSessions(hashes)).toArray(),
    ({ session }) => session.hash,
  );
  const newestOf = (userId: string) => sessions.find({ user_id: userId, ...IS_ALIVE }).sort({ created_at: -1 });
  return {
    async ensureIndexes(): Promise<void> {
      await sessions.createIndexes([
        { key: { hash: 1 }, unique: true },
        { key: { user_id: 1, created_at: -1 } },
        { key: { ends_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    /** Inserts a session, and ends the user's oldest beyond `MAX_SESSIONS`. */
    async insert(session: NewSession): Promise<void> {
      const times = { created_at: '$$NOW', last_seen_at: '$$NOW', ends_at: { $add: ['$$NOW', MAX_MS] } };
      await sessions.updateOne(
        { _id: session._id },
        [{ $replaceWith: { $mergeObjects: [{ $literal: session }, times] } }],
        { upsert: true, writeConcern: DURABLE },
      );
      const tooMany = await newestOf(session.user_id)
        .skip(MAX_SESSIONS)
        .limit(MAX_SESSIONS)
        .project<Pick<Session, '_id'>>({ _id: 1 })
        .toArray();
      if (tooMany.length === 0) return;
      await sessions.deleteMany({ _id: { $in: tooMany.map(({ _id }) => _id) } }, { writeConcern: DURABLE });
    },
    /**
     * The session of a token's hash, unless it has ended.
     *
     * @param isAttended whether a person caused the request: only such requests keep the session from idling out
     */
    async use(hash: string, isAttended: boolean): Promise<LiveSession | null> {
      const found = await byHash.add(hash);
      if (!found) return null;
      if (isAttended && found.now.getTime() - found.session.last_seen_at.getTime() > NOTE_EVERY_MS) {
        // Only one that is still alive: a request must not revive a session that has ended.
        await sessions.updateOne({ hash, ...IS_ALIVE }, [{ $set: { last_seen_at: '$$NOW' } }], { writeConcern: FAST });
      }
      return found;
    },
    /**
     * Which of these sessions are alive and belong to an account that is not suspended. The query doesn't count as use.
     */
    async alive(ids: readonly string[]): Promise<Set<string>> {
      const found = await sessions
        .aggregate<{ _id: string }>([{ $match: { _id: { $in: [...ids] }, ...IS_ALIVE } }, ...OF_ACTIVE_ACCOUNTS])
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },
    /** Has a session show another account, or its own again. */
    async setViewed(id: string, accountId: string | null): Promise<void> {
      const change =
        accountId === null ? { $unset: { viewed_account_id: 1 as const } } : { $set: { viewed_account_id: accountId } };
      await sessions.updateOne({ _id: id }, change, { writeConcern: DURABLE });
    },
    /** A user's newest sessions that have not ended, newest first; at most `MAX_SESSIONS`. */
    listByUser: (userId: string): Promise<Session[]> => newestOf(userId).limit(MAX_SESSIONS).toArray(),
    /** @returns false when the user has no such session */
    async revoke(userId: string, id: string): Promise<boolean> {
      const { deletedCount } = await sessions.deleteOne({ _id: id, user_id: userId }, { writeConcern: DURABLE });
      return deletedCount === 1;
    },
    /** Ends the session of a token's hash, if there is one. */
    revokeByHash: (hash: string): Promise<Session | null> =>
      sessions.findOneAndDelete({ hash }, { writeConcern: DURABLE }),
    /** @returns how many were ended */
    async revokeAllOf(userId: string, exceptId?: string): Promise<number> {
      const others = { user_id: userId, ...(exceptId !== undefined && { _id: { $ne: exceptId } }) };
      return (await sessions.deleteMany(others, { writeConcern: DURABLE })).deletedCount;
    },
  };
}

/** Sessions with user and account in one look-up; a session whose user or account was deleted is not found. */
function liveSessions(hashes: readonly string[]) {
  return [
    { $match: { hash: { $in: hashes }, ...IS_ALIVE } },
    { $project: { _id: 0, session: '$$ROOT', now: '$$NOW' } },
    { $lookup: { from: USERS_COLLECTION, localField: 'session.user_id', foreignField: '_id', as: 'user' } },
    { $lookup: { from: ACCOUNTS_COLLECTION, localField: 'session.account_id', foreignField: '_id', as: 'account' } },
    {
      $lookup: {
        from: ACCOUNTS_COLLECTION,
        localField: 'session.viewed_account_id',
        foreignField: '_id',
        as: 'viewed',
      },
    },
    { $unwind: '$user' },
    { $unwind: '$account' },
    { $unwind: { path: '$viewed', preserveNullAndEmptyArrays: true } },
  ];
}
