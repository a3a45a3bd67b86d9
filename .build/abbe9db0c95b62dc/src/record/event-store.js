"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.OVERDUE_INDEX = exports.PENDING_INDEX = exports.HELD_INDEX = exports.BACKLOG_INDEX = exports.EVENTS_COLLECTION = void 0;
exports.isClaimed = isClaimed;
exports.createEventStore = createEventStore;
exports.setInRun = setInRun;
exports.toDocument = toDocument;
const mongodb_1 = require("mongodb");
const clock_set_back_1 = require("../domain/clock-set-back");
const mongo_1 = require("../platform/mongo");
const write_groups_1 = require("../platform/write-groups");
/**
 * Whether a process makes a destination's next attempt now. The claim came with the attempt's time: where that is
 * far to come, the database's clock was set back since, and the claim's end says nothing.
 */
function isClaimed({ claimed_until: until, next_attempt_at: at }, now) {
    return Boolean(until && until > now && !(at && at.getTime() > now.getTime() + clock_set_back_1.SET_BACK_MS));
}
/** Name of the collection, for the deliveries' store, which moves the destinations. */
exports.EVENTS_COLLECTION = 'events';
/** Of events with a destination that is due: by account, so that a noisy one is passed in one step. */
exports.BACKLOG_INDEX = { account_id: 1, accepted_at: 1 };
/** Of events with a destination that is held: by endpoint, the earliest accepted first. */
exports.HELD_INDEX = { 'destinations.dispatch': 1, 'destinations.endpoint_id': 1, accepted_at: 1 };
/** Of events with unfinished destinations: how many an account has is answered by the index alone. */
exports.PENDING_INDEX = { account_id: 1, unfinished: 1 };
/** Of events with a destination whose next attempt has a time. Finished and held ones have none. */
exports.OVERDUE_INDEX = { 'destinations.next_attempt_at': 1 };
function createEventStore(db) {
    const events = db.collection(exports.EVENTS_COLLECTION);
    const counters = db.collection('counters');
    const inserts = (0, write_groups_1.createWriteGroup)((items) => (0, mongo_1.insertAllNew)(events, items.map(toDocument), mongo_1.DURABLE), {
        maxItems: 200,
        maxInFlight: 2,
    });
    return {
        async ensureIndexes() {
            await events.createIndexes([
                { key: { account_id: 1, accepted_at: -1, _id: -1 } },
                { key: exports.BACKLOG_INDEX, partialFilterExpression: { 'destinations.dispatch': 'due' } },
                { key: exports.HELD_INDEX, partialFilterExpression: { 'destinations.dispatch': 'held' } },
                { key: exports.PENDING_INDEX, partialFilterExpression: { unfinished: { $gt: 0 } } },
                { key: exports.OVERDUE_INDEX, partialFilterExpression: { 'destinations.next_attempt_at': { $gt: new Date(0) } } },
            ]);
        },
        async reserveIds(count) {
            const counter = await (0, mongo_1.upsertOnceMore)(() => counters.findOneAndUpdate({ _id: 'event_id' }, [{ $set: { next: { $add: [LAST_ID, count] } } }], {
                upsert: true,
                returnDocument: 'after',
                writeConcern: mongo_1.DURABLE,
            }));
            return counter.next - count + 1;
        },
        insert: (event, signal) => inserts.add(event, signal),
        find: (id) => events.findOne({ _id: id }),
        async insertAll(list) {
            if (list.length === 0)
                return [];
            const inserted = await (0, mongo_1.insertAllNew)(events, list.map(toDocument), mongo_1.DURABLE);
            return inserted.map((result) => 'value' in result && result.value);
        },
        async findSummary(id) {
            const event = await events.findOne({ _id: id }, { projection: SUMMARY, readConcern: MAJORITY });
            return event && summaryOf(event);
        },
        findSummaries: (ids) => events
            .find({ _id: { $in: [...ids] } }, { projection: SUMMARY, readConcern: MAJORITY })
            .map(summaryOf)
            .toArray(),
    };
}
/** The last id that was given, or one that no clock which is right has reached before: below 2^53 until the year 2255. */
const LAST_ID = { $max: ['$next', { $multiply: [{ $toLong: '$$NOW' }, 1_000] }] };
const MAJORITY = { level: 'majority' };
const SUMMARY = { type: 1, timestamp: 1, payload_hash: 1, 'destinations.endpoint_id': 1 };
function summaryOf(event) {
    return {
        _id: event._id,
        type: event.type,
        timestamp: event.timestamp,
        ...(event.payload_hash !== undefined && { payload_hash: event.payload_hash }),
        destinationCount: event.destinations.length,
    };
}
/**
 * One update of a bulk write: sets fields of a run's destination, and nothing where the run is over or gone.
 *
 * @param where what else must hold of the destination
 */
function setInRun({ eventId, endpointId, run }, fields, where = {}) {
    const named = (prefix, values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}.${name}`, value]));
    return {
        updateOne: {
            filter: { _id: eventId },
            update: { $set: named('destinations.$[it]', fields) },
            arrayFilters: [{ 'it.endpoint_id': endpointId, 'it.run': run, ...named('it', where) }],
        },
    };
}
/** The event as it is stored; the server sets `accepted_at`. */
function toDocument(event) {
    return {
        _id: event.id,
        account_id: event.accountId,
        type: event.type,
        data: new mongodb_1.Binary(event.data),
        timestamp: event.timestamp,
        idempotency_key: event.idempotencyKey,
        ...(event.payloadHash !== null && { payload_hash: event.payloadHash }),
        destinations: event.destinations,
        unfinished: event.destinations.length,
        // The server replaces an empty top-level timestamp by its own clock and a counter within the second.
        accepted_at: new mongodb_1.Timestamp({ t: 0, i: 0 }),
        // No destination, nothing to wait for.
        finished_at: event.destinations.length === 0 ? new Date(event.timestamp * 1_000) : null,
    };
}
//# sourceMappingURL=event-store.js.map