import { createHash } from 'node:crypto';
import type { Collection, Db, UpdateOptions } from 'mongodb';
import { changeAudited } from '../accounts/audit-store';
import type { By } from '../domain/audit-actions';
import type { CatalogRow } from '../domain/catalog';
import { DURABLE, isDuplicateKey } from '../platform/mongo';

/** Where a catalog comes from. */
export type CatalogOrigin =
  | { readonly source: 'built-in'; /** Of two, the higher one is newer. */ readonly version: number }
  | { readonly source: 'imported' };

/** A complete catalog. */
export interface Catalog {
  readonly origin: CatalogOrigin;
  /** SHA-256 of the rows: the same rows in the same order are the same catalog. */
  readonly revision: string;
  readonly rows: readonly CatalogRow[];
}

/** The catalog in force, as stored: one document, so that no process can read half of it. */
export interface StoredCatalog extends Catalog {
  readonly _id: typeof CURRENT;
  /** By the database's clock. */
  readonly changed_at: Date;
}

const CURRENT = 'current';

export type CatalogStore = ReturnType<typeof createCatalogStore>;

/** Reads and writes the catalog in force. */
export function createCatalogStore(db: Db) {
  const catalogs: Collection<StoredCatalog> = db.collection('catalogs');
  const put = async (filter: object, { origin, revision, rows }: Catalog, how: UpdateOptions): Promise<void> => {
    // Literal, because a text may begin with a dollar sign.
    const values = { $literal: { origin, revision, rows } };
    await catalogs.updateOne(
      { _id: CURRENT, ...filter },
      [{ $replaceWith: { $mergeObjects: [{ _id: CURRENT }, values, { changed_at: '$$NOW' }] } }],
      { upsert: true, ...how },
    );
  };
  return {
    /** Null if there is none. */
    async revision(): Promise<string | null> {
      const current = await catalogs.findOne({ _id: CURRENT }, { projection: { revision: 1 } });
      return current?.revision ?? null;
    },
    read: (): Promise<StoredCatalog | null> => catalogs.findOne({ _id: CURRENT }),
    /**
     * Puts a built-in catalog in force if there is none, or an older built-in one. Never replaces an imported one: an
     * operator's prices survive restarts and upgrades.
     */
    async seed(catalog: Catalog): Promise<void> {
      if (catalog.origin.source !== 'built-in') return;
      const { version } = catalog.origin;
      // If another document is in force, the upsert tries to insert, and its id is taken.
      const isOlder = {
        'origin.source': 'built-in',
        $or: [
          { 'origin.version': { $lt: version } },
          { 'origin.version': version, revision: { $ne: catalog.revision } },
        ],
      };
      await put(isOlder, catalog, { writeConcern: DURABLE }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },
    /** Puts a catalog in force, whatever was there, with an entry in the log that operators read. */
    async replace(catalog: Catalog, by: By, detail: string): Promise<void> {
      const action = catalog.origin.source === 'imported' ? 'catalog.imported' : 'catalog.reset';
      const entry = { ...by, accountId: null, action, object: catalog.revision, detail } as const;
      await changeAudited(
        db,
        async (session) => {
          await put({}, catalog, { session });
          return catalog;
        },
        () => entry,
      );
    },
  };
}

/** Names a catalog by its content. */
export function catalogOf(rows: readonly CatalogRow[], origin: CatalogOrigin): Catalog {
  return { origin, revision: createHash('sha256').update(JSON.stringify(rows)).digest('hex'), rows };
}
