"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDeletionStore = createDeletionStore;
const audit_store_1 = require("../accounts/audit-store");
const attempt_store_1 = require("../record/attempt-store");
const endpoint_store_1 = require("../record/endpoint-store");
const event_store_1 = require("../record/event-store");
const mongo_1 = require("../platform/mongo");
const user_store_1 = require("../users/user-store");
const account_store_1 = require("../accounts/account-store");
const suspension_store_1 = require("./suspension-store");
const HAS_BEGUN = { deleting_since: { $type: 'date' } };
/** Deletes accounts, step by step. Every step may be repeated, by another process too. */
function createDeletionStore(db) {
    const accounts = db.collection(account_store_1.ACCOUNTS_COLLECTION);
    return {
        async ensureIndexes() {
            // Partial, because hardly any account has the field.
            await accounts.createIndexes([{ key: { deleting_since: 1 }, partialFilterExpression: HAS_BEGUN }]);
        },
        /**
         * Marks a suspended account, with its entry in the audit log, in one transaction. A second call changes and records
         * nothing.
         *
         * @returns the account; null when there is none
         */
        begin: (accountId, by) => (0, suspension_store_1.changeAccount)(db, { ...by, accountId, action: 'account.deletion_started', object: accountId }, (session) => accounts.findOneAndUpdate({ _id: accountId, deleting_since: { $exists: false } }, { $currentDate: { deleting_since: true }, $set: { deleting_by: by } }, { session, returnDocument: 'after' })),
        /** Accounts whose deletion has begun. */
        begun: () => accounts
            .find(HAS_BEGUN, { projection: { _id: 1 } })
            .map(({ _id }) => _id)
            .toArray(),
        /** Milliseconds since the account was suspended, by the database's clock. */
        async suspendedForMs(accountId) {
            const [found] = await accounts
                .aggregate([
                { $match: { _id: accountId } },
                { $project: { ms: { $subtract: ['$$NOW', '$suspended_at'] } } },
            ])
                .toArray();
            return found?.ms ?? Number.POSITIVE_INFINITY;
        },
        /**
         * Removes some of what an account has: up to `limit` documents of each kind, with what depends on them.
         *
         * @returns an empty object when nothing is left
         */
        removeSome: (accountId, limit) => removeSome(db, accountId, limit),
        /** Removes the account itself, with the entry, in one transaction. @returns false when somebody else did */
        async end(accountId, entry) {
            const remove = (session) => accounts.findOneAndDelete({ _id: accountId }, { session });
            return (await (0, audit_store_1.changeAudited)(db, remove, () => entry)) !== null;
        },
    };
}
/** Keys and people first: so that they can do nothing more. */
async function removeSome(db, accountId, limit) {
    const own = { account_id: accountId };
    const removed = {};
    const remove = async (name, filter, before) => {
        const collection = db.collection(name);
        const ids = await collection
            .find(filter, { projection: { _id: 1 } })
            .limit(limit)
            .map(({ _id }) => _id)
            .toArray();
        if (ids.length === 0)
            return;
        // What depends on them first: after a crash, the next step finds both again.
        await before?.(ids);
        removed[name] = (await collection.deleteMany({ _id: { $in: ids } }, DURABLY)).deletedCount;
    };
    await remove('api_keys', own);
    await remove('setup_links', own);
    await remove('audit_log', await ownEntries(db, accountId));
    await remove(user_store_1.USERS_COLLECTION, own, async (ids) => {
        await db.collection('sessions').deleteMany({ user_id: { $in: ids } }, DURABLY);
    });
    await remove('replays', own);
    await remove(endpoint_store_1.ENDPOINTS_COLLECTION, own, async (ids) => {
        for (const name of ['rates', 'ordered_endpoints']) {
            await db.collection(name).deleteMany({ _id: { $in: ids } }, DURABLY);
        }
    });
    await remove(event_store_1.EVENTS_COLLECTION, own, async (ids) => {
        await db.collection(attempt_store_1.ATTEMPTS_COLLECTION).deleteMany({ event_id: { $in: ids } }, DURABLY);
    });
    // Their ids are `<account_id>:<key>`, and `;` is what comes after `:`.
    await remove('idempotency_keys', { _id: { $gte: `${accountId}:`, $lt: `${accountId};` } });
    await remove('usage', own);
    return removed;
}
const DURABLY = { writeConcern: mongo_1.DURABLE };
/** Entries about what the account's own people and keys did, which name them. Those about operators stay. */
async function ownEntries(db, accountId) {
    const operators = await db
        .collection(user_store_1.USERS_COLLECTION)
        .find({ operator: true, account_id: { $ne: accountId } }, { projection: { _id: 1 } })
        .map(({ _id }) => _id)
        .toArray();
    const theirs = {
        account_id: accountId,
        'actor.type': { $in: ['user', 'key'] },
        'actor.id': { $nin: operators },
    };
    return theirs;
}
//# sourceMappingURL=deletion-store.js.map