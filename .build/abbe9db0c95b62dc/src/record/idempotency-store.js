"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.IDEMPOTENCY_WINDOW_MS = void 0;
exports.createIdempotencyStore = createIdempotencyStore;
const mongo_1 = require("../platform/mongo");
const write_groups_1 = require("../platform/write-groups");
/** Length of the window (docs/spec.md, "Idempotency"). */
exports.IDEMPOTENCY_WINDOW_MS = 24 * 3_600_000;
function createIdempotencyStore(db) {
    const records = db.collection('idempotency_keys');
    const claimOne = async ({ id, eventId }) => {
        const record = await records.findOneAndUpdate({ _id: id }, claimUpdate(eventId), {
            upsert: true,
            returnDocument: 'after',
            // MongoDB waits for the majority also where the update changes nothing.
            writeConcern: mongo_1.DURABLE,
        });
        return [record.event_id];
    };
    const claimMany = async (claims) => {
        const updates = claims.map(({ id, eventId }) => ({
            updateOne: { filter: { _id: id }, update: claimUpdate(eventId), upsert: true },
        }));
        await records.bulkWrite(updates, { ordered: false, writeConcern: mongo_1.DURABLE });
        const found = await records.find({ _id: { $in: claims.map(({ id }) => id) } }).toArray();
        const eventIds = new Map(found.map(({ _id, event_id }) => [_id, event_id]));
        return claims.map(({ id }) => eventIds.get(id));
    };
    const claimAll = async (claims) => {
        const [first, ...others] = claims;
        if (!first)
            return [];
        return (0, mongo_1.upsertOnceMore)(async () => (others.length === 0 ? claimOne(first) : claimMany(claims)));
    };
    const groupedClaims = (0, write_groups_1.createWriteGroup)(async (claims) => (await claimAll(claims)).map((value) => ({ value })), { maxItems: 200, maxInFlight: 2 });
    return {
        async ensureIndexes() {
            await records.createIndexes([{ key: { expires_at: 1 }, expireAfterSeconds: 0 }]);
        },
        claim: (accountId, key, eventId, signal) => groupedClaims.add({ id: `${accountId}:${key}`, eventId }, signal),
        claimAll: (accountId, claims) => claimAll(claims.map(({ key, eventId }) => ({ id: `${accountId}:${key}`, eventId }))),
    };
}
/** Makes a record stand for the event, unless it stands for another one inside its window. */
function claimUpdate(eventId) {
    const isOver = { $lte: [{ $ifNull: ['$expires_at', new Date(0)] }, '$$NOW'] };
    return [
        {
            $set: {
                event_id: { $cond: [isOver, { $literal: eventId }, '$event_id'] },
                expires_at: { $cond: [isOver, { $add: ['$$NOW', exports.IDEMPOTENCY_WINDOW_MS] }, '$expires_at'] },
            },
        },
    ];
}
//# sourceMappingURL=idempotency-store.js.map