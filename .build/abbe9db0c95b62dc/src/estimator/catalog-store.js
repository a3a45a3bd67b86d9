"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createCatalogStore = createCatalogStore;
exports.catalogOf = catalogOf;
const node_crypto_1 = require("node:crypto");
const mongo_1 = require("../platform/mongo");
const CURRENT = 'current';
/** Reads and writes the catalog in force. */
function createCatalogStore(db) {
    const catalogs = db.collection('catalogs');
    const put = async (filter, { origin, revision, rows }) => {
        // Literal, because a text may begin with a dollar sign.
        const values = { $literal: { origin, revision, rows } };
        await catalogs.updateOne({ _id: CURRENT, ...filter }, [{ $replaceWith: { $mergeObjects: [{ _id: CURRENT }, values, { changed_at: '$$NOW' }] } }], { upsert: true, writeConcern: mongo_1.DURABLE });
    };
    return {
        /** Null while there is none. */
        async revision() {
            const current = await catalogs.findOne({ _id: CURRENT }, { projection: { revision: 1 } });
            return current?.revision ?? null;
        },
        read: () => catalogs.findOne({ _id: CURRENT }),
        /**
         * Puts a built-in catalog in force where there is none, or an older built-in one. Never replaces an imported one:
         * an operator's prices outlive restarts and upgrades.
         */
        async seed(catalog) {
            if (catalog.origin.source !== 'built-in')
                return;
            const { version } = catalog.origin;
            // When another document is in force, the upsert tries to insert, and its id is taken.
            const isOlder = {
                'origin.source': 'built-in',
                $or: [
                    { 'origin.version': { $lt: version } },
                    { 'origin.version': version, revision: { $ne: catalog.revision } },
                ],
            };
            await put(isOlder, catalog).catch((error) => {
                if (!(0, mongo_1.isDuplicateKey)(error))
                    throw error;
            });
        },
        /** Puts a catalog in force, whatever was there. */
        replace: (catalog) => put({}, catalog),
    };
}
/** Names a catalog by its content. */
function catalogOf(rows, origin) {
    return { origin, revision: (0, node_crypto_1.createHash)('sha256').update(JSON.stringify(rows)).digest('hex'), rows };
}
//# sourceMappingURL=catalog-store.js.map