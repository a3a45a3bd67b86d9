"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createRetentionStore = createRetentionStore;
const attempt_store_1 = require("./attempt-store");
const mongo_1 = require("../platform/mongo");
const mongo_expiry_1 = require("../platform/mongo-expiry");
const event_store_1 = require("./event-store");
/**
 * @param retentionMs how long an event is kept after its last destination finished. An unfinished one has no
 *   `finished_at` and never expires.
 */
function createRetentionStore(db, retentionMs) {
    const events = db.collection(event_store_1.EVENTS_COLLECTION);
    const attempts = db.collection(attempt_store_1.ATTEMPTS_COLLECTION);
    return {
        ensureIndexes: () => (0, mongo_expiry_1.ensureExpiry)(events, 'finished_at', retentionMs),
        async removeOrphans({ after, limit }) {
            // Answered by the index alone.
            const ids = await attempts
                .find({ event_id: { $gt: after } }, { projection: { _id: 0, event_id: 1 } })
                .sort({ event_id: 1 })
                .limit(limit)
                .map(({ event_id }) => event_id)
                .toArray();
            const seen = [...new Set(ids)];
            const kept = await events
                .find({ _id: { $in: seen } }, { projection: { _id: 1 } })
                .map(({ _id }) => _id)
                .toArray();
            const existing = new Set(kept);
            const gone = seen.filter((id) => !existing.has(id));
            const { deletedCount } = gone.length === 0
                ? { deletedCount: 0 }
                : await attempts.deleteMany({ event_id: { $in: gone } }, { writeConcern: mongo_1.FAST });
            return { removed: deletedCount, next: ids.length < limit ? null : (seen.at(-1) ?? null) };
        },
    };
}
//# sourceMappingURL=retention-store.js.map