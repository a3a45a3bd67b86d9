"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDeliveryBudgetStore = createDeliveryBudgetStore;
exports.standingOf = standingOf;
exports.reportStages = reportStages;
const account_store_1 = require("../accounts/account-store");
const mongo_1 = require("../platform/mongo");
const windows_1 = require("./windows");
const STARTED_AT = '$deliveries.window_started_at';
const USED = '$deliveries.window_used';
const GRANTED = '$deliveries.granted';
const TOTAL = { $ifNull: ['$deliveries.total', 0] };
const PENDING_AT_MOST = { $add: [TOTAL, { $ifNull: ['$deliveries.pending_base', 0] }] };
/** @param tiers by id */
function createDeliveryBudgetStore(db, tiers) {
    const accounts = db.collection(account_store_1.ACCOUNTS_COLLECTION);
    return {
        async charge(accountId, charge, report) {
            const update = [...reportStages(report), ...chargeStages(tiers, charge)];
            const account = await accounts.findOneAndUpdate({ _id: accountId }, update, {
                returnDocument: 'after',
                projection: { tier: 1, deliveries: 1 },
                writeConcern: mongo_1.FAST,
            });
            if (!account)
                return null;
            const { deliveries } = account;
            return {
                ...standingOf((0, windows_1.tierOf)(tiers, account.tier), deliveries.decided_at, deliveries),
                granted: deliveries.granted,
            };
        },
    };
}
/** Where an account with these counters stands. */
function standingOf(tier, now, counters) {
    const isOpen = counters !== undefined && now.getTime() - counters.window_started_at.getTime() < windows_1.WINDOW_MS;
    return {
        perMinute: tier.deliveriesPerMinute,
        now,
        windowStartedAt: isOpen ? counters.window_started_at : null,
        used: isOpen ? counters.window_used : 0,
        pendingLimit: tier.pendingDeliveries,
        pendingAtMost: (counters?.total ?? 0) + (counters?.pending_base ?? 0),
        countAgainAt: counters?.count_again_at && counters.count_again_at > now ? counters.count_again_at : null,
    };
}
/** The stages of an update that count what a process tells of. */
function reportStages(report) {
    if (!report)
        return [];
    const { windowStartedAt, count } = report;
    const isOver = (0, windows_1.windowIsOver)(STARTED_AT);
    const counted = { $cond: [(0, windows_1.windowIsOver)(windowStartedAt), 0, count] };
    return [
        {
            $set: {
                deliveries: {
                    window_started_at: { $cond: [isOver, windowStartedAt, STARTED_AT] },
                    window_used: { $max: [0, { $add: [{ $cond: [isOver, 0, USED] }, counted] }] },
                    total: { $add: [TOTAL, count] },
                },
            },
        },
    ];
}
function chargeStages(tiers, { count, of, areNew }) {
    const isOver = (0, windows_1.windowIsOver)(STARTED_AT);
    const budget = (0, windows_1.byTier)(tiers, ({ deliveriesPerMinute }) => deliveriesPerMinute);
    const granted = of === 'whole'
        ? { $cond: [{ $lt: [USED, budget] }, count, 0] }
        : {
            $max: [0, { $min: [count, { $subtract: [(0, windows_1.byTier)(tiers, (tier) => shareOf(tier, of.sharePercent)), USED] }] }],
        };
    const pendingLimit = (0, windows_1.byTier)(tiers, ({ pendingDeliveries }) => pendingDeliveries ?? Number.MAX_SAFE_INTEGER);
    const mayBegin = areNew ? { $lt: [PENDING_AT_MOST, pendingLimit] } : true;
    return [
        {
            $set: {
                deliveries: {
                    decided_at: '$$NOW',
                    window_started_at: { $cond: [isOver, '$$NOW', STARTED_AT] },
                    window_used: { $cond: [isOver, 0, USED] },
                },
            },
        },
        { $set: { 'deliveries.granted': { $cond: [mayBegin, granted, 0] } } },
        { $set: { deliveries: { window_used: { $add: [USED, GRANTED] }, total: { $add: [TOTAL, GRANTED] } } } },
    ];
}
/** At least one: a share of a budget of 1 would be none. */
function shareOf({ deliveriesPerMinute }, percent) {
    return Math.max(1, Math.floor((deliveriesPerMinute * percent) / 100));
}
//# sourceMappingURL=delivery-budget-store.js.map