"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.groupedMoves = groupedMoves;
exports.groupedStarts = groupedStarts;
exports.groupedHolds = groupedHolds;
const event_store_1 = require("./event-store");
const mongo_1 = require("../platform/mongo");
const write_groups_1 = require("../platform/write-groups");
const state_updates_1 = require("./state-updates");
/** Nobody waits for a start mark but the start queue's slot. */
const START_MARK_LINGER_MS = 50;
/** Moves of deliveries by their answers, written together. */
function groupedMoves(events) {
    return groupedUpdates(events, ({ input, succeeded }) => ({
        updateOne: { filter: { _id: input.eventId }, update: (0, state_updates_1.answerUpdate)(input, succeeded) },
    }), { writeConcern: mongo_1.DURABLE });
}
/** Start marks, written together. One that is lost costs one more start, which the workflow id turns away. */
function groupedStarts(events) {
    return groupedUpdates(events, (ref) => (0, event_store_1.setInRun)(ref, { dispatch: 'done' }, { dispatch: 'due' }), {
        writeConcern: mongo_1.FAST,
        maxInFlight: 1,
        lingerMs: START_MARK_LINGER_MS,
    });
}
/** Holds, written together. One that is lost leaves an unfinished delivery without an execution, which the sweeper finds. */
function groupedHolds(events) {
    return groupedUpdates(events, ({ ref, reason }) => ({ updateOne: { filter: { _id: ref.eventId }, update: (0, state_updates_1.holdUpdate)(ref, reason) } }), { writeConcern: mongo_1.FAST });
}
function groupedUpdates(events, toUpdate, options) {
    const { writeConcern, ...group } = options;
    return (0, write_groups_1.createWriteGroup)(async (items) => {
        await events.bulkWrite(items.map(toUpdate), { ordered: false, writeConcern });
        return items.map(() => ({ value: undefined }));
    }, { maxItems: 200, maxInFlight: 2, ...group });
}
//# sourceMappingURL=state-store.js.map