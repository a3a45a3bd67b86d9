"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createKeyStore = createKeyStore;
const account_store_1 = require("../accounts/account-store");
const audit_store_1 = require("../accounts/audit-store");
const mongo_changes_1 = require("../platform/mongo-changes");
const mongo_1 = require("../platform/mongo");
/** Reads and writes API keys. */
function createKeyStore(db) {
    const keys = db.collection('api_keys');
    // Guessed keys are looked up too. Looking them up together keeps guessing from overloading MongoDB.
    const byHash = (0, mongo_1.createReadGroup)(keys, FOUND, 'hash');
    return {
        async ensureIndexes() {
            await keys.createIndexes([{ key: { hash: 1 }, unique: true }, { key: { account_id: 1, created_at: 1 } }]);
        },
        async insert(key, by) {
            await (0, audit_store_1.changeAudited)(db, (session) => keys.insertOne(key, { session }), () => ({ ...entryOf(key, 'key.created', by), changes: restrictionsOf(key) }));
        },
        findByHash: (hash) => byHash.add(hash),
        listByAccount: (accountId) => keys.find({ account_id: accountId }).sort({ created_at: 1 }).toArray(),
        /** How many keys the account has that are neither revoked nor expired. */
        countActive: (accountId) => keys.countDocuments({ account_id: accountId, $expr: { $eq: [STATE, 'active'] } }),
        /** Revokes a key, once: a second call keeps the first time. @returns null when there is no such key */
        async revoke(id, at, by, accountId) {
            const which = { _id: id, ...(accountId === undefined ? {} : { account_id: accountId }) };
            const revoked = await (0, audit_store_1.changeAudited)(db, (session) => keys.findOneAndUpdate({ ...which, revoked_at: null }, { $set: { revoked_at: at } }, { session, returnDocument: 'after' }), (key) => entryOf(key, 'key.revoked', by));
            return revoked ?? keys.findOne(which);
        },
        /** How these keys stand; one that is not there is left out. */
        async statesOf(ids) {
            const found = keys.aggregate([
                { $match: { _id: { $in: [...new Set(ids)] } } },
                { $lookup: { from: account_store_1.ACCOUNTS_COLLECTION, localField: 'account_id', foreignField: '_id', as: 'account' } },
                { $project: { state: STATE } },
            ]);
            return new Map((await found.toArray()).map(({ _id, state }) => [_id, state]));
        },
        /** Notes uses of keys, several at once. */
        async touch(uses) {
            const updates = [...uses].map(([id, { lastAt, calls }]) => ({
                updateOne: { filter: { _id: id }, update: { $max: { last_used_at: lastAt }, $inc: { calls } } },
            }));
            if (updates.length > 0)
                await keys.bulkWrite(updates, { ordered: false, writeConcern: { w: 1 } });
        },
        /** Watches for changed keys until `close`. */
        watch: (listener) => watchKeys(keys, listener),
    };
}
function entryOf({ _id, account_id: accountId, label }, action, by) {
    return { ...by, accountId, action, object: _id, detail: label };
}
/** What a new key is limited to, for its whole life; nothing where it is not. */
function restrictionsOf({ scopes, expires_at: expiresAt }) {
    return [
        ...(scopes ? [{ field: 'scopes', to: scopes.join(', ') }] : []),
        ...(expiresAt ? [{ field: 'expires_at', to: expiresAt.toISOString() }] : []),
    ];
}
/** A key with the time it has left. */
const FOUND = {
    hash: 1,
    key: '$$ROOT',
    expiresInMs: { $ifNull: [{ $subtract: ['$expires_at', '$$NOW'] }, null] },
};
/**
 * Expression of a key's `KeyState`; null and what is missing are less than any date. Without a look-up of its `account`
 * nothing is suspended.
 */
const STATE = {
    $switch: {
        branches: [
            { case: { $gt: ['$revoked_at', null] }, then: 'revoked' },
            { case: { $and: [{ $gt: ['$expires_at', null] }, { $lte: ['$expires_at', '$$NOW'] }] }, then: 'expired' },
            {
                case: { $or: [{ $eq: ['$account', []] }, { $gt: [{ $first: '$account.suspended_at' }, null] }] },
                then: 'suspended',
            },
        ],
        default: 'active',
    },
};
/** `touch` is left out of the stream: only a revocation must reach the other processes. */
const REVOCATIONS = [
    {
        $match: {
            $or: [
                { operationType: { $in: ['delete', 'replace', 'drop', 'rename', 'dropDatabase', 'invalidate'] } },
                { 'updateDescription.updatedFields.revoked_at': { $exists: true } },
            ],
        },
    },
];
/** How often the stream says that it is alive when nothing changes. */
const HEARTBEAT_MS = 500;
function watchKeys(keys, listener) {
    return (0, mongo_changes_1.followChanges)(() => keys.watch(REVOCATIONS, { maxAwaitTimeMS: HEARTBEAT_MS }), {
        ...listener,
        onChange(change, position) {
            // The collection was dropped or renamed: this stream is at its end.
            if (!('documentKey' in change))
                throw new Error(`the API keys' collection changed: ${change.operationType}`);
            listener.onChange(change.documentKey._id, position);
        },
    });
}
//# sourceMappingURL=key-store.js.map