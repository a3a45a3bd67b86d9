import {
  createCatalogIndex,
  entryOf,
  sourceOf,
  type CatalogEntry,
  type CatalogIndex,
  type PriceSource,
} from '../domain/catalog';
import { UnavailableError } from '../domain/errors';
import type { Logger } from '../platform/logger';
import { runPeriodically } from '../platform/periodic';
import type { Catalog, CatalogStore } from './catalog-store';

/** A catalog in this process's memory. It never changes: a request uses the same one throughout. */
export interface LoadedCatalog {
  readonly revision: string;
  readonly entries: readonly CatalogEntry[];
  readonly index: CatalogIndex;
  /** Where the price of each entry comes from. */
  readonly sources: ReadonlyMap<CatalogEntry, PriceSource>;
}

/** How soon every process serves a catalog that another process changed. */
const REFRESH_MS = 3_000;
const RETRY_AFTER_SECONDS = 2;

export type CurrentCatalog = ReturnType<typeof createCurrentCatalog>;

/**
 * Keeps the catalog in force in memory: checks every three seconds whether the one in MongoDB changed, and loads a new
 * one as a whole. While MongoDB is away, the last one stays in use.
 *
 * @param deps `builtIn` is put in force if there is no catalog, or an older built-in one
 */
export function createCurrentCatalog(deps: { catalogs: CatalogStore; builtIn: Catalog; logger: Logger }) {
  let loaded: LoadedCatalog | undefined;
  let isSeeded = false;

  const refresh = async (): Promise<void> => {
    if (!isSeeded) await deps.catalogs.seed(deps.builtIn);
    isSeeded = true;
    const revision = await deps.catalogs.revision();
    if (revision === loaded?.revision) return;
    const stored = await deps.catalogs.read();
    if (!stored) {
      // The database was emptied: the next round stores the built-in catalog again.
      isSeeded = false;
      return;
    }
    const entries = stored.rows.map(entryOf);
    const sources = new Map(entries.map((entry, at) => [entry, sourceOf(stored.rows[at]!)]));
    loaded = { revision: stored.revision, entries, index: createCatalogIndex(entries), sources };
    deps.logger.info({ ...stored.origin, revision: stored.revision, rows: entries.length }, 'the catalog was loaded');
  };

  const failure = 'the catalog can not be refreshed';
  const refreshing = runPeriodically({ intervalMs: REFRESH_MS, logger: deps.logger, failure }, refresh);

  return {
    /** @throws UnavailableError until the first one was loaded */
    get(): LoadedCatalog {
      if (loaded) return loaded;
      throw new UnavailableError(
        'The catalog is not loaded yet. Try again in a moment.',
        'catalog_not_loaded',
        RETRY_AFTER_SECONDS,
      );
    },
    /** Whether one was loaded. */
    isLoaded: (): boolean => loaded !== undefined,
    close: () => refreshing.close(),
  };
}
