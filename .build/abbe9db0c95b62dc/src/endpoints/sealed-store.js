"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createSealedStore = createSealedStore;
const mongo_1 = require("../platform/mongo");
const endpoint_store_1 = require("../record/endpoint-store");
const SEALED = { projection: { secret: 1, next_secret: 1, options: 1, version: 1 } };
function createSealedStore(db) {
    const endpoints = db.collection(endpoint_store_1.ENDPOINTS_COLLECTION);
    return {
        all: () => endpoints.find({}, SEALED).sort({ _id: 1 }),
        find: (_id) => endpoints.findOne({ _id }, SEALED),
        async replace(endpoint, values) {
            const { matchedCount } = await endpoints.updateOne((0, endpoint_store_1.atVersion)(endpoint), 
            // With a new version, a change that was read before is decided anew, and can't bring an old value back.
            { $set: { ...Object.fromEntries(values), version: (endpoint.version ?? 0) + 1 } }, { writeConcern: mongo_1.DURABLE });
            return matchedCount === 1;
        },
    };
}
//# sourceMappingURL=sealed-store.js.map