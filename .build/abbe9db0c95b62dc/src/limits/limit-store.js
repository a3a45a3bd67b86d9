"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createLimitStore = createLimitStore;
const account_store_1 = require("../accounts/account-store");
const mongo_1 = require("../platform/mongo");
const delivery_budget_store_1 = require("./delivery-budget-store");
const windows_1 = require("./windows");
/**
 * @param tiers by id; an account whose tier is not among them is limited as `free`
 * @param scope counters of different scopes know nothing of each other
 */
function createLimitStore(db, tiers, scope = 'limits') {
    const accounts = db.collection(account_store_1.ACCOUNTS_COLLECTION);
    const usageOf = ({ tier: id, endpoints_version: endpointsVersion, suspended_at: suspendedAt, deliveries, ...account }) => {
        const tier = (0, windows_1.tierOf)(tiers, id);
        const counters = account[scope];
        return {
            tier,
            endpointsVersion,
            isSuspended: suspendedAt !== undefined,
            now: counters.decided_at,
            windowStartedAt: counters.window_started_at,
            windowUsed: counters.window_used,
            quotaUsed: counters.quota_used,
            quotaResetsAt: nextMonth(counters.month),
            admitted: counters.admitted,
            deliveries: (0, delivery_budget_store_1.standingOf)(tier, counters.decided_at, deliveries),
        };
    };
    const decide = async (accountId, report, admitted) => {
        const update = [...admission(tiers, admitted, scope), ...(0, delivery_budget_store_1.reportStages)(report)];
        const after = await accounts.findOneAndUpdate({ _id: accountId }, update, {
            returnDocument: 'after',
            projection: { tier: 1, endpoints_version: 1, suspended_at: 1, deliveries: 1, [scope]: 1 },
            writeConcern: mongo_1.FAST,
        });
        return after && usageOf(after);
    };
    return {
        admit: (accountId, calls, report) => decide(accountId, report, (room) => ({ $max: [0, { $min: [calls, room] }] })),
        admitWhole: (accountId, calls, report) => decide(accountId, report, (room) => ({ $cond: [{ $lte: [calls, room] }, calls, 0] })),
        async read(accountId) {
            const pipeline = [{ $match: { _id: accountId } }, ...admission(tiers, () => ({ $literal: 0 }), scope)];
            const [account] = await accounts.aggregate(pipeline).toArray();
            return account ? usageOf(account) : null;
        },
        async refund(accountId, refunds) {
            // Of the month that it is: earlier ones count no more.
            const month = Math.max(...refunds.map(({ admittedAt }) => startOfMonth(admittedAt)));
            const calls = refunds
                .filter(({ admittedAt }) => startOfMonth(admittedAt) === month)
                .reduce((sum, refund) => sum + refund.calls, 0);
            await accounts.updateOne({ _id: accountId, [`${scope}.month`]: new Date(month), [`${scope}.quota_used`]: { $gte: calls } }, { $inc: { [`${scope}.quota_used`]: -calls } }, { writeConcern: mongo_1.FAST });
        },
    };
}
/**
 * The update that decides: reset what is over, count what fits. Only `$$NOW`, the database's clock, is asked.
 *
 * @param admitted how many calls to count, as an expression, when there is room for so many
 */
function admission(tiers, admitted, scope) {
    const counter = (name) => `$${scope}.${name}`;
    const isOver = (0, windows_1.windowIsOver)(counter('window_started_at'));
    const month = { $dateTrunc: { date: '$$NOW', unit: 'month' } };
    const room = {
        $min: [
            { $subtract: [(0, windows_1.byTier)(tiers, ({ perMinute }) => perMinute), counter('window_used')] },
            {
                $subtract: [
                    (0, windows_1.byTier)(tiers, ({ monthlyQuota }) => monthlyQuota ?? Number.MAX_SAFE_INTEGER),
                    counter('quota_used'),
                ],
            },
        ],
    };
    return [
        {
            $set: {
                [scope]: {
                    decided_at: '$$NOW',
                    window_started_at: { $cond: [isOver, '$$NOW', counter('window_started_at')] },
                    window_used: { $cond: [isOver, 0, counter('window_used')] },
                    quota_used: { $cond: [{ $eq: [counter('month'), month] }, counter('quota_used'), 0] },
                    month,
                },
            },
        },
        { $set: { [`${scope}.admitted`]: { $cond: [{ $gt: ['$suspended_at', null] }, 0, admitted(room)] } } },
        {
            $set: {
                [`${scope}.window_used`]: { $add: [counter('window_used'), counter('admitted')] },
                [`${scope}.quota_used`]: { $add: [counter('quota_used'), counter('admitted')] },
            },
        },
    ];
}
function startOfMonth(date) {
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}
function nextMonth(date) {
    return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1));
}
//# sourceMappingURL=limit-store.js.map