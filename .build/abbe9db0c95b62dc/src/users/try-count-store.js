"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createTryCounter = createTryCounter;
const node_crypto_1 = require("node:crypto");
const clock_set_back_1 = require("../domain/clock-set-back");
const mongo_1 = require("../platform/mongo");
/** Counts tries for all processes of the installation together. */
function createTryCounter(db) {
    const counts = db.collection('sign_in_tries');
    const countOnce = (id, { windowMs }) => {
        const endsAt = { $ifNull: ['$ends_at', new Date(0)] };
        // A window that would end later than a new one began before the clock was set back.
        const isOver = {
            $or: [{ $lte: [endsAt, '$$NOW'] }, { $gt: [endsAt, { $add: ['$$NOW', windowMs + clock_set_back_1.SET_BACK_MS] }] }],
        };
        return counts.findOneAndUpdate({ _id: id }, [
            {
                $set: {
                    tries: { $cond: [isOver, 1, { $add: ['$tries', 1] }] },
                    ends_at: { $cond: [isOver, { $add: ['$$NOW', windowMs] }, '$ends_at'] },
                    tried_at: '$$NOW',
                },
            },
        ], { upsert: true, returnDocument: 'after', writeConcern: mongo_1.DURABLE });
    };
    return {
        async ensureIndexes() {
            await counts.createIndexes([{ key: { ends_at: 1 }, expireAfterSeconds: 0 }]);
        },
        /**
         * Counts a try before its outcome is known: ten at once are ten.
         *
         * @returns 0 when the try is allowed, else the seconds to wait
         */
        async count(what, limit) {
            const id = hashOf(what);
            const counted = await (0, mongo_1.upsertOnceMore)(() => countOnce(id, limit));
            const { tries, ends_at: endsAt, tried_at: now } = counted;
            return tries <= limit.tries ? 0 : Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 1_000));
        },
        /** Takes one try back: it was right. */
        async takeBack(what) {
            await counts.updateOne({ _id: hashOf(what), tries: { $gt: 0 } }, { $inc: { tries: -1 } });
        },
        /** Forgets all tries. */
        async forget(what) {
            await counts.deleteOne({ _id: hashOf(what) });
        },
    };
}
function hashOf(what) {
    return (0, node_crypto_1.createHash)('sha256').update(what).digest('base64url');
}
//# sourceMappingURL=try-count-store.js.map