"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.beginningOfBacklog = beginningOfBacklog;
exports.createDueStore = createDueStore;
const mongodb_1 = require("mongodb");
const clock_set_back_1 = require("../domain/clock-set-back");
const delivery_state_1 = require("../domain/delivery-state");
const event_store_1 = require("./event-store");
/** Where that search begins. */
function beginningOfBacklog() {
    return { account: '', events: new Map() };
}
/** Accounts whose backlogs are looked at together. */
const ACCOUNTS_AT_ONCE = 20;
const NEEDED = { account_id: 1, type: 1, destinations: 1, accepted_at: 1 };
/** Finds deliveries that need a start, or somebody who looks what became of their execution. */
function createDueStore(events) {
    return {
        /**
         * Due, accepted before `before`, and claimed by no process by now, of some `limit` events: those of up to 20 accounts,
         * the same number of each, each account's oldest. `place`, which it moves, has the next call go on from there: what
         * can't be started now hides nothing behind it.
         */
        findDue: (before, at, limit, place) => findDue(events, { before, at, limit }, place),
        /**
         * Unfinished, with an execution, and next attempted after `after` and before `before`, of some `limit` events; the
         * longest overdue first.
         *
         * @returns `next`: where the next call goes on; null at the end
         */
        findOverdue: (after, before, limit) => findOverdue(events, { after, before, limit }),
    };
}
async function findDue(events, { before, at, limit }, place) {
    const { now } = at;
    const accepted = acceptedBefore(before, at);
    const accounts = await accountsWithBacklog(events, accepted, now, place);
    const each = Math.ceil(limit / accounts.length);
    const batches = accounts.map(async (account) => {
        const batch = await events
            .find({ ...due(accepted, now, place.events.get(account)), account_id: account }, { ...READ, hint: event_store_1.BACKLOG_INDEX })
            .sort({ accepted_at: 1 })
            .limit(each)
            .toArray();
        if (batch.length < each)
            place.events.delete(account);
        else
            place.events.set(account, batch.at(-1).accepted_at);
        return batch;
    });
    return dueOf((await Promise.all(batches)).flat(), (destination) => destination.dispatch === 'due' && !(0, event_store_1.isClaimed)(destination, now));
}
/** One step in the index for each: however much an account has, the next one is found at once. */
async function accountsWithBacklog(events, accepted, now, place) {
    const accounts = [];
    while (accounts.length < ACCOUNTS_AT_ONCE) {
        const next = await events.findOne({ ...due(accepted, now), account_id: { $gt: place.account } }, { ...READ, hint: event_store_1.BACKLOG_INDEX, sort: { account_id: 1, accepted_at: 1 } });
        place.account = next?.account_id ?? '';
        if (!next)
            break;
        accounts.push(next.account_id);
    }
    return accounts;
}
const NO_BOUND = new mongodb_1.Timestamp({ t: 0xffff_ffff, i: 0xffff_ffff });
/**
 * Cluster time is never behind the wall clock, so it says "before" too, and the index leaves the newest events out. But
 * after a clock that was ahead was set right it stands still until the wall clock has caught up: then only the wall
 * clock, in `timestamp`, tells. A lead below the grace that `before` leaves delays by less than that again.
 */
function acceptedBefore(before, { now, cluster }) {
    const clusterMs = cluster.t * 1_000;
    const isAhead = clusterMs - now.getTime() > now.getTime() - before.getTime();
    return {
        timestamp: Math.floor(before.getTime() / 1_000),
        acceptedAt: isAhead ? NO_BOUND : timestampOf(before),
    };
}
function due({ timestamp, acceptedAt }, now, after = new mongodb_1.Timestamp(0n)) {
    const setBack = new Date(now.getTime() + clock_set_back_1.SET_BACK_MS);
    return {
        // Named once more outside, so that the partial index is used.
        'destinations.dispatch': 'due',
        // What `isClaimed` denies.
        destinations: {
            $elemMatch: {
                dispatch: 'due',
                $or: [{ claimed_until: { $not: { $gt: now } } }, { next_attempt_at: { $gt: setBack } }],
            },
        },
        accepted_at: { $gt: after, $lt: acceptedAt },
        // One that is far to come was accepted before the clock was set back.
        $or: [{ timestamp: { $lt: timestamp } }, { timestamp: { $gt: setBack.getTime() / 1_000 } }],
    };
}
async function findOverdue(events, { after, before, limit }) {
    const range = { $gt: after, $lt: before };
    const wanted = { dispatch: 'done', state: { $in: delivery_state_1.UNFINISHED_STATES }, next_attempt_at: range };
    // In the order of the index: to sort by a field of an array would read all of them first.
    const batch = await events
        .find({ 'destinations.next_attempt_at': range, destinations: { $elemMatch: wanted } }, { ...READ, hint: event_store_1.OVERDUE_INDEX })
        .limit(limit)
        .toArray();
    const isOverdue = ({ dispatch, state, next_attempt_at: at }) => dispatch === 'done' && !(0, delivery_state_1.isFinished)(state) && at !== null && at > after && at < before;
    const last = batch
        .at(-1)
        ?.destinations.flatMap(({ next_attempt_at: at }) => (at && at > after ? [at.getTime()] : []));
    return {
        found: dueOf(batch, isOverdue),
        next: last && batch.length === limit ? new Date(Math.min(...last)) : null,
    };
}
/** Majority reads: what a rollback would take away was never promised. */
const READ = { projection: NEEDED, readConcern: { level: 'majority' } };
function timestampOf(date) {
    return new mongodb_1.Timestamp({ t: Math.floor(date.getTime() / 1_000), i: 0 });
}
function dueOf(found, isDue) {
    return found.flatMap((event) => event.destinations.filter(isDue).map((destination) => ({ event, destination })));
}
//# sourceMappingURL=due-store.js.map