"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.UNCOUNTED = void 0;
exports.createDeliveryBudget = createDeliveryBudget;
const delivery_ledger_1 = require("./delivery-ledger");
const pending_store_1 = require("./pending-store");
const refusals_1 = require("./refusals");
const windows_1 = require("./windows");
/** Live events find the other half free, however much is replayed. */
const REPLAY_SHARE = { sharePercent: 50 };
const NOTHING = { count: 0, of: 'whole', areNew: false };
function createDeliveryBudget(store, pending) {
    const ledger = (0, delivery_ledger_1.createDeliveryLedger)();
    const chargeOnce = async (accountId, how) => {
        const told = await ledger.tellWith(accountId, async (report) => {
            const standing = await store.charge(accountId, how, report);
            return standing && { deliveries: standing };
        });
        return told?.deliveries;
    };
    /** Counts under way in this process, by account. */
    const counting = new Map();
    const countPending = (accountId, limit) => {
        const begun = counting.get(accountId) ??
            // What is not told yet would be counted twice: in the index now, and when it is told.
            chargeOnce(accountId, NOTHING)
                .then(() => pending.count(accountId, limit))
                .finally(() => counting.delete(accountId));
        counting.set(accountId, begun);
        return begun;
    };
    const charge = async (accountId, how) => {
        const standing = await chargeOnce(accountId, how);
        if (!standing || standing.granted > 0 || !how.areNew || !isFull(standing))
            return standing;
        const isCounted = await countPending(accountId, standing.pendingLimit).catch(() => false);
        return isCounted ? chargeOnce(accountId, how) : standing;
    };
    const takeNow = async (accountId, count) => {
        if (count === 0)
            return;
        const standing = await charge(accountId, { count, of: 'whole', areNew: true });
        if (standing?.granted === 0)
            throw isFull(standing) ? tooManyPending(standing) : exceeded(standing);
    };
    /** Before the last count says too little: so nobody has to wait for the next one. */
    const countInTime = (accountId) => {
        const { pendingLimit: limit, pendingAtMost } = ledger.pending(accountId);
        if (limit === null || pendingAtMost < limit / 2)
            return;
        countPending(accountId, limit).catch(() => undefined);
    };
    return {
        ledger,
        async take(accountId, count) {
            // The database has the last word: nobody is refused for what a process only believes.
            if (count === 0)
                return;
            countInTime(accountId);
            if (!ledger.take(accountId, count))
                await takeNow(accountId, count);
        },
        takeNow,
        async takeRetry(accountId) {
            const standing = await charge(accountId, { count: 1, of: 'whole', areNew: false });
            if (standing?.granted === 0)
                throw exceeded(standing);
        },
        async takeForReplay(accountId, most) {
            const standing = await charge(accountId, { count: most, of: REPLAY_SHARE, areNew: true });
            if (!standing)
                return { granted: most, nextInMs: 0 };
            return { granted: standing.granted, nextInMs: isFull(standing) ? untilCountOf(standing) : leftOf(standing) };
        },
        giveBack: (accountId, count) => {
            if (count > 0)
                ledger.giveBack(accountId, count);
        },
    };
}
/** For what Everpost itself or its operator sends. */
exports.UNCOUNTED = {
    take: () => Promise.resolve(),
    takeNow: () => Promise.resolve(),
    takeRetry: () => Promise.resolve(),
    giveBack: () => undefined,
};
function leftOf({ now, windowStartedAt }) {
    return (windowStartedAt ?? now).getTime() + windows_1.WINDOW_MS - now.getTime();
}
function isFull({ pendingLimit, pendingAtMost }) {
    return pendingLimit !== null && pendingAtMost >= pendingLimit;
}
function untilCountOf({ now, countAgainAt }) {
    return countAgainAt ? countAgainAt.getTime() - now.getTime() : pending_store_1.LEAST_BETWEEN_COUNTS_MS;
}
function tooManyPending(standing) {
    return (0, refusals_1.pendingBudgetExceeded)(standing.pendingLimit ?? 0, Math.max(1, Math.ceil(untilCountOf(standing) / 1_000)));
}
function exceeded(standing) {
    const waitMs = leftOf(standing);
    return (0, refusals_1.deliveryBudgetExceeded)(standing.perMinute, {
        retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)),
        resetsAt: new Date(standing.now.getTime() + waitMs),
    });
}
//# sourceMappingURL=delivery-budget.js.map