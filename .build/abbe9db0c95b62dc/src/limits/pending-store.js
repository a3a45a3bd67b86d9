"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.LEAST_BETWEEN_COUNTS_MS = void 0;
exports.createPendingStore = createPendingStore;
const account_store_1 = require("../accounts/account-store");
const event_store_1 = require("../record/event-store");
const mongo_1 = require("../platform/mongo");
/** As often as gates are looked at. */
exports.LEAST_BETWEEN_COUNTS_MS = 1_000;
/** So counting takes a tenth of the time at most. */
const RESTS_PER_COUNT = 10;
/** Should the process die meanwhile, another one counts after this. */
const COUNT_LEASE_MS = 30_000;
function createPendingStore(db) {
    const accounts = db.collection(account_store_1.ACCOUNTS_COLLECTION);
    const events = db.collection(event_store_1.EVENTS_COLLECTION);
    return {
        async count(accountId, limit) {
            const isTime = { $lte: [{ $ifNull: ['$deliveries.count_again_at', null] }, '$$NOW'] };
            // The total comes first: what begins while it is counted is counted twice rather than not at all. So the number is
            // wrong by what is being accepted at this moment, until the next count.
            const begun = await accounts.findOneAndUpdate({ _id: accountId, $expr: isTime }, [{ $set: { 'deliveries.count_again_at': { $add: ['$$NOW', COUNT_LEASE_MS] } } }], { returnDocument: 'after', projection: { deliveries: 1 }, writeConcern: mongo_1.FAST });
            if (!begun)
                return false;
            const startedAtMs = performance.now();
            const [found] = await events
                .aggregate([
                { $match: { account_id: accountId, unfinished: { $gt: 0 } } },
                { $project: { _id: 0, unfinished: 1 } },
                { $limit: limit },
                { $group: { _id: null, pending: { $sum: '$unfinished' } } },
            ], { hint: event_store_1.PENDING_INDEX })
                .toArray();
            const restMs = Math.max(exports.LEAST_BETWEEN_COUNTS_MS, (performance.now() - startedAtMs) * RESTS_PER_COUNT);
            const base = (found?.pending ?? 0) - (begun.deliveries?.total ?? 0);
            await accounts.updateOne({ _id: accountId }, [{ $set: { 'deliveries.pending_base': base, 'deliveries.count_again_at': { $add: ['$$NOW', restMs] } } }], { writeConcern: mongo_1.FAST });
            return true;
        },
    };
}
//# sourceMappingURL=pending-store.js.map