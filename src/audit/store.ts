import type { ClientSession, Collection, Db } from 'mongodb';
import { newId } from '../platform/ids';
import { DURABLE } from '../platform/mongo';
import type { Actor, AuditAction } from '../domain/audit-actions';

/** Something that happened, before the database stamped it. Names and ids only: never a secret. */
export interface NewAuditEntry {
  /** Whose log it is; null for a refused sign-in with an unknown address, which operators alone see. */
  readonly accountId: string | null;
  readonly actor: Actor;
  readonly action: AuditAction;
  /** Id of what it happened to. */
  readonly object: string | null;
  /** Where the request came from; null for the command line. */
  readonly address: string | null;
  /** What else matters, such as the new tier. */
  readonly detail?: string;
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
}

/** Where things are written down. */
export interface AuditLog {
  /**
   * Resolves when a majority has the entry: what is not in the log must not be answered as done.
   *
   * @param session of the transaction that has the effect, so that there is no effect without its entry
   */
  record(entry: NewAuditEntry, session?: ClientSession): Promise<void>;
}

/** Which entries a page shows. */
export interface AuditPage {
  readonly accountId: string | null;
  readonly limit: number;
  readonly after?: { readonly createdAt: Date; readonly id: string } | undefined;
  readonly action?: AuditAction | undefined;
}

/** Appends and reads. There is no way to change or remove an entry. */
export interface AuditStore extends AuditLog {
  ensureIndexes(): Promise<void>;
  /** Newest first. */
  page(query: AuditPage): Promise<AuditEntry[]>;
}

export function createAuditStore(db: Db): AuditStore {
  const entries: Collection<AuditEntry> = db.collection('audit_log');
  return {
    async ensureIndexes() {
      await entries.createIndexes([{ key: { account_id: 1, at: -1, _id: -1 } }]);
    },
    async record({ accountId, ...entry }, session) {
      const document = { ...entry, account_id: accountId };
      await entries.updateOne(
        { _id: newId('aud') },
        [{ $replaceWith: { $mergeObjects: [{ _id: '$_id', at: '$$NOW' }, { $literal: document }] } }],
        { upsert: true, ...(session ? { session } : { writeConcern: DURABLE }) },
      );
    },
    page: ({ accountId, limit, after, action }) =>
      entries
        .find({
          account_id: accountId,
          ...(action !== undefined && { action }),
          ...(after && { $or: [{ at: { $lt: after.createdAt } }, { at: after.createdAt, _id: { $lt: after.id } }] }),
        })
        .sort({ at: -1, _id: -1 })
        .limit(limit)
        .toArray(),
  };
}
