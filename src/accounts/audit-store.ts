import type { ClientSession, Collection, Db, Filter } from 'mongodb';
import { newId } from '../platform/ids';
import type { ListPosition } from '../platform/cursor';
import { findNewestFirst, inTransaction } from '../platform/mongo';
import { ensureExpiry } from '../platform/mongo-expiry';
import type { Actor, AuditAction, By, FieldChange } from '../domain/audit-actions';
import { digestOf, hashOf, newSalt, type ChainLink } from './audit-chain';

/** An entry before it is stored. Names and ids only, never a secret. */
export interface NewAuditEntry extends By {
  /**
   * The account whose log has the entry; null for what belongs to no account, such as a sign-in with an unknown
   * address: only operators see it.
   */
  readonly accountId: string | null;
  readonly action: AuditAction;
  /** Id of the object of the action. */
  readonly object: string | null;
  /** Other details, such as the new tier. */
  readonly detail?: string;
  /** The changed fields, with old and new values. */
  readonly changes?: readonly FieldChange[];
}

/** An entry of the log. */
export interface AuditEntry {
  readonly _id: string;
  /** By the database's clock. */
  readonly at: Date;
  readonly account_id: string | null;
  readonly actor: Actor;
  readonly action: AuditAction;
  readonly object: string | null;
  readonly address: string | null;
  readonly detail?: string;
  readonly changes?: readonly FieldChange[];
}

/** An entry with its place in its log. Entries from before there were hashes have none. */
type StoredEntry = AuditEntry & Partial<ChainLink & { readonly salt: string }>;

/** What is left of an entry that was erased with its account. */
type ErasedEntry = ChainLink & Pick<AuditEntry, '_id' | 'at' | 'account_id'>;

/** An entry in the order of its log; without `content` if it was erased. */
export interface ChainedEntry extends ChainLink {
  readonly content?: AuditEntry & { readonly salt: string };
}

/** The end of a log: one document for each, so entries of a log are written one after the other. */
interface StoredHead {
  /** The account, or `none`. */
  readonly _id: string;
  /** Of the last entry, as are its hash and its time. */
  readonly seq: number;
  readonly hash?: string;
  readonly at: Date;
}

/** The end of a log. */
export interface AuditHead {
  /** The account, or `none`. */
  readonly log: string;
  readonly seq: number;
  readonly hash: string;
  /** Whether retention may have removed all entries. */
  readonly mayBeEmpty: boolean;
}

/** The filter of a query. */
export interface AuditFilter {
  readonly accountId: string | null;
  readonly action?: AuditAction | undefined;
  /** Id or name of the author. */
  readonly actor?: string | undefined;
  /** Id of the object of the action. */
  readonly object?: string | undefined;
  /** `after` is inclusive, `before` is not. */
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
}

const AUDIT_COLLECTION = 'audit_log';
const HEADS_COLLECTION = 'audit_heads';
/** Where the hashes of erased entries stay. */
export const ERASED_COLLECTION = 'audit_erased';
/** The log of what belongs to no account. */
const NO_ACCOUNT = 'none';

/** What MongoDB may remove while a log is read: it looks once a minute, and may be late. */
const EXPIRY_PASS_MS = 3_600_000;

/** The fields of the filters: what is rare is found without reading all of the log. */
const FILTERED_BY = ['object', 'action', 'actor.id', 'actor.name'] as const;

export type AuditStore = ReturnType<typeof createAuditStore>;

/** The part that writes entries. */
export type AuditLog = Pick<AuditStore, 'record'>;

/**
 * Appends and reads. Entries never change; they are removed when they are too old, or with their account.
 *
 * @param retentionMs how long entries are kept; undefined keeps them forever
 */
