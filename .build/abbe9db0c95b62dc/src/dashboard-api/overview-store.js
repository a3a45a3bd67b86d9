"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.TYPE_EVENTS = exports.MAX_COUNTED = void 0;
exports.createOverviewStore = createOverviewStore;
const mongodb_1 = require("mongodb");
const attempt_store_1 = require("../record/attempt-store");
const delivery_state_1 = require("../domain/delivery-state");
const event_store_1 = require("../record/event-store");
/** Most events that one count looks at: about a second of work. */
exports.MAX_COUNTED = 100_000;
/** Events whose attempts the latencies come from. */
const LATENCY_EVENTS = 2_000;
/** Events whose types are looked at. */
exports.TYPE_EVENTS = 5_000;
const MAX_TIME_MS = 8_000;
/** Reads what the overview shows. Every read is bounded, however many events an account has. */
function createOverviewStore(db) {
    const events = db.collection(event_store_1.EVENTS_COLLECTION);
    const attempts = db.collection(attempt_store_1.ATTEMPTS_COLLECTION);
    return {
        /** Counts the events accepted since then, the newest `MAX_COUNTED` of them. */
        async countSince(accountId, since) {
            const [found] = await events
                .aggregate([...newest(accountId, since, exports.MAX_COUNTED), ...COUNT], { maxTimeMS: MAX_TIME_MS })
                .toArray();
            return found ?? { events: 0, oldest: null, byHour: [] };
        },
        /** Counts the deliveries of the events accepted since then by endpoint, the newest `MAX_COUNTED` events of them. */
        countByEndpoint: (accountId, since) => events
            .aggregate([...newest(accountId, since, exports.MAX_COUNTED), ...COUNT_BY_ENDPOINT], {
            maxTimeMS: MAX_TIME_MS,
        })
            .toArray(),
        /** Latencies of the answered attempts of the newest events since then, in milliseconds. */
        async latenciesSince(accountId, since) {
            const ids = await events
                .aggregate([...newest(accountId, since, LATENCY_EVENTS), { $project: { _id: 1 } }])
                .map(({ _id }) => _id)
                .toArray();
            return attempts
                .find({ event_id: { $in: ids }, answer: { $exists: true } }, { projection: { 'answer.latency_ms': 1 }, maxTimeMS: MAX_TIME_MS })
                .map(({ answer }) => answer.latency_ms)
                .toArray();
        },
        /** Unfinished deliveries, whenever their events were accepted; `MAX_COUNTED` at most. */
        async countUnfinished(accountId) {
            const found = await events
                .aggregate([
                // By the index of an account's states.
                { $match: { account_id: accountId, 'destinations.state': { $in: delivery_state_1.UNFINISHED_STATES } } },
                { $limit: exports.MAX_COUNTED },
                { $project: { 'destinations.state': 1 } },
                { $unwind: '$destinations' },
                { $match: { 'destinations.state': { $in: delivery_state_1.UNFINISHED_STATES } } },
                { $group: { _id: '$destinations.state', count: { $sum: 1 } } },
            ], { maxTimeMS: MAX_TIME_MS })
                .toArray();
            return new Map(found.map(({ _id, count }) => [_id, count]));
        },
        /** Types of the account's newest events, the most frequent first. */
        recentTypes: (accountId) => events
            .aggregate([
            ...newest(accountId, new Date(0), exports.TYPE_EVENTS),
            { $group: { _id: '$type', events: { $sum: 1 }, lastAt: { $max: '$accepted_at' } } },
            { $sort: { events: -1, _id: 1 } },
            { $limit: 200 },
            { $project: { _id: 0, type: '$_id', events: 1, lastAt: { $toDate: '$lastAt' } } },
        ])
            .toArray(),
    };
}
/** An account's newest events, without their data. */
function newest(accountId, since, limit) {
    const from = new mongodb_1.Timestamp({ t: Math.floor(since.getTime() / 1_000), i: 0 });
    return [
        { $match: { account_id: accountId, accepted_at: { $gte: from } } },
        { $sort: { accepted_at: -1, _id: -1 } },
        { $limit: limit },
        { $project: { type: 1, accepted_at: 1, 'destinations.state': 1, 'destinations.endpoint_id': 1 } },
    ];
}
/** Counts what `newest` found: all events, and their deliveries by hour of acceptance and state. */
const COUNT = [
    { $set: { accepted_at: { $toDate: '$accepted_at' } } },
    {
        $facet: {
            all: [{ $group: { _id: null, events: { $sum: 1 }, oldest: { $min: '$accepted_at' } } }],
            byHour: [
                { $unwind: '$destinations' },
                {
                    $group: {
                        _id: { from: { $dateTrunc: { date: '$accepted_at', unit: 'hour' } }, state: '$destinations.state' },
                        deliveries: { $sum: 1 },
                    },
                },
                { $project: { _id: 0, from: '$_id.from', state: '$_id.state', deliveries: 1 } },
            ],
        },
    },
    { $unwind: '$all' },
    { $project: { events: '$all.events', oldest: '$all.oldest', byHour: 1 } },
];
/** Counts what `newest` found by endpoint, hour of acceptance and state. */
const COUNT_BY_ENDPOINT = [
    { $unwind: '$destinations' },
    {
        $group: {
            _id: {
                endpointId: '$destinations.endpoint_id',
                from: { $dateTrunc: { date: { $toDate: '$accepted_at' }, unit: 'hour' } },
                state: '$destinations.state',
            },
            deliveries: { $sum: 1 },
        },
    },
    { $project: { _id: 0, endpointId: '$_id.endpointId', from: '$_id.from', state: '$_id.state', deliveries: 1 } },
];
//# sourceMappingURL=overview-store.js.map