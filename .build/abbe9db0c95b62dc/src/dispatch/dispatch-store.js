"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDispatchStore = createDispatchStore;
const due_store_1 = require("../record/due-store");
const event_store_1 = require("../record/event-store");
const mongo_lease_1 = require("../platform/mongo-lease");
/** What background work asks MongoDB: whose turn it is, what the time is, and what there is to do. */
function createDispatchStore(db) {
    const clocks = async () => {
        const { localTime, $clusterTime: cluster } = await db.command({ hello: 1 });
        return { now: localTime, cluster: cluster.clusterTime };
    };
    return {
        clocks,
        /** The database's wall clock. */
        now: async () => (await clocks()).now,
        ...(0, mongo_lease_1.createLeases)(db.collection('leases')),
        ...(0, due_store_1.createDueStore)(db.collection(event_store_1.EVENTS_COLLECTION)),
    };
}
//# sourceMappingURL=dispatch-store.js.map