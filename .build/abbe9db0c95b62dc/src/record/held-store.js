"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createHeldStore = createHeldStore;
const clock_set_back_1 = require("../domain/clock-set-back");
const event_store_1 = require("./event-store");
const mongo_1 = require("../platform/mongo");
const state_updates_1 = require("./state-updates");
/** @param leaseMs as long as an attempt's claim (`claimLeaseMs`) */
function createHeldStore(events, leaseMs) {
    return {
        async endpointsThatHold(after, limit) {
            const found = [];
            while (found.length < limit) {
                const event = await events.findOne(heldWhere({ $gt: found.at(-1) ?? after }), {
                    hint: event_store_1.HELD_INDEX,
                    projection: { destinations: 1 },
                });
                if (!event)
                    break;
                const behind = event.destinations.filter((it) => isHeld(it) && it.endpoint_id > (found.at(-1) ?? after));
                found.push(behind.map(({ endpoint_id: id }) => id).reduce((one, other) => (one < other ? one : other)));
            }
            return found;
        },
        async nextHeld(endpointId, limit) {
            const found = await events
                .find({
                ...heldWhere(endpointId),
                $expr: { $anyElementTrue: { $map: { input: '$destinations', as: 'it', in: mayGo(endpointId) } } },
            }, { hint: event_store_1.HELD_INDEX, projection: { account_id: 1, destinations: 1 } })
                .sort({ accepted_at: 1 })
                .limit(limit)
                .toArray();
            return found.flatMap(({ _id, account_id: accountId, destinations }) => destinations
                .filter((it) => isHeld(it) && it.endpoint_id === endpointId)
                .map(({ run }) => ({ eventId: _id, endpointId, run, accountId })));
        },
        async letGo(refs, { owner, claims }) {
            if (refs.length === 0)
                return [];
            const updates = refs.map((ref) => ({
                updateOne: { filter: { _id: ref.eventId }, update: (0, state_updates_1.letGoUpdate)(ref, owner, claims ? leaseMs : 0) },
            }));
            await events.bulkWrite(updates, { ordered: false, writeConcern: mongo_1.FAST });
            const found = await events.find({ _id: { $in: refs.map(({ eventId }) => eventId) } }).toArray();
            const byId = new Map(found.map((event) => [event._id, event]));
            return refs.flatMap(({ eventId, endpointId, run }) => {
                const event = byId.get(eventId);
                const destination = event?.destinations.find((it) => it.endpoint_id === endpointId && it.run === run);
                const isOurs = destination?.dispatch === 'due' && destination.claimed_by === owner;
                return event && isOurs ? [{ event, destination }] : [];
            });
        },
    };
}
function isHeld({ dispatch }) {
    return dispatch === 'held';
}
/** Named once more outside, so that the partial index fits. */
function heldWhere(endpointId) {
    return {
        'destinations.dispatch': 'held',
        destinations: { $elemMatch: { dispatch: 'held', endpoint_id: endpointId } },
    };
}
/** By the database's clock. */
function mayGo(endpointId) {
    return {
        $and: [
            { $eq: ['$$it.endpoint_id', { $literal: endpointId }] },
            {
                $or: [
                    { $lte: [{ $ifNull: ['$$it.look_at', null] }, '$$NOW'] },
                    // Written before the clock was set back.
                    { $gt: ['$$it.look_at', { $add: ['$$NOW', state_updates_1.GIVE_BACK_MS + clock_set_back_1.SET_BACK_MS] }] },
                ],
            },
        ],
    };
}
//# sourceMappingURL=held-store.js.map