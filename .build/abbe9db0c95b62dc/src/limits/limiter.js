"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createLimiter = createLimiter;
const lru_cache_1 = require("lru-cache");
const write_groups_1 = require("../platform/write-groups");
const delivery_ledger_1 = require("./delivery-ledger");
const windows_1 = require("./windows");
const MAX_ACCOUNTS = 10_000;
const ONE_UPDATE = { maxItems: 1_000, maxInFlight: 1 };
/**
 * Concurrent calls of one account share one update: it admits the first so many of them. That keeps one round
 * trip per call at most, and takes the write conflicts off a busy account's document. Refunds share one likewise.
 *
 * @param ledger deliveries that these updates tell of
 */
function createLimiter(store, { perf = performance, ledger = (0, delivery_ledger_1.createDeliveryLedger)(), } = {}) {
    const known = new lru_cache_1.LRUCache({ max: MAX_ACCOUNTS });
    const groups = new lru_cache_1.LRUCache({ max: MAX_ACCOUNTS });
    const refunds = new lru_cache_1.LRUCache({ max: MAX_ACCOUNTS });
    const note = (accountId, usage) => {
        known.set(accountId, { usage, at: perf.now() });
    };
    const groupOf = (accountId) => madeOnce(groups, accountId, () => (0, write_groups_1.createWriteGroup)((calls) => decide(accountId, calls.length), ONE_UPDATE));
    const refundGroupOf = (accountId) => madeOnce(refunds, accountId, () => (0, write_groups_1.createWriteGroup)((calls) => takeBack(accountId, calls), ONE_UPDATE));
    const decide = async (accountId, calls) => {
        const usage = await ledger.tellWith(accountId, (report) => store.admit(accountId, calls, report));
        if (!usage)
            return Array.from({ length: calls }, () => ({ value: null }));
        note(accountId, usage);
        return Array.from({ length: calls }, (_, index) => ({ value: admissionOf(usage, index) }));
    };
    const takeBack = async (accountId, calls) => {
        await store.refund(accountId, calls);
        return calls.map(() => ({ value: undefined }));
    };
    return {
        admit: (accountId) => groupOf(accountId).add(),
        async admitWhole(accountId, calls) {
            const usage = await ledger.tellWith(accountId, (report) => store.admitWhole(accountId, calls, report));
            if (usage)
                note(accountId, usage);
            return usage && (usage.admitted === calls ? admittance(usage, 0) : denial(usage, calls));
        },
        async check(accountId) {
            const usage = await store.read(accountId);
            return usage && (hasRoom(usage) ? admittance(usage, 0) : denial(usage, 1));
        },
        async peek(accountId) {
            const usage = await store.read(accountId);
            return usage && viewOf(usage, usage.windowUsed, usage.quotaUsed);
        },
        refund: (accountId, admittedAt, calls) => refundGroupOf(accountId).add({ admittedAt, calls }),
        lastKnown(accountId) {
            const last = known.get(accountId);
            return last && viewLater(last.usage, perf.now() - last.at);
        },
    };
}
function madeOnce(made, accountId, make) {
    const group = made.get(accountId) ?? make();
    made.set(accountId, group);
    return group;
}
/** The decision on the call that stood at `index` in its group. */
function admissionOf(usage, index) {
    return index < usage.admitted ? admittance(usage, usage.admitted - index - 1) : denial(usage, 1);
}
/** @param later how many calls of the same decision come after this one */
function admittance(usage, later) {
    const view = viewOf(usage, usage.windowUsed - later, usage.quotaUsed - later);
    return { admitted: true, view, endpointsVersion: usage.endpointsVersion, now: usage.now };
}
function denial(usage, calls) {
    const view = viewOf(usage, usage.windowUsed, usage.quotaUsed);
    if (usage.isSuspended)
        return { admitted: false, reason: 'suspended', view };
    const quotaIsSpent = view.quotaLimit !== null && view.quotaUsed + calls > view.quotaLimit;
    const waitMs = quotaIsSpent
        ? usage.quotaResetsAt.getTime() - usage.now.getTime()
        : usage.windowStartedAt.getTime() + windows_1.WINDOW_MS - usage.now.getTime();
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
    return quotaIsSpent
        ? { admitted: false, reason: 'quota', view, retryAfterSeconds, quotaResetsAt: usage.quotaResetsAt }
        : { admitted: false, reason: 'burst', view, retryAfterSeconds };
}
function hasRoom({ tier, windowUsed, quotaUsed, isSuspended }) {
    return !isSuspended && windowUsed < tier.perMinute && (tier.monthlyQuota === null || quotaUsed < tier.monthlyQuota);
}
/** Where an account stands that made no call since: a window or a month that is over has begun anew. */
function viewLater(usage, passedMs) {
    const now = usage.now.getTime() + passedMs;
    const windowIsOver = Math.abs(now - usage.windowStartedAt.getTime()) >= windows_1.WINDOW_MS;
    const monthIsOver = now >= usage.quotaResetsAt.getTime();
    return viewOf({ ...usage, windowStartedAt: windowIsOver ? new Date(now) : usage.windowStartedAt }, windowIsOver ? 0 : usage.windowUsed, monthIsOver ? 0 : usage.quotaUsed);
}
function viewOf({ tier, windowStartedAt, isSuspended }, windowUsed, quotaUsed) {
    return {
        perMinute: tier.perMinute,
        remaining: isSuspended ? 0 : Math.max(0, tier.perMinute - windowUsed),
        resetAtSeconds: Math.ceil((windowStartedAt.getTime() + windows_1.WINDOW_MS) / 1_000),
        quotaUsed,
        quotaLimit: tier.monthlyQuota,
    };
}
//# sourceMappingURL=limiter.js.map