"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createRateStore = createRateStore;
const clock_set_back_1 = require("../domain/clock-set-back");
const mongo_1 = require("../platform/mongo");
/** A rate that nobody asked for in this time is forgotten. */
const FORGET_AFTER_S = 86_400;
/** Spaces the requests to an endpoint, over all processes. */
function createRateStore(db) {
    const rates = db.collection('rates');
    return {
        async ensureIndexes() {
            await rates.createIndexes([{ key: { touched_at: 1 }, expireAfterSeconds: FORGET_AFTER_S }]);
        },
        /**
         * Takes the next turn to send to an endpoint, unless it comes later than `patienceMs` from now. Turns are exactly one
         * interval apart, so whatever was late or lost, requests never bunch.
         *
         * @returns milliseconds until the turn, by the database's clock; null when it comes too late: none is taken then
         */
        async takeTurn(endpointId, perSecond, patienceMs) {
            const update = turnUpdate(1_000 / perSecond, patienceMs);
            const options = { upsert: true, returnDocument: 'after', writeConcern: mongo_1.FAST };
            const rate = await (0, mongo_1.upsertOnceMore)(() => rates.findOneAndUpdate({ _id: endpointId }, update, options));
            return rate.told;
        },
        /** @returns milliseconds until the next turn; 0 when it is now */
        async untilNextTurn(endpointId) {
            const [rate] = await rates
                .aggregate([
                { $match: { _id: endpointId } },
                { $project: { waitMs: { $max: [0, { $subtract: [NEXT_TURN, NOW] }] } } },
            ])
                .toArray();
            return rate?.waitMs ?? 0;
        },
    };
}
const NOW = { $toDouble: { $toLong: '$$NOW' } };
/** Now, where the clock was set back since a turn was taken: by the old time it may be an hour away. */
const NEXT_TURN = { $cond: [{ $gt: ['$touched_at', { $add: ['$$NOW', clock_set_back_1.SET_BACK_MS] }] }, NOW, '$next_turn'] };
function turnUpdate(intervalMs, patienceMs) {
    const turn = { $max: ['$next_turn', NOW] };
    const waitMs = { $subtract: [turn, NOW] };
    const goes = { $lte: [waitMs, patienceMs] };
    return [
        { $set: { next_turn: NEXT_TURN } },
        { $set: { told: { $cond: [goes, waitMs, null] }, touched_at: '$$NOW' } },
        { $set: { next_turn: { $cond: [{ $ne: ['$told', null] }, { $add: [turn, intervalMs] }, '$next_turn'] } } },
    ];
}
//# sourceMappingURL=rate-store.js.map