"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.MAX_SECONDS = void 0;
exports.createEventListStore = createEventListStore;
exports.positionOf = positionOf;
const mongodb_1 = require("mongodb");
const delivery_state_1 = require("../domain/delivery-state");
const errors_1 = require("../domain/errors");
const mongo_1 = require("../platform/mongo");
const event_store_1 = require("./event-store");
/** What a timestamp of MongoDB can hold: until the year 2106. */
exports.MAX_SECONDS = 0xff_ff_ff_ff;
/** About 20 ms of work. */
const MOST_LOOKED_AT = 5_000;
const IN_ORDER = { accepted_at: -1, _id: -1 };
const INDEXES = {
    all: { account_id: 1, ...IN_ORDER },
    type: { account_id: 1, type: 1, ...IN_ORDER },
    state: { account_id: 1, 'destinations.state': 1, ...IN_ORDER },
    endpoint: { account_id: 1, 'destinations.endpoint_id': 1, 'destinations.state': 1, ...IN_ORDER },
};
/** Of events with an idempotency key. */
const KEY_INDEX = { account_id: 1, idempotency_key: 1, ...IN_ORDER };
/** @param mostLookedAt only tests change it */
function createEventListStore(db, mostLookedAt = MOST_LOOKED_AT) {
    const events = db.collection(event_store_1.EVENTS_COLLECTION);
    return {
        async ensureIndexes() {
            await events.createIndexes([
                ...Object.values(INDEXES).map((key) => ({ key: { ...key } })),
                { key: KEY_INDEX, partialFilterExpression: { idempotency_key: { $gt: '' } } },
            ]);
        },
        page: (filter, range) => readPage(events, filter, range, mostLookedAt).catch(rethrow),
    };
}
async function readPage(events, filter, range, mostLookedAt) {
    const plan = await planOf(events, filter, mostLookedAt);
    const sort = range.order === 'newest first' ? { accepted_at: -1, _id: -1 } : { accepted_at: 1, _id: 1 };
    const lookAt = [{ $match: { $and: [plan.indexed, ...placesOf(filter, range)] } }, { $sort: sort }];
    const options = { hint: plan.hint };
    const found = await events
        .aggregate([
        ...lookAt,
        ...(plan.rest.length > 0 ? [{ $limit: mostLookedAt }, { $match: { $and: plan.rest } }] : []),
        { $limit: range.limit + 1 },
        { $project: LISTED },
    ], options)
        .toArray();
    const page = found.slice(0, range.limit);
    if (found.length > range.limit)
        return { events: page, next: positionOf(page.at(-1)) };
    if (plan.rest.length === 0)
        return { events: page, next: null };
    const [last] = await events
        .aggregate([...lookAt, { $skip: mostLookedAt - 1 }, { $limit: 1 }, { $project: LISTED }], options)
        .toArray();
    return { events: page, next: last ? positionOf(last) : null };
}
/** An index is led by name, so that no list reads an account through: without it there is no list. */
function rethrow(error) {
    if (!(0, mongo_1.isMissingIndex)(error))
        throw error;
    throw new errors_1.UnavailableError('This list is being prepared after an upgrade. Try again in a minute.', 'list_not_ready', LIST_RETRY_SECONDS, String(error));
}
const LIST_RETRY_SECONDS = 30;
const LISTED = { account_id: 1, type: 1, timestamp: 1, idempotency_key: 1, destinations: 1, accepted_at: 1 };
/** Where an event stands. */
function positionOf({ _id, accepted_at: acceptedAt }) {
    return { seconds: acceptedAt.t, ordinal: acceptedAt.i, eventId: _id };
}
/** The narrowest index leads. */
async function planOf(events, filter, mostLookedAt) {
    const { accountId, type, idempotencyKey } = filter;
    const account = { account_id: accountId };
    const ofType = type === undefined ? [] : [{ type: typeCondition(type) }];
    const byState = stateConditions(filter);
    if (filter.eventId !== undefined || idempotencyKey !== undefined) {
        const key = idempotencyKey === undefined ? [] : [{ idempotency_key: idempotencyKey }];
        const id = filter.eventId === undefined ? [] : [{ _id: filter.eventId }];
        const states = byState ? [byState.indexed, ...byState.rest] : [];
        const conditions = [account, ...id, ...key, ...ofType, ...states];
        return { hint: filter.eventId === undefined ? KEY_INDEX : { _id: 1 }, indexed: { $and: conditions }, rest: [] };
    }
    // The types of a prefix are many parts of the index, and no order of acceptance goes through all of them.
    const isOneType = type !== undefined && !isPrefix(type);
    if (!byState) {
        return isOneType
            ? { hint: INDEXES.type, indexed: { ...account, type }, rest: [] }
            : { hint: INDEXES.all, indexed: account, rest: ofType };
    }
    if (isOneType) {
        const most = { limit: mostLookedAt, hint: INDEXES.type };
        const isRare = (await events.countDocuments({ ...account, type }, most)) < mostLookedAt;
        const rest = [byState.indexed, ...byState.rest];
        if (isRare)
            return { hint: INDEXES.type, indexed: { ...account, type }, rest };
    }
    const hint = filter.delivery?.endpointId === undefined ? INDEXES.state : INDEXES.endpoint;
    return { hint, indexed: { ...account, ...byState.indexed }, rest: [...byState.rest, ...ofType] };
}
const isPrefix = (type) => type.endsWith('.*');
/** `order.*` is from `order.` to before `order/`, the next character. */
function typeCondition(type) {
    if (!isPrefix(type))
        return type;
    const prefix = type.slice(0, -2);
    return { $gte: `${prefix}.`, $lt: `${prefix}/` };
}
/** What the filter says about destinations; undefined when it says nothing. */
function stateConditions({ delivery, status }) {
    if (status !== undefined)
        return statusConditions(status);
    if (!delivery)
        return undefined;
    const { endpointId, states = delivery_state_1.DELIVERY_STATES, completedFrom, completedTo } = delivery;
    const indexed = { ...(endpointId !== undefined && { endpoint_id: endpointId }), state: { $in: [...states] } };
    const completed = { ...(completedFrom && { $gte: completedFrom }), ...(completedTo && { $lte: completedTo }) };
    return {
        indexed: { destinations: { $elemMatch: indexed } },
        rest: Object.keys(completed).length === 0
            ? []
            : [{ destinations: { $elemMatch: { ...indexed, completed_at: completed } } }],
    };
}
/** `eventStatus` as conditions: the state that the index is asked for, and what must hold beside it. */
function statusConditions(status) {
    const some = (...states) => ({ 'destinations.state': { $in: states } });
    const none = (...states) => ({ 'destinations.state': { $nin: states } });
    const isAnswered = { 'destinations.attempt_count': { $gt: 0 } };
    switch (status) {
        case 'no_destinations':
            return { indexed: { 'destinations.state': { $exists: false } }, rest: [] };
        case 'pending':
            return { indexed: some('pending'), rest: [{ $nor: [isAnswered] }] };
        case 'retrying':
            return { indexed: some('pending', 'retrying'), rest: [isAnswered] };
        case 'delivered':
            return { indexed: some('delivered'), rest: [none('pending', 'retrying', 'failed')] };
        case 'failed':
            return { indexed: some('failed'), rest: [none('pending', 'retrying', 'delivered', 'cancelled')] };
        case 'cancelled':
            return { indexed: some('cancelled'), rest: [none('pending', 'retrying', 'delivered', 'failed')] };
        case 'partially_failed':
            return { indexed: some('failed'), rest: [some('delivered', 'cancelled'), none('pending', 'retrying')] };
    }
}
/** The part of the order that is looked at. */
function placesOf({ after, before }, { from, order }) {
    const newestFirst = order === 'newest first';
    const bounds = [];
    if (after)
        bounds.push({ accepted_at: { $gte: startOf(after) } });
    if (before)
        bounds.push({ accepted_at: { $lt: startOf(before) } });
    if (from) {
        const acceptedAt = new mongodb_1.Timestamp({ t: from.seconds, i: from.ordinal });
        const beyond = newestFirst ? '$lt' : '$gt';
        const [up, id] = newestFirst
            ? ['$lte', from.inclusive ? '$lte' : '$lt']
            : ['$gte', from.inclusive ? '$gte' : '$gt'];
        bounds.push({ accepted_at: { [up]: acceptedAt } }, { $or: [{ accepted_at: { [beyond]: acceptedAt } }, { accepted_at: acceptedAt, _id: { [id]: from.eventId } }] });
    }
    return bounds;
}
/** The first place of the second; of a fraction of a second, the next one's. */
function startOf(date) {
    const seconds = Math.ceil(date.getTime() / 1_000);
    return new mongodb_1.Timestamp({ t: Math.min(Math.max(0, seconds), exports.MAX_SECONDS), i: 0 });
}
//# sourceMappingURL=list-events-store.js.map