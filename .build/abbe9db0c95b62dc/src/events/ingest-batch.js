"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ingestBatch = ingestBatch;
const errors_1 = require("../domain/errors");
const ingest_event_1 = require("./ingest-event");
const match_destinations_1 = require("./match-destinations");
/**
 * Accepts many events, each as `ingestEvent` would, in a handful of round trips whatever their number: they are
 * claimed together, and inserted in one durable write that stamps them in their order.
 *
 * Of events with one idempotency key the first is the original, also within the batch.
 *
 * @param signal gives the batch up, as long as its events are not sent to MongoDB
 * @returns what became of each; an event that is refused stops no other, but for the account's budget of deliveries
 * Rejects when MongoDB can't keep the promise now; nothing was acknowledged then, and sending the batch again ingests
 * no event with a key twice.
 */
async function ingestBatch(deps, caller, items, signal) {
    const endpoints = await deps.endpointCache.endpointsOf(caller.accountId, caller.endpointsVersion);
    const drafts = [];
    for (const item of items)
        drafts.push(await draftOf(deps, caller, item, endpoints));
    const leaders = new Map();
    for (const draft of drafts) {
        if (!('error' in draft) && !leaders.has(draft.idempotencyKey ?? draft)) {
            leaders.set(draft.idempotencyKey ?? draft, draft);
        }
    }
    const settled = await settle(deps, [...leaders.values()], signal);
    return drafts.map((draft) => {
        if ('error' in draft)
            return draft;
        const leader = leaders.get(draft.idempotencyKey ?? draft);
        const { result, payloadHash } = settled.get(leader);
        if (draft === leader || 'error' in result)
            return result;
        return { ...result, duplicate: true, payloadMismatch: payloadHash !== draft.payloadHash };
    });
}
async function draftOf(deps, caller, item, endpoints) {
    if ('error' in item)
        return item;
    try {
        return (0, ingest_event_1.newEvent)(deps, await deps.eventIds.next(), caller, item, (0, match_destinations_1.matchDestinations)(endpoints, item));
    }
    catch (error) {
        if (error instanceof errors_1.AppError)
            return { error };
        throw error;
    }
}
/** Settles events, of which no two have one key. */
async function settle(deps, events, signal) {
    const ids = await claimIds(deps, events);
    const originals = await findOriginals(deps, events, ids);
    const isNew = (event) => !originals.has(event);
    const settled = new Map();
    const refused = await countAll(deps, events.filter(isNew));
    for (const [event, error] of refused)
        settled.set(event, { result: { error }, payloadHash: event.payloadHash });
    const fresh = events
        .filter((event) => isNew(event) && !refused.has(event))
        .map((event) => ({ event, reserved: { ...event, id: ids.get(event) ?? event.id } }));
    const inserted = await insertAll(deps, fresh.map(({ reserved }) => reserved), signal);
    for (const [event, original] of originals) {
        const payloadHash = original.payload_hash ?? null;
        settled.set(event, { result: (0, ingest_event_1.repeatOf)(original, event.payloadHash), payloadHash });
    }
    for (const [index, { event, reserved }] of fresh.entries()) {
        // From here on some of the batch are kept: what goes wrong with one of them is the answer to that one.
        const result = inserted[index]
            ? (0, ingest_event_1.accepted)(deps, reserved)
            : await settleTaken(deps, reserved).catch((error) => ({ error }));
        settled.set(event, { result, payloadHash: event.payloadHash });
    }
    return settled;
}
/**
 * Counts the deliveries of events in the account's budget, in their order.
 *
 * @returns the events that did not fit, and why
 */
async function countAll({ budget }, events) {
    const refused = new Map();
    let refusal;
    for (const event of events) {
        const { accountId, destinations } = event;
        if (!refusal) {
            await budget.take(accountId, destinations.length).catch((error) => {
                if (!(error instanceof errors_1.TooManyRequestsError))
                    throw error;
                refusal = error;
            });
        }
        if (refusal && destinations.length > 0)
            refused.set(event, refusal);
    }
    return refused;
}
/** Inserts events that were counted. Those that are not inserted count no more. */
async function insertAll({ events, budget }, list, signal) {
    let inserted = [];
    try {
        signal?.throwIfAborted();
        inserted = await events.insertAll(list);
        return inserted;
    }
    finally {
        for (const [index, { accountId, destinations }] of list.entries()) {
            if (!inserted[index])
                budget.giveBack(accountId, destinations.length);
        }
    }
}
/** The ids that the events' keys stand for; an event without a key has its own. */
async function claimIds(deps, events) {
    const keyed = events.filter(({ idempotencyKey }) => idempotencyKey !== null);
    const claims = keyed.map(({ id, idempotencyKey }) => ({ key: idempotencyKey, eventId: id }));
    const ids = await deps.idempotency.claimAll(events[0]?.accountId ?? '', claims);
    return new Map(keyed.map((event, index) => [event, ids[index]]));
}
/** Which of the events are repeats, and of what. */
async function findOriginals(deps, events, ids) {
    const claimedBefore = events.filter((event) => (ids.get(event) ?? event.id) !== event.id);
    if (claimedBefore.length === 0)
        return new Map();
    const found = await deps.events.findSummaries(claimedBefore.map((event) => ids.get(event)));
    const byId = new Map(found.map((summary) => [summary._id, summary]));
    const originals = new Map();
    for (const event of claimedBefore) {
        const original = byId.get(ids.get(event));
        // Without its event, a key was claimed by somebody who died: it is made good under that id.
        if (original)
            originals.set(event, original);
    }
    return originals;
}
/** An event whose id is taken: somebody else created it under the same key a moment ago. */
function settleTaken(deps, event) {
    return event.idempotencyKey === null ? (0, ingest_event_1.insertNew)(deps, event) : (0, ingest_event_1.repeatOfTaken)(deps, event);
}
//# sourceMappingURL=ingest-batch.js.map