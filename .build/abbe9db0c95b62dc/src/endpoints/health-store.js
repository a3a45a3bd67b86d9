"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createEndpointHealthStore = createEndpointHealthStore;
const audit_store_1 = require("../accounts/audit-store");
const audit_actions_1 = require("../domain/audit-actions");
const mongo_1 = require("../platform/mongo");
const endpoint_store_1 = require("../record/endpoint-store");
function createEndpointHealthStore(db) {
    const endpoints = db.collection(endpoint_store_1.ENDPOINTS_COLLECTION);
    return {
        disable(id, reason, { by, failingForMs }) {
            const isDue = {
                _id: id,
                status: 'active',
                disabled_by: { $ne: by },
                ...(failingForMs !== undefined && {
                    failing_since: { $type: 'date' },
                    $expr: { $lte: ['$failing_since', { $subtract: ['$$NOW', failingForMs] }] },
                }),
            };
            const disabled = {
                $set: { status: 'disabled', disabled_reason: reason, disabled_by: by },
                $inc: { version: 1 },
                $currentDate: { updated_at: true, disabled_at: true },
            };
            const note = { ...audit_actions_1.BY_SYSTEM, action: 'endpoint.disabled' };
            return (0, audit_store_1.changeAudited)(db, (session) => endpoints.findOneAndUpdate(isDue, disabled, { returnDocument: 'after', session }), (after) => ({ ...(0, endpoint_store_1.auditEntry)(note, { ...after, status: 'active' }, after), detail: reason }));
        },
        async noteFailure(id) {
            // Null also finds an endpoint without the field.
            const filter = { _id: id, failing_since: null };
            await endpoints.updateOne(filter, { $currentDate: { failing_since: true } }, { writeConcern: mongo_1.FAST });
        },
        async noteSuccess(id) {
            await endpoints.updateOne({ _id: id }, { $unset: { failing_since: true } }, { writeConcern: mongo_1.FAST });
        },
    };
}
//# sourceMappingURL=health-store.js.map