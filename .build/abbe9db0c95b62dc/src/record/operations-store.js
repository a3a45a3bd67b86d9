"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDeliveryOperations = createDeliveryOperations;
const delivery_state_1 = require("../domain/delivery-state");
const mongo_1 = require("../platform/mongo");
const state_updates_1 = require("./state-updates");
const FINISHED_STATES = delivery_state_1.DELIVERY_STATES.filter(delivery_state_1.isFinished);
const CANCEL_BATCH = 1_000;
function createDeliveryOperations(events) {
    return {
        async cancel(ref) {
            const { modifiedCount } = await events.updateOne(runIn(ref, delivery_state_1.UNFINISHED_STATES), (0, state_updates_1.cancelUpdate)(ref), {
                writeConcern: mongo_1.DURABLE,
            });
            return modifiedCount === 1;
        },
        async cancelAllOf({ accountId, endpointId }) {
            const unfinished = { endpoint_id: endpointId, state: { $in: delivery_state_1.UNFINISHED_STATES } };
            const filter = { account_id: accountId, destinations: { $elemMatch: unfinished } };
            for (let cancelled = 0;;) {
                const batch = await events
                    .find(filter, { projection: { _id: 1 } })
                    .limit(CANCEL_BATCH)
                    .toArray();
                const ids = batch.map(({ _id }) => _id);
                // An endpoint is an event's destination once, so an event that changed is a delivery that ended.
                const update = events.updateMany({ ...filter, _id: { $in: ids } }, (0, state_updates_1.cancelAnyRunUpdate)(endpointId), {
                    writeConcern: mongo_1.DURABLE,
                });
                cancelled += (await update).modifiedCount;
                if (batch.length < CANCEL_BATCH)
                    return cancelled;
            }
        },
        async replay(ref, jobId) {
            const { modifiedCount } = await events.updateOne(runIn(ref, FINISHED_STATES), (0, state_updates_1.replayUpdate)(ref, jobId ?? null), {
                writeConcern: mongo_1.DURABLE,
            });
            return modifiedCount === 1 ? { ...ref, run: ref.run + 1 } : null;
        },
        async replayAll(refs, jobId) {
            const updates = refs.map((ref) => ({
                updateOne: { filter: runIn(ref, FINISHED_STATES), update: (0, state_updates_1.replayUpdate)(ref, jobId) },
            }));
            await events.bulkWrite(updates, { ordered: false, writeConcern: mongo_1.DURABLE });
        },
        async findReplayed(refs, jobId) {
            const ids = [...new Set(refs.map(({ eventId }) => eventId))];
            const found = await events.find({ _id: { $in: ids } }, { projection: { data: 0 } }).toArray();
            return refs.flatMap(({ eventId, endpointId, run }) => {
                const event = found.find(({ _id }) => _id === eventId);
                const destination = event?.destinations.find(({ endpoint_id }) => endpoint_id === endpointId);
                return event && destination?.run === run + 1 && destination.replay_job === jobId
                    ? [{ event, destination }]
                    : [];
            });
        },
    };
}
/** Selects the event of a run that is in one of the states. */
function runIn({ eventId, endpointId, run }, states) {
    return { _id: eventId, destinations: { $elemMatch: { endpoint_id: endpointId, run, state: { $in: states } } } };
}
//# sourceMappingURL=operations-store.js.map