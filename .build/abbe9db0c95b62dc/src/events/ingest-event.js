"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.ingestEvent = ingestEvent;
exports.ingestTo = ingestTo;
exports.newEvent = newEvent;
exports.insertNew = insertNew;
exports.repeatOfTaken = repeatOfTaken;
exports.repeatOf = repeatOf;
exports.accepted = accepted;
const node_crypto_1 = require("node:crypto");
const start_delivery_1 = require("../dispatch/start-delivery");
const retry_schedule_1 = require("../domain/retry-schedule");
const ingest_room_1 = require("./ingest-room");
const match_destinations_1 = require("./match-destinations");
const event_store_1 = require("../record/event-store");
/**
 * Accepts an event: matches its destinations, and writes the event with all of them in one durable insert.
 * When this resolves the event is kept, whatever is killed next.
 *
 * A repeat inside the idempotency window resolves to the original; exactly one of any number of concurrent calls
 * with one key creates the event. A call that finds the record of a key without its event (the process died
 * between the two) creates the event under the recorded id.
 *
 * Rejects when MongoDB can't keep the promise now; nothing was acknowledged then.
 *
 * @param signal gives the event up, as long as it is not sent to MongoDB
 * @throws TooManyRequestsError for a new event when the account's deliveries of the minute are used up
 */
async function ingestEvent(deps, caller, input, signal) {
    const endpoints = await deps.endpointCache.endpointsOf(caller.accountId, caller.endpointsVersion);
    const matching = (0, match_destinations_1.matchDestinations)(endpoints, input);
    const event = newEvent(deps, await deps.eventIds.next(), caller, input, matching);
    if (input.idempotencyKey === null)
        return counted(deps, event, deps.budget.take, () => insertNew(deps, event, signal));
    return ingestOnce(deps, event, input.idempotencyKey, signal);
}
/**
 * Accepts an event for one endpoint of the caller's, whatever it matches.
 *
 * @throws TooManyRequestsError when the account's deliveries of the minute are used up
 */
async function ingestTo(deps, caller, endpoint, input) {
    const event = newEvent(deps, await deps.eventIds.next(), caller, input, [endpoint]);
    return counted(deps, event, deps.budget.takeNow, () => insertNew(deps, event));
}
/** An event with a destination for each endpoint, before anything is promised. */
function newEvent({ dispatcher }, id, caller, input, endpoints) {
    const destinations = endpoints.map((endpoint) => ({
        endpoint_id: endpoint._id,
        url: endpoint.url,
        state: 'pending',
        attempt_count: 0,
        completed_at: null,
        run: 1,
        ...promisedSchedule(endpoint),
        ...dispatcher.placeFor(endpoint, caller.now),
    }));
    return {
        id,
        accountId: caller.accountId,
        type: input.type,
        data: input.data,
        timestamp: Math.floor(caller.now.getTime() / 1_000),
        idempotencyKey: input.idempotencyKey,
        payloadHash: input.idempotencyKey === null ? null : hashPayload(input),
        destinations,
        endpoints,
        now: caller.now,
    };
}
/** An own schedule is part of the promise: a later change of the endpoint holds for later events. */
function promisedSchedule({ options }) {
    return options?.retry_schedule && { schedule_ms: (0, retry_schedule_1.ownSchedule)(options.retry_schedule) };
}
/** Inserts an event that no idempotency key stands for. */
async function insertNew(deps, event, signal) {
    let created = event;
    // Ids are never given twice; the unique index is the backstop should that ever be wrong.
    while (!(await deps.events.insert(created, signal)))
        created = { ...event, id: await deps.eventIds.next() };
    return accepted(deps, created);
}
async function ingestOnce(deps, fresh, key, signal) {
    const id = await deps.idempotency.claim(fresh.accountId, key, fresh.id, signal);
    const event = { ...fresh, id };
    const earlier = id === fresh.id ? null : await deps.events.findSummary(id);
    if (earlier)
        return repeatOf(earlier, event.payloadHash);
    // Refused here, the event is made good under the recorded id by the next call with its key.
    return counted(deps, event, deps.budget.take, async () => 
    // 202 only if this very insert created the event.
    (await deps.events.insert(event, signal)) ? accepted(deps, event) : repeatOfTaken(deps, event));
}
/** Creates an event within the account's budget of deliveries. One that was not created is not counted. */
async function counted({ budget }, { accountId, destinations }, take, create) {
    await take(accountId, destinations.length);
    let isCreated = false;
    try {
        const result = await create();
        isCreated = !result.duplicate;
        return result;
    }
    finally {
        if (!isCreated)
            budget.giveBack(accountId, destinations.length);
    }
}
/**
 * The original of an event whose id is taken. The insert that was refused has waited for the majority to have it.
 *
 * @throws UnavailableError where a primary that was just elected does not show yet what a majority has
 */
async function repeatOfTaken(deps, event) {
    const original = await deps.events.findSummary(event.id);
    if (!original)
        throw (0, ingest_room_1.outcomeUnknown)();
    return repeatOf(original, event.payloadHash);
}
/** What a repeat is answered: the original's values. */
function repeatOf(original, payloadHash) {
    return {
        id: original._id,
        type: original.type,
        timestamp: original.timestamp,
        duplicate: true,
        deliveries: original.destinationCount,
        // Held against the event itself: which of two calls with one key created it is decided by its insert.
        payloadMismatch: original.payload_hash !== payloadHash,
    };
}
/** Tells of an event that is kept, and sends its deliveries on their way. */
function accepted(deps, event) {
    const stored = (0, event_store_1.toDocument)(event);
    for (const [index, destination] of event.destinations.entries()) {
        const delivery = { event: stored, destination };
        deps.dispatcher.dispatch({
            ...(0, start_delivery_1.startOf)(delivery, event.now),
            known: { delivery, endpoint: event.endpoints[index], isNew: true },
        });
    }
    return {
        id: event.id,
        type: event.type,
        timestamp: event.timestamp,
        duplicate: false,
        deliveries: event.destinations.length,
        payloadMismatch: false,
    };
}
/** The same for payloads that differ only in the whitespace between JSON's tokens. */
function hashPayload({ type, data }) {
    const compact = Buffer.from(data).toString().replaceAll(STRING_OR_SPACE, '$1');
    return (0, node_crypto_1.createHash)('sha256').update(type).update('\n').update(compact).digest('base64url');
}
const STRING_OR_SPACE = /("(?:[^"\\]|\\.)*")|\s+/g;
//# sourceMappingURL=ingest-event.js.map