"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createAuditStore = createAuditStore;
exports.changeAudited = changeAudited;
const ids_1 = require("../platform/ids");
const mongo_1 = require("../platform/mongo");
const mongo_expiry_1 = require("../platform/mongo-expiry");
const AUDIT_COLLECTION = 'audit_log';
/**
 * Appends and reads. No entry can be changed; it goes when it is too old, or with its account.
 *
 * @param retentionMs how long entries are kept; undefined keeps them forever
 */
function createAuditStore(db, retentionMs) {
    const entries = db.collection(AUDIT_COLLECTION);
    return {
        async ensureIndexes() {
            await entries.createIndexes([
                { key: { account_id: 1, at: -1, _id: -1 } },
                { key: { account_id: 1, object: 1, at: -1, _id: -1 } },
            ]);
            await (0, mongo_expiry_1.ensureExpiry)(entries, 'at', retentionMs);
        },
        /** Resolves when a majority has the entry: what is not in the log must not be answered as done. */
        record: (entry) => append(db, entry),
        /** Newest first. */
        page: ({ limit, behind, ...filter }) => entries
            .find({
            $and: [
                filterOf(filter),
                behind
                    ? { $or: [{ at: { $lt: behind.createdAt } }, { at: behind.createdAt, _id: { $lt: behind.id } }] }
                    : {},
            ],
        })
            .sort({ at: -1, _id: -1 })
            .limit(limit)
            .toArray(),
    };
}
/**
 * Runs writes and adds their entry to the audit log, in one transaction: neither is there without the other.
 *
 * @param work writes with the session, and may be run again; null when it changed nothing, which is not written down
 * @param entryOf says what was changed
 * @returns what `work` returned
 */
function changeAudited(db, work, entryOf) {
    return (0, mongo_1.inTransaction)(db, async (session) => {
        const changed = await work(session);
        if (changed)
            await append(db, entryOf(changed), session);
        return changed;
    });
}
async function append(db, { accountId, ...entry }, session) {
    const document = { ...entry, account_id: accountId };
    await db
        .collection(AUDIT_COLLECTION)
        .updateOne({ _id: (0, ids_1.newId)('aud') }, [{ $replaceWith: { $mergeObjects: [{ _id: '$_id', at: '$$NOW' }, { $literal: document }] } }], { upsert: true, ...(session ? { session } : { writeConcern: mongo_1.DURABLE }) });
}
function filterOf({ accountId, action, actor, object, after, before }) {
    return {
        account_id: accountId,
        ...(action !== undefined && { action }),
        ...(actor !== undefined && { $or: [{ 'actor.id': actor }, { 'actor.name': actor }] }),
        ...(object !== undefined && { object }),
        ...((after ?? before) && { at: { ...(after && { $gte: after }), ...(before && { $lt: before }) } }),
    };
}
//# sourceMappingURL=audit-store.js.map