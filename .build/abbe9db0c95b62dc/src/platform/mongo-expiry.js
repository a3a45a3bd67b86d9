"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ensureExpiry = ensureExpiry;
const mongodb_1 = require("mongodb");
const NAME = 'retention';
const INDEX_DIFFERS = 85;
const UNAUTHORIZED = 13;
const NO_COLLECTION = 26;
const NO_INDEX = 27;
/**
 * Has MongoDB remove documents so long after the time in a field, also when that changed. Documents without one stay.
 *
 * @param afterMs undefined keeps them for ever
 */
async function ensureExpiry(collection, field, afterMs) {
    if (afterMs === undefined) {
        await collection.dropIndex(NAME).catch((error) => {
            if (![NO_COLLECTION, NO_INDEX].includes(codeOf(error)))
                throw error;
        });
        return;
    }
    const expireAfterSeconds = Math.round(afterMs / 1_000);
    const index = { key: { [field]: 1 }, name: NAME, expireAfterSeconds };
    try {
        await collection.createIndexes([index]);
    }
    catch (error) {
        if (codeOf(error) !== INDEX_DIFFERS)
            throw error;
        const change = { collMod: collection.collectionName, index: { name: NAME, expireAfterSeconds } };
        await collection.db.command(change).catch(
        // A user that may only read and write may still make indexes.
        async (refusal) => {
            if (codeOf(refusal) !== UNAUTHORIZED)
                throw refusal;
            await collection.dropIndex(NAME);
            await collection.createIndexes([index]);
        });
    }
}
function codeOf(error) {
    return error instanceof mongodb_1.MongoServerError ? error.code : undefined;
}
//# sourceMappingURL=mongo-expiry.js.map