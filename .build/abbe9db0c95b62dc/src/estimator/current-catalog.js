"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createCurrentCatalog = createCurrentCatalog;
const catalog_1 = require("../domain/catalog");
const errors_1 = require("../domain/errors");
const periodic_1 = require("../platform/periodic");
/** How soon every process serves a catalog that another one changed. */
const REFRESH_MS = 1_000;
const RETRY_AFTER_SECONDS = 2;
/**
 * Keeps the catalog in force in memory: asks MongoDB every second whether it is still the same, and takes a new one
 * whole. While MongoDB is away, the last one stays in use.
 *
 * @param deps `builtIn` is put in force where there is no catalog, or an older built-in one
 */
function createCurrentCatalog(deps) {
    let loaded;
    let isSeeded = false;
    const refresh = async () => {
        if (!isSeeded)
            await deps.catalogs.seed(deps.builtIn);
        isSeeded = true;
        const revision = await deps.catalogs.revision();
        if (revision === loaded?.revision)
            return;
        const stored = await deps.catalogs.read();
        if (!stored) {
            // Somebody emptied the database: the next round stores the built-in catalog again.
            isSeeded = false;
            return;
        }
        const entries = stored.rows.map(catalog_1.entryOf);
        loaded = { revision: stored.revision, entries, index: (0, catalog_1.createCatalogIndex)(entries) };
        deps.logger.info({ ...stored.origin, revision: stored.revision, rows: entries.length }, 'the catalog was loaded');
    };
    const failure = 'the catalog can not be refreshed';
    const refreshing = (0, periodic_1.runPeriodically)({ intervalMs: REFRESH_MS, logger: deps.logger, failure }, refresh);
    return {
        /** @throws UnavailableError until one was loaded for the first time */
        get() {
            if (loaded)
                return loaded;
            throw new errors_1.UnavailableError('The catalog is not loaded yet. Try again in a moment.', 'catalog_not_loaded', RETRY_AFTER_SECONDS);
        },
        /** Whether one was loaded. */
        isLoaded: () => loaded !== undefined,
        close: () => refreshing.close(),
    };
}
//# sourceMappingURL=current-catalog.js.map