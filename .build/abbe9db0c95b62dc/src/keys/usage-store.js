"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createUsageStore = createUsageStore;
const mongo_1 = require("../platform/mongo");
/** A year and a month: what a bill of last year is compared with. */
const KEPT_FOR_DAYS = 400;
const DAY_MS = 86_400_000;
/** Stores which of the logged operations accounts used. */
function createUsageStore(db) {
    const usage = db.collection('usage');
    return {
        async ensureIndexes() {
            await usage.createIndexes([
                { key: { account_id: 1, day: -1 } },
                { key: { expires_at: 1 }, expireAfterSeconds: 0 },
            ]);
        },
        /** Adds calls to what is counted already. */
        async add(records) {
            const updates = records.map(({ calls, ...record }) => ({
                updateOne: {
                    filter: { _id: [record.account_id, record.day, record.key_id, record.operation].join('/') },
                    update: {
                        $inc: { calls },
                        $setOnInsert: { ...record, expires_at: new Date(Date.parse(record.day) + KEPT_FOR_DAYS * DAY_MS) },
                    },
                    upsert: true,
                },
            }));
            if (updates.length > 0)
                await usage.bulkWrite(updates, { ordered: false, writeConcern: mongo_1.FAST });
        },
        /** What an account used, newest day first. @param since first day, `2026-11-01` */
        list: (accountId, since) => usage
            .find({ account_id: accountId, day: { $gte: since } }, { projection: { _id: 0, expires_at: 0 } })
            .sort({ day: -1, operation: 1, key_id: 1 })
            .toArray(),
    };
}
//# sourceMappingURL=usage-store.js.map