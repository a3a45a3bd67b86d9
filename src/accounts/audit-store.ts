import type { ClientSession, Collection, Db, Filter } from 'mongodb';
import { newId } from '../platform/ids';
import { DURABLE, inTransaction } from '../platform/mongo';
import { ensureExpiry } from '../platform/mongo-expiry';
import type { Actor, AuditAction, By, FieldChange } from '../domain/audit-actions';

/** An entry before it is stored. Names and ids only, never a secret. */
export interface NewAuditEntry extends By {
  /**
   * Whose log it is in; null for what belongs to no account, such as a sign-in with an unknown address: only operators
   * see it.
   */
  readonly accountId: string | null;
  readonly action: AuditAction;
  /** Id of what it happened to. */
  readonly object: string | null;
  /** What else matters, such as the new tier. */
  readonly detail?: string;
  /** What was changed, from what to what. */
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

/** Which entries somebody looks for. */
export interface AuditFilter {
  readonly accountId: string | null;
  readonly action?: AuditAction | undefined;
  /** Id or name of who did it. */
  readonly actor?: string | undefined;
  /** Id of what it happened to. */
  readonly object?: string | undefined;
  /** `after` is inclusive, `before` is not. */
  readonly after?: Date | undefined;
  readonly before?: Date | undefined;
}

/** Which entries a page shows. */
export interface AuditPage extends AuditFilter {
  readonly limit: number;
  readonly behind?: { readonly createdAt: Date; readonly id: string } | undefined;
}

const AUDIT_COLLECTION = 'audit_log';

export type AuditStore = ReturnType<typeof createAuditStore>;

/** Where entries are written. */
export type AuditLog = Pick<AuditStore, 'record'>;

/**
 * Appends and reads. No entry can be changed; it goes when it is too old, or with its account.
 *
 * @param retentionMs how long entries are kept; undefined keeps them forever
 */
export function createAuditStore(db: Db, retentionMs?: number) {
  const entries: Collection<AuditEntry> = db.collection(AUDIT_COLLECTION);
  return {
    async ensureIndexes(): Promise<void> {
      await entries.createIndexes([
        { key: { account_id: 1, at: -1, _id: -1 } },
        { key: { account_id: 1, object: 1, at: -1, _id: -1 } },
      ]);
      await ensureExpiry(entries, 'at', retentionMs);
    },
    /** Resolves when a majority has the entry: what is not in the log must not be answered as done. */
    record: (entry: NewAuditEntry): Promise<void> => append(db, entry),
    /** Newest first. */
    page: ({ limit, behind, ...filter }: AuditPage): Promise<AuditEntry[]> =>
      entries
        .find({
          $and: [
            filterOf(filter),
            behind
              ? { $or: [{ at: { $lt: behind.createdAt } }, { at: behind.createdAt, _id: { $lt: behind.id } }] }
              : {},
          ],
        })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .toArray(),
  };
}

/**
 * Runs writes and adds their entry to the audit log, in one transaction: neither is there without the other.
 *
 * @param work writes with the session, and may be run again; null when it changed nothing, which is not written down
 * @param entryOf says what was changed
 * @returns what `work` returned
 */
export function changeAudited<T extends object>(
  db: Db,
  work: (session: ClientSession) => Promise<T | null>,
  entryOf: (changed: T) => NewAuditEntry,
): Promise<T | null> {
  return inTransaction(db, async (session) => {
    const changed = await work(session);
    if (changed) await append(db, entryOf(changed), session);
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
