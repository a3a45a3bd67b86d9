"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ENDPOINTS_COLLECTION = exports.MAX_ENDPOINTS = void 0;
exports.createEndpointStore = createEndpointStore;
exports.auditEntry = auditEntry;
exports.atVersion = atVersion;
exports.standsInLine = standsInLine;
exports.closedBy = closedBy;
exports.reasonToHold = reasonToHold;
const audit_store_1 = require("../accounts/audit-store");
const mongo_1 = require("../platform/mongo");
const endpoint_changes_1 = require("../domain/endpoint-changes");
/** Most endpoints an account can have. */
exports.MAX_ENDPOINTS = 100;
/** Name of the collection, for the stores that look at it from other sides. */
exports.ENDPOINTS_COLLECTION = 'endpoints';
function createEndpointStore(db) {
    const endpoints = db.collection(exports.ENDPOINTS_COLLECTION);
    const reads = (0, mongo_1.createReadGroup)(endpoints);
    return {
        async ensureIndexes() {
            await endpoints.createIndexes([
                { key: { account_id: 1, slot: 1 }, unique: true },
                { key: { account_id: 1, created_at: -1, _id: -1 } },
            ]);
        },
        insert: (endpoint, by) => insertIntoFreeSlot(db, endpoint, by),
        find: (id) => reads.add(id),
        change: (endpoint, change, note) => changeUnlessChanged(db, endpoint, change, note),
        async remove(id, by) {
            const removed = await (0, audit_store_1.changeAudited)(db, (session) => endpoints.findOneAndDelete({ _id: id }, { session }), (endpoint) => auditEntry({ ...by, action: 'endpoint.deleted' }, endpoint, null));
            return removed !== null;
        },
        findMany: (ids) => endpoints.find({ _id: { $in: [...ids] } }).toArray(),
        listByAccount: (accountId) => endpoints.find({ account_id: accountId }).sort({ created_at: -1, _id: -1 }).toArray(),
        async forgetVerifications() {
            await endpoints.updateMany({ verification: { $exists: true } }, { $unset: { verification: true } });
        },
        page: (accountId, limit, after) => endpoints
            .find({
            account_id: accountId,
            ...(after && {
                $or: [{ created_at: { $lt: after.createdAt } }, { created_at: after.createdAt, _id: { $lt: after.id } }],
            }),
        })
            .sort({ created_at: -1, _id: -1 })
            .limit(limit)
            .toArray(),
    };
}
/**
 * The audit log's entry of a changed endpoint.
 *
 * @param before null for a new endpoint; `after` is null for one that was removed
 */
function auditEntry({ action, ...by }, before, after) {
    const { account_id: accountId, _id: object } = (after ?? before);
    return { ...by, accountId, action, object, changes: (0, endpoint_changes_1.endpointChanges)(before, after) };
}
async function insertIntoFreeSlot(db, endpoint, by) {
    const endpoints = db.collection(exports.ENDPOINTS_COLLECTION);
    for (;;) {
        const taken = await endpoints
            .find({ account_id: endpoint.account_id }, { projection: { slot: 1 } })
            .map(({ slot }) => slot)
            .toArray();
        const slots = new Set(taken);
        const slot = Array.from({ length: exports.MAX_ENDPOINTS }, (_, index) => index).find((index) => !slots.has(index));
        if (slot === undefined)
            return null;
        try {
            const placed = { ...endpoint, slot };
            await (0, audit_store_1.changeAudited)(db, (session) => endpoints.insertOne(placed, { session }), () => auditEntry({ ...by, action: 'endpoint.created' }, null, placed));
            return placed;
        }
        catch (error) {
            // Another registration of the same account took the slot meanwhile: look again.
            if (!(0, mongo_1.isDuplicateKey)(error))
                throw error;
        }
    }
}
/** Finds the endpoint unless somebody changed it since it was read. */
function atVersion({ _id, version = 0 }) {
    // An endpoint that was never changed has no version yet, which null finds.
    return { _id, version: version === 0 ? { $in: [0, null] } : version };
}
function changeUnlessChanged(db, before, { set, unset = [], stamp }, note) {
    const endpoints = db.collection(exports.ENDPOINTS_COLLECTION);
    const change = (session) => endpoints.findOneAndUpdate(atVersion(before), {
        $set: { ...set, version: (before.version ?? 0) + 1 },
        $currentDate: { updated_at: true, ...(stamp && { [stamp]: true }) },
        ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((name) => [name, true])) }),
    }, { returnDocument: 'after', session });
    return (0, audit_store_1.changeAudited)(db, change, (after) => auditEntry(note, before, after));
}
/** Whether the endpoint's deliveries go one at a time, in order, this run among them: a replay stands in no line. */
function standsInLine({ options }, { run }) {
    return options?.ordered === true && run === 1;
}
/** Why an endpoint's gate lets nothing through until somebody opens it; undefined when nobody closed it. */
function closedBy({ status, account_suspended: isSuspended, verification }) {
    if (isSuspended)
        return 'suspended';
    if (status !== 'active')
        return status;
    return verification?.state === 'unverified' ? 'unverified' : undefined;
}
/** Why an endpoint's gate keeps a new delivery; undefined when it is open. */
function reasonToHold(endpoint, hangs) {
    const closed = closedBy(endpoint);
    if (closed)
        return closed;
    const { options } = endpoint;
    if (hangs)
        return 'hanging';
    if (options?.ordered)
        return 'in_line';
    return options?.max_per_second === undefined ? undefined : 'at_rate';
}
//# sourceMappingURL=endpoint-store.js.map