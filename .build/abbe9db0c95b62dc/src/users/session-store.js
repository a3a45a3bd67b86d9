"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createSessionStore = createSessionStore;
const account_store_1 = require("../accounts/account-store");
const mongo_1 = require("../platform/mongo");
const user_store_1 = require("./user-store");
/** OWASP, Session Management Cheat Sheet: half an hour without a request, a working day at most. */
const IDLE_MS = 30 * 60_000;
const LONGEST_MS = 8 * 3_600_000;
/** A session's use is noted at most this often. */
const NOTE_EVERY_MS = 60_000;
const IS_ALIVE = {
    $expr: {
        $and: [{ $gt: ['$ends_at', '$$NOW'] }, { $gt: [{ $add: ['$last_seen_at', IDLE_MS] }, '$$NOW'] }],
    },
};
/** Reads and writes sessions. The database's clock decides when one is over, never a document's absence. */
function createSessionStore(db) {
    const sessions = db.collection('sessions');
    // Guessed tokens are looked up too. Looking them up together keeps guessing from overloading MongoDB.
    const byHash = (0, mongo_1.createLookUpGroup)((hashes) => sessions.aggregate(liveSessions(hashes)).toArray(), ({ session }) => session.hash);
    return {
        async ensureIndexes() {
            await sessions.createIndexes([
                { key: { hash: 1 }, unique: true },
                { key: { user_id: 1, created_at: -1 } },
                { key: { ends_at: 1 }, expireAfterSeconds: 0 },
            ]);
        },
        async insert(session) {
            const times = { created_at: '$$NOW', last_seen_at: '$$NOW', ends_at: { $add: ['$$NOW', LONGEST_MS] } };
            await sessions.updateOne({ _id: session._id }, [{ $replaceWith: { $mergeObjects: [{ $literal: session }, times] } }], { upsert: true, writeConcern: mongo_1.DURABLE });
        },
        /**
         * The session of a token's hash, unless it is over.
         *
         * @param isAttended whether a person caused the request: only then the session doesn't fall idle
         */
        async use(hash, isAttended) {
            const found = await byHash.add(hash);
            if (!found)
                return null;
            if (isAttended && found.now.getTime() - found.session.last_seen_at.getTime() > NOTE_EVERY_MS) {
                // Only one that is still alive: a request must not revive a session that has ended.
                await sessions.updateOne({ hash, ...IS_ALIVE }, [{ $set: { last_seen_at: '$$NOW' } }], { writeConcern: mongo_1.FAST });
            }
            return found;
        },
        /** Which of these sessions are alive, and of an account that is not suspended. Asking doesn't count as use. */
        async alive(ids) {
            const found = await sessions
                .aggregate([{ $match: { _id: { $in: [...ids] }, ...IS_ALIVE } }, ...account_store_1.OF_ACTIVE_ACCOUNTS])
                .toArray();
            return new Set(found.map(({ _id }) => _id));
        },
        /** A user's sessions that are not over, newest first. */
        listByUser: (userId) => sessions
            .find({ user_id: userId, ...IS_ALIVE })
            .sort({ created_at: -1 })
            .toArray(),
        /** @returns false when the user has no such session */
        async revoke(userId, id) {
            const { deletedCount } = await sessions.deleteOne({ _id: id, user_id: userId }, { writeConcern: mongo_1.DURABLE });
            return deletedCount === 1;
        },
        /** Ends the session of a token's hash, if there is one. */
        revokeByHash: (hash) => sessions.findOneAndDelete({ hash }, { writeConcern: mongo_1.DURABLE }),
        /** @returns how many were ended */
        async revokeAllOf(userId, exceptId) {
            const others = { user_id: userId, ...(exceptId !== undefined && { _id: { $ne: exceptId } }) };
            return (await sessions.deleteMany(others, { writeConcern: mongo_1.DURABLE })).deletedCount;
        },
    };
}
/** Sessions with user and account in one look-up; a session whose user or account is gone is not found. */
function liveSessions(hashes) {
    return [
        { $match: { hash: { $in: hashes }, ...IS_ALIVE } },
        { $project: { _id: 0, session: '$$ROOT', now: '$$NOW' } },
        { $lookup: { from: user_store_1.USERS_COLLECTION, localField: 'session.user_id', foreignField: '_id', as: 'user' } },
        { $lookup: { from: account_store_1.ACCOUNTS_COLLECTION, localField: 'session.account_id', foreignField: '_id', as: 'account' } },
        { $unwind: '$user' },
        { $unwind: '$account' },
    ];
}
//# sourceMappingURL=session-store.js.map