export function createAuditStore(db: Db, retentionMs?: number) {
  const entries: Collection<StoredEntry> = db.collection(AUDIT_COLLECTION);
  const erased: Collection<ErasedEntry> = db.collection(ERASED_COLLECTION);
  const heads: Collection<StoredHead> = db.collection(HEADS_COLLECTION);
  const keptFrom = (): Date => new Date(retentionMs === undefined ? 0 : Date.now() - retentionMs + EXPIRY_PASS_MS);
  return {
    async ensureIndexes(): Promise<void> {
      await entries.createIndexes([
        { key: { account_id: 1, at: -1, _id: -1 } },
        ...FILTERED_BY.map((field) => ({ key: { account_id: 1, [field]: 1, at: -1 as const, _id: -1 as const } })),
        { key: { account_id: 1, seq: 1 } },
      ]);
      await erased.createIndex({ account_id: 1, seq: 1 });
      await ensureExpiry(entries, 'at', retentionMs);
      await ensureExpiry(erased, 'at', retentionMs);
      await ensureExpiry(heads, 'at', retentionMs);
    },
    /** Resolves when a majority has the entry: an action without an entry must not be reported as done. */
    record: (entry: NewAuditEntry): Promise<void> => inTransaction(db, (session) => append(db, entry, session)),
    /** The ends of all logs. */
    async *heads(): AsyncGenerator<AuditHead, void> {
      for await (const { _id, seq, hash = '', at } of heads.find().sort({ _id: 1 }))
        yield { log: _id, seq, hash, mayBeEmpty: at < keptFrom() };
    },
    /** The entries of a log in order, up to its head, without those that retention removes now. */
    async *chain({ log, seq }: AuditHead): AsyncGenerator<ChainedEntry, void> {
      const filter = {
        ...{ account_id: log === NO_ACCOUNT ? null : log, seq: { $gte: 1, $lte: seq } },
        ...(retentionMs !== undefined && { at: { $gte: keptFrom() } }),
      };
      const written = entries.find(filter as Filter<StoredEntry>).sort({ account_id: 1, seq: 1 });
      const gone = erased.find(filter as Filter<ErasedEntry>).sort({ account_id: 1, seq: 1 });
      let next = await gone.next();
      for await (const entry of written) {
        for (; next && next.seq < entry.seq!; next = await gone.next()) yield next;
        yield { ...(entry as ChainLink), content: entry as AuditEntry & { salt: string } };
      }
      for (; next; next = await gone.next()) yield next;
    },
    /** A page of the entries that match, newest first, after the given position. */
    page: (filter: AuditFilter, limit: number, after?: ListPosition): Promise<AuditEntry[]> =>
      findNewestFirst(entries, filterOf(filter), limit, after, 'at'),
  };
}

/**
 * Runs writes and adds their entries to the audit log in one transaction, so neither exists without the other.
 *
 * @param work writes with the session, and may run again; returns null if it changed nothing, which leaves no entry
 * @param entryOf describes the change: one entry, or several
 * @returns what `work` returned
 */
export function changeAudited<T extends object>(
  db: Db,
  work: (session: ClientSession) => Promise<T | null>,
  entryOf: (changed: T) => NewAuditEntry | readonly NewAuditEntry[],
): Promise<T | null> {
  return inTransaction(db, async (session) => {
    const changed = await work(session);
    if (changed) for (const entry of [entryOf(changed)].flat()) await append(db, entry, session);
    return changed;
  });
}

/** Appends an entry to its log, with the hash of the one before it. */
async function append(db: Db, { accountId, ...entry }: NewAuditEntry, session: ClientSession): Promise<void> {
  const heads: Collection<StoredHead> = db.collection(HEADS_COLLECTION);
  const _id = accountId ?? NO_ACCOUNT;
  // Two writers of a log conflict here, and one of them begins again.
  const head = await heads.findOneAndUpdate(
    { _id },
    [{ $set: { seq: { $add: [{ $ifNull: ['$seq', 0] }, 1] }, at: '$$NOW' } }],
    { upsert: true, session, returnDocument: 'after' },
  );
  const { seq, at, hash: previous = '' } = head!;
  const content = { _id: newId('aud'), at, account_id: accountId, ...entry };
  const salt = newSalt();
  const link = { seq, previous, digest: digestOf(salt, content) };
  await db.collection<StoredEntry>(AUDIT_COLLECTION).insertOne({ ...content, ...link, salt }, { session });
  await heads.updateOne({ _id }, { $set: { hash: hashOf(link) } }, { session });
}

/** Keeps the hashes of entries before they are erased, so that the rest of their log can still be verified. */
export async function keepHashes(db: Db, ids: readonly string[]): Promise<void> {
  const entries: Collection<StoredEntry> = db.collection(AUDIT_COLLECTION);
  const found = await entries.find({ _id: { $in: [...ids] }, seq: { $exists: true } }).toArray();
  const hashes = found.map(({ _id, at, account_id, seq, previous, digest }) => ({
    replaceOne: {
      filter: { _id },
      replacement: { at, account_id, seq: seq!, previous: previous!, digest: digest! },
      upsert: true,
    },
  }));
  if (hashes.length > 0) await db.collection<ErasedEntry>(ERASED_COLLECTION).bulkWrite(hashes);
}

function filterOf({ accountId, action, actor, object, after, before }: AuditFilter): Filter<AuditEntry> {
  return {
    account_id: accountId,
    ...(action !== undefined && { action }),
    ...(actor !== undefined && { $or: [{ 'actor.id': actor }, { 'actor.name': actor }] }),
    ...(object !== undefined && { object }),
    ...((after ?? before) && { at: { ...(after && { $gte: after }), ...(before && { $lt: before }) } }),
  };
}
