"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createOrderStore = createOrderStore;
const delivery_state_1 = require("../domain/delivery-state");
const event_store_1 = require("../record/event-store");
const mongo_1 = require("../platform/mongo");
const mongo_lease_1 = require("../platform/mongo-lease");
/**
 * Knows whose turn it is at an ordered endpoint: one delivery at a time, in the order the events were accepted.
 *
 * @param leaseMs as long as an attempt's claim (`claimLeaseMs`)
 */
function createOrderStore(db, leaseMs) {
    const events = db.collection(event_store_1.EVENTS_COLLECTION);
    const holders = db.collection('ordered_endpoints');
    return {
        async ensureIndexes() {
            await holders.createIndexes([{ key: { until: 1 }, expireAfterSeconds: 0 }]);
        },
        /** The first in line: the earliest event whose first run is unfinished. Replays don't stand in line. */
        async firstInLine({ accountId, endpointId }) {
            const first = await events.findOne({
                account_id: accountId,
                destinations: { $elemMatch: { endpoint_id: endpointId, run: 1, state: { $in: delivery_state_1.UNFINISHED_STATES } } },
            }, { sort: { accepted_at: 1, _id: 1 }, projection: { _id: 1 } });
            return first && { eventId: first._id, endpointId, run: 1 };
        },
        /**
         * Takes the endpoint for one attempt, for the store's lease at most. The state alone does not say that nothing is
         * under way: a delivery that was cancelled in the middle of its request is finished already.
         *
         * @returns false while another attempt has it
         */
        take: (endpointId, attempt) => (0, mongo_lease_1.takeLease)(holders, endpointId, attempt, leaseMs),
        /** Whether no attempt has it. */
        async isFree(endpointId) {
            const isHeld = { _id: endpointId, $expr: (0, mongo_lease_1.isHeldLease)(leaseMs) };
            return (await holders.countDocuments(isHeld, { limit: 1 })) === 0;
        },
        /** Gives it back. */
        async giveBack(endpointId, attempt) {
            await holders.deleteOne({ _id: endpointId, owner: attempt }, { writeConcern: mongo_1.FAST });
        },
    };
}
//# sourceMappingURL=order-store.js.map