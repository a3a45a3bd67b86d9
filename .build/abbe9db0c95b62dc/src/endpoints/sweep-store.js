"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createEndpointDueStore = createEndpointDueStore;
const audit_store_1 = require("../accounts/audit-store");
const audit_actions_1 = require("../domain/audit-actions");
const endpoint_store_1 = require("../record/endpoint-store");
function createEndpointDueStore(db) {
    const endpoints = db.collection(endpoint_store_1.ENDPOINTS_COLLECTION);
    return {
        async ensureIndexes() {
            // Few endpoints have one: the index holds only those.
            await endpoints.createIndexes([
                { key: { next_secret_at: 1 }, partialFilterExpression: { next_secret_at: { $gt: new Date(0) } } },
            ]);
        },
        async activateSecrets(afterMs) {
            const isDue = {
                // The first condition makes the partial index fit.
                next_secret_at: { $gt: new Date(0) },
                $expr: { $lte: ['$next_secret_at', { $subtract: ['$$NOW', afterMs] }] },
            };
            for (let activated = 0;; activated += 1) {
                // One at a time: each has its entry in its account's log.
                const before = await (0, audit_store_1.changeAudited)(db, (session) => endpoints.findOneAndUpdate(isDue, ACTIVATE, { session }), activationOf);
                if (!before)
                    return activated;
            }
        },
    };
}
const ACTIVATE = [
    {
        $set: {
            secret: '$next_secret',
            version: { $add: [{ $ifNull: ['$version', 0] }, 1] },
            updated_at: '$$NOW',
        },
    },
    { $unset: ['next_secret', 'next_secret_at'] },
];
function activationOf(before) {
    const { next_secret: next, ...rest } = before;
    return (0, endpoint_store_1.auditEntry)({ ...audit_actions_1.BY_SYSTEM, action: 'secret.activated' }, before, { ...rest, secret: next ?? before.secret });
}
//# sourceMappingURL=sweep-store.js.map