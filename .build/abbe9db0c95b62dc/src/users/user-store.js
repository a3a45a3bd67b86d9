"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.USERS_COLLECTION = void 0;
exports.createUserStore = createUserStore;
const account_store_1 = require("../accounts/account-store");
const audit_store_1 = require("../accounts/audit-store");
const mongo_1 = require("../platform/mongo");
/** Name of the collection, for the sessions, which look their user up. */
exports.USERS_COLLECTION = 'users';
/** Reads and writes users. */
function createUserStore(db) {
    const users = db.collection(exports.USERS_COLLECTION);
    const accounts = db.collection(account_store_1.ACCOUNTS_COLLECTION);
    return {
        async ensureIndexes() {
            await users.createIndexes([{ key: { email: 1 }, unique: true }, { key: { account_id: 1 } }]);
        },
        /** @returns false when the address is taken */
        insert: (user, by) => unlessTaken(() => (0, audit_store_1.changeAudited)(db, (session) => users.insertOne(user, { session }), () => creationOf(user, by))),
        /** Inserts a user and the account that is the user's own: both or none. @returns false when the address is taken */
        insertWithAccount: (user, account, by) => unlessTaken(() => (0, audit_store_1.changeAudited)(db, async (session) => {
            await accounts.insertOne(account, { session });
            return users.insertOne(user, { session });
        }, () => ({ ...by, accountId: account._id, action: 'account.created', object: account._id }))),
        /**
         * Inserts the user who claims an account that has none, and gives the account the user's address: both or neither.
         *
         * @returns false when the address is taken
         */
        insertClaiming: (user, by) => unlessTaken(() => (0, audit_store_1.changeAudited)(db, async (session) => {
            await accounts.updateOne({ _id: user.account_id }, { $set: { email: user.email } }, { session });
            return users.insertOne(user, { session });
        }, () => creationOf(user, by))),
        find: (id) => users.findOne({ _id: id }),
        findByEmail: (email) => users.findOne({ email }),
        /** All of them, oldest first. */
        list: () => users.find().sort({ created_at: 1 }).toArray(),
        /** Whether anybody runs the installation yet. */
        anyOperator: async () => (await users.findOne({ operator: true }, { projection: { _id: 1 } })) !== null,
        /** @returns false when there is no such user, or the hash is no longer the expected one */
        async setPasswordHash(id, { to, from, action }, by) {
            const expected = { _id: id, ...(from !== undefined && { password_hash: from }) };
            const changed = await (0, audit_store_1.changeAudited)(db, (session) => users.findOneAndUpdate(expected, { $set: { password_hash: to } }, { session }), ({ account_id: accountId }) => ({ ...by, accountId, action, object: id }));
            return changed !== null;
        },
    };
}
/** Without the address: entries about operators outlive the account and must not name its people. */
function creationOf({ _id, account_id: accountId, operator }, by) {
    const changes = operator ? [{ field: 'operator', to: 'yes' }] : [];
    return { ...by, accountId, action: 'user.created', object: _id, changes };
}
async function unlessTaken(insert) {
    try {
        await insert();
        return true;
    }
    catch (error) {
        if ((0, mongo_1.isDuplicateKey)(error))
            return false;
        throw error;
    }
}
//# sourceMappingURL=user-store.js.map