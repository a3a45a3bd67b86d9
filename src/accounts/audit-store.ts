import type { ClientSession, Collection, Db, Filter } from 'mongodb';
import { newId } from '../platform/ids';
import type { ListPosition } from '../platform/cursor';
import { DURABLE, findNewestFirst, inTransaction } from '../platform/mongo';
import { ensureExpiry } from '../platform/mongo-expiry';
import type { Actor, AuditAction, By, FieldChange } from '../domain/audit-actions';
import type { ChainLink } from './audit-chain';

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

/** An entry of the log. A worker chains it within seconds. */
export interface AuditEntry extends Partial<ChainLink> {
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

/** All logs. */
export const AUDIT_COLLECTION = 'audit_log';

/** The fields of the filters: what is rare is found without reading all of the log. */
const FILTERED_BY = ['object', 'action', 'actor.id', 'actor.name'] as const;

export type AuditStore = ReturnType<typeof createAuditStore>;

/** The part that writes entries. */
export type AuditLog = Pick<AuditStore, 'record'>;

/**
 * Appends and reads. What an entry says never changes; entries are removed when they are too old, or with their account.
 *
 * @param retentionMs how long entries are kept; undefined keeps them forever
 */
export function createAuditStore(db: Db, retentionMs?: number) {
  const entries: Collection<AuditEntry> = db.collection(AUDIT_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      await entries.createIndexes([
        { key: { account_id: 1, at: -1, _id: -1 } },
        ...FILTERED_BY.map((field) => ({ key: { account_id: 1, [field]: 1, at: -1 as const, _id: -1 as const } })),
      ]);
      await ensureExpiry(entries, 'at', retentionMs);
    },
    /** Resolves when a majority has the entry: an action without an entry must not be reported as done. */
    record: (entry: NewAuditEntry): Promise<void> => append(db, entry),
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

async function append(db: Db, { accountId, ...entry }: NewAuditEntry, session?: ClientSession): Promise<void> {
  const document = { ...entry, account_id: accountId };
  await db
    .collection<AuditEntry>(AUDIT_COLLECTION)
    .updateOne(
      { _id: newId('aud') },
      [{ $replaceWith: { $mergeObjects: [{ _id: '$_id', at: '$$NOW' }, { $literal: document }] } }],
      { upsert: true, ...(session ? { session } : { writeConcern: DURABLE }) },
    );
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
