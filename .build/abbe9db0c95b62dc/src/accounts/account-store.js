"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.OF_ACTIVE_ACCOUNTS = exports.ACCOUNTS_COLLECTION = void 0;
exports.createAccountStore = createAccountStore;
const mongo_1 = require("../platform/mongo");
const audit_store_1 = require("./audit-store");
/** Name of the collection, for the limiter, which updates the same documents. */
exports.ACCOUNTS_COLLECTION = 'accounts';
/**
 * The end of a pipeline over documents with an `account_id`: keeps the ids of those of accounts that are not suspended.
 */
exports.OF_ACTIVE_ACCOUNTS = [
    { $lookup: { from: exports.ACCOUNTS_COLLECTION, localField: 'account_id', foreignField: '_id', as: 'account' } },
    { $match: { 'account.0': { $exists: true }, 'account.suspended_at': { $exists: false } } },
    { $project: { _id: 1 } },
];
/** Reads and writes accounts. The limiter keeps its counters in the same documents. */
function createAccountStore(db) {
    const accounts = db.collection(exports.ACCOUNTS_COLLECTION);
    return {
        async ensureIndexes() {
            await accounts.createIndexes([{ key: { email: 1 }, unique: true }, { key: { created_at: -1, _id: -1 } }]);
        },
        /** @returns false when the e-mail address is taken */
        async insert(account, by) {
            try {
                const { _id: accountId, tier: detail } = account;
                await (0, audit_store_1.changeAudited)(db, (session) => accounts.insertOne(account, { session }), () => ({ ...by, accountId, action: 'account.created', object: accountId, detail }));
                return true;
            }
            catch (error) {
                if ((0, mongo_1.isDuplicateKey)(error))
                    return false;
                throw error;
            }
        },
        find: (id) => accounts.findOne({ _id: id }),
        list: () => accounts.find().sort({ created_at: 1 }).toArray(),
        /** A page of all accounts, newest first, after the given position. */
        page: (limit, after) => accounts
            .find(after
            ? {
                $or: [
                    { created_at: { $lt: after.createdAt } },
                    { created_at: after.createdAt, _id: { $lt: after.id } },
                ],
            }
            : {})
            .sort({ created_at: -1, _id: -1 })
            .limit(limit)
            .toArray(),
        /** @returns the changed account, or null when there is none */
        async setTier(id, tier, by) {
            const before = await (0, audit_store_1.changeAudited)(db, (session) => accounts.findOneAndUpdate({ _id: id, tier: { $ne: tier } }, { $set: { tier } }, { session }), ({ tier: from }) => ({
                ...{ ...by, accountId: id, action: 'account.tier_changed', object: id, detail: tier },
                changes: [{ field: 'tier', from, to: tier }],
            }));
            return before ? { ...before, tier } : accounts.findOne({ _id: id });
        },
        /** Tells every process that the account's endpoints changed. */
        async bumpEndpointsVersion(id) {
            await accounts.updateOne({ _id: id }, { $inc: { endpoints_version: 1 } }, { writeConcern: mongo_1.DURABLE });
        },
    };
}
//# sourceMappingURL=account-store.js.map