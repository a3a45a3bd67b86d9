"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createEndpointDeliveryStore = createEndpointDeliveryStore;
const mongodb_1 = require("mongodb");
const delivery_state_1 = require("../domain/delivery-state");
const event_store_1 = require("./event-store");
const attempt_store_1 = require("./attempt-store");
/** Attempts that are summed up by one query: some 50 bytes of id each. */
const ATTEMPT_IDS = 10_000;
/** Reads what the deliveries' own store writes, by the indexes that it keeps. */
function createEndpointDeliveryStore(db) {
    const events = db.collection(event_store_1.EVENTS_COLLECTION);
    const attempts = db.collection(attempt_store_1.ATTEMPTS_COLLECTION);
    return {
        statsOfEndpoint: (query) => statsOfEndpoint(events, attempts, query),
    };
}
async function statsOfEndpoint(events, attempts, { accountId, endpointId, windowMs, most }) {
    const { localTime } = (await events.db.command({ hello: 1 }));
    const since = new Date(localTime.getTime() - windowMs);
    const found = await events
        .aggregate([
        {
            $match: {
                account_id: accountId,
                accepted_at: { $gte: new mongodb_1.Timestamp({ t: Math.floor(since.getTime() / 1_000), i: 0 }) },
                destinations: { $elemMatch: { endpoint_id: endpointId, state: { $in: [...delivery_state_1.DELIVERY_STATES] } } },
            },
        },
        { $sort: { accepted_at: -1, _id: -1 } },
        { $limit: most + 1 },
        { $unwind: '$destinations' },
        { $match: { 'destinations.endpoint_id': endpointId } },
        { $replaceWith: { $mergeObjects: ['$destinations', { _id: '$_id' }] } },
        { $project: { state: 1, run: 1, attempt_count: 1 } },
    ])
        .toArray();
    const looked = found.slice(0, most);
    const counts = Object.fromEntries(delivery_state_1.DELIVERY_STATES.map((state) => [state, 0]));
    for (const { state } of looked)
        counts[state] += 1;
    const ids = looked.flatMap(({ _id, run, attempt_count: count }) => Array.from({ length: count }, (_, index) => (0, attempt_store_1.attemptId)({ eventId: _id, endpointId, run, number: index + 1 })));
    return {
        since,
        until: localTime,
        deliveries: counts,
        ...(await summarizeAttempts(attempts, ids)),
        complete: found.length <= most,
    };
}
/** The attempts of the present runs, found by their ids: no index of its own slows attempts down. */
async function summarizeAttempts(attempts, ids) {
    const latencies = [];
    let succeeded = 0;
    for (let from = 0; from < ids.length; from += ATTEMPT_IDS) {
        const [page] = await attempts
            .aggregate([
            { $match: { _id: { $in: ids.slice(from, from + ATTEMPT_IDS) }, answer: { $exists: true } } },
            {
                $group: {
                    _id: null,
                    latencies: { $push: '$answer.latency_ms' },
                    succeeded: { $sum: { $cond: ['$answer.succeeded', 1, 0] } },
                },
            },
        ])
            .toArray();
        latencies.push(...(page?.latencies ?? []));
        succeeded += page?.succeeded ?? 0;
    }
    latencies.sort((one, other) => one - other);
    return {
        attempts: { total: latencies.length, succeeded },
        latencyMs: latencies.length === 0 ? null : { p50: percentile(latencies, 0.5), p95: percentile(latencies, 0.95) },
    };
}
/** The smallest value that at least `share` of them do not exceed (nearest rank). */
function percentile(sorted, share) {
    return sorted[Math.ceil(sorted.length * share) - 1];
}
//# sourceMappingURL=endpoint-deliveries-store.js.map