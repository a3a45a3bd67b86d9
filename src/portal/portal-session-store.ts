import type { Collection, Db } from 'mongodb';
import { ACCOUNTS_COLLECTION, OF_ACTIVE_ACCOUNTS, type Account } from '../accounts/account-store';
import type { Actor } from '../domain/audit-actions';
import type { PortalRole } from '../domain/portal-roles';
import { createLookupGroup, DURABLE } from '../platform/mongo';
import type { SealedSecret } from '../platform/secret-box';

/** A customer in the portal. Neither its token nor its code can be read here. */
export interface PortalSession {
  readonly _id: string;
  readonly account_id: string;
  readonly role: PortalRole;
  /** Who it is, in the words of the platform; null if it did not say. */
  readonly subject: string | null;
  /** The first page. */
  readonly page: string;
  /** SHA-256, hexadecimal. */
  readonly token_hash: string;
  readonly code_hash: string;
  /** The token under a key that only the code gives. */
  readonly sealed_token: SealedSecret;
  readonly created_by: Actor;
  readonly created_at: Date;
  /** Until when the code can be swapped for the token. */
  readonly code_ends_at: Date;
  readonly ends_at: Date;
}

/** A session in use, with its account, at one moment of the database's clock. */
export interface LivePortalSession {
  readonly session: PortalSession;
  readonly account: Account;
  readonly now: Date;
}

/** A session before the database's clock says when it begins. */
export type NewPortalSession = Omit<PortalSession, 'created_at' | 'code_ends_at' | 'ends_at'>;

/** Long enough for a redirect, a reload and a slow network; too short for a log or a history to be of use. */
const CODE_LIFETIME_MS = 60_000;

export type PortalSessionStore = ReturnType<typeof createPortalSessionStore>;

/** Reads and writes portal sessions. The database's clock decides when one has ended, never a missing document. */
export function createPortalSessionStore(db: Db) {
  const sessions: Collection<PortalSession> = db.collection('portal_sessions');
  // Guessed tokens and codes are looked up too. Grouped look-ups keep guessing from overloading MongoDB.
  const byToken = lookupBy(sessions, 'token_hash', 'ends_at');
  const byCode = lookupBy(sessions, 'code_hash', 'code_ends_at');
  return {
    async ensureIndexes(): Promise<void> {
      await sessions.createIndexes([
        { key: { token_hash: 1 }, unique: true },
        { key: { code_hash: 1 }, unique: true },
        // An account's deletion finds the collection by it.
        { key: { account_id: 1, created_at: -1 } },
        { key: { ends_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    /** Starts a session that lasts this long. */
    async insert(session: NewPortalSession, lifetimeMs: number): Promise<PortalSession> {
      const after = (ms: number) => ({ $add: ['$$NOW', ms] });
      const times = { created_at: '$$NOW', code_ends_at: after(CODE_LIFETIME_MS), ends_at: after(lifetimeMs) };
      const stored = await sessions.findOneAndUpdate(
        { _id: session._id },
        [{ $replaceWith: { $mergeObjects: [{ $literal: session }, times] } }],
        { upsert: true, returnDocument: 'after', writeConcern: DURABLE },
      );
      return stored!;
    },
    /** The session of a token's hash; null if there is none, if it has ended, or if its account was deleted. */
    use: (tokenHash: string): Promise<LivePortalSession | null> => byToken.add(tokenHash),
    /** The session of a code's hash, while the code can be swapped. */
    findByCode: (codeHash: string): Promise<LivePortalSession | null> => byCode.add(codeHash),
    /** Which of these sessions are alive and belong to an account that is not suspended. */
    async alive(ids: readonly string[]): Promise<Set<string>> {
      const found = await sessions
        .aggregate<{ _id: string }>([
          { $match: { _id: { $in: [...ids] }, ...isBefore('ends_at') } },
          ...OF_ACTIVE_ACCOUNTS,
        ])
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}

function isBefore(end: 'ends_at' | 'code_ends_at') {
  return { $expr: { $gt: [`$${end}`, '$$NOW'] } };
}

function lookupBy(
  sessions: Collection<PortalSession>,
  hash: 'token_hash' | 'code_hash',
  end: 'ends_at' | 'code_ends_at',
) {
  return createLookupGroup(
    (hashes: readonly string[]) =>
      sessions
        .aggregate<LivePortalSession>([
          { $match: { [hash]: { $in: hashes }, ...isBefore(end) } },
          { $project: { _id: 0, session: '$$ROOT', now: '$$NOW' } },
          {
            $lookup: {
              from: ACCOUNTS_COLLECTION,
              localField: 'session.account_id',
              foreignField: '_id',
              as: 'account',
            },
          },
          { $unwind: '$account' },
        ])
        .toArray(),
    ({ session }) => session[hash],
  );
}
