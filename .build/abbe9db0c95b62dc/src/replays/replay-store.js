"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createReplayStore = createReplayStore;
const clock_set_back_1 = require("../domain/clock-set-back");
const mongo_1 = require("../platform/mongo");
/** Not finished, or with a page that is not counted yet. */
const IS_DUE = { due_at: { $type: 'date' } };
const INDEXES = [
    { key: { account_id: 1, created_at: -1, _id: -1 } },
    { key: { expires_at: 1 }, expireAfterSeconds: 0 },
    { key: { due_at: 1 }, partialFilterExpression: IS_DUE },
];
/** @param retentionMs how long a job is kept after its end */
function createReplayStore(db, retentionMs) {
    const jobs = db.collection('replays');
    const change = (filter, update) => jobs.findOneAndUpdate(filter, update, { returnDocument: 'after', writeConcern: mongo_1.DURABLE });
    return {
        async ensureIndexes() {
            await jobs.createIndexes(INDEXES);
        },
        insert: async (job) => void (await jobs.insertOne(job, { writeConcern: mongo_1.DURABLE })),
        find: (id) => jobs.findOne({ _id: id }),
        page: (accountId, limit, after) => jobs
            .find({
            account_id: accountId,
            ...(after && {
                $or: [{ created_at: { $lt: after.createdAt } }, { created_at: after.createdAt, _id: { $lt: after.id } }],
            }),
        })
            .sort({ created_at: -1, _id: -1 })
            .limit(limit)
            .toArray(),
        countRunning: (accountId) => jobs.countDocuments({ account_id: accountId, state: 'running' }),
        claim: (owner, leaseMs) => jobs.findOneAndUpdate({
            ...IS_DUE,
            $expr: {
                $or: [{ $lte: ['$due_at', '$$NOW'] }, { $gt: ['$due_at', { $add: ['$$NOW', leaseMs + clock_set_back_1.SET_BACK_MS] }] }],
            },
        }, [{ $set: { claimed_by: { $literal: owner }, due_at: { $add: ['$$NOW', leaseMs] } } }], { sort: { due_at: 1 }, returnDocument: 'after', writeConcern: mongo_1.FAST }),
        keep: (id, owner, leaseMs) => jobs.findOneAndUpdate({ _id: id, claimed_by: owner }, [{ $set: { due_at: { $add: ['$$NOW', leaseMs] } } }], {
            returnDocument: 'after',
            writeConcern: mongo_1.FAST,
        }),
        async letGo(id, owner) {
            const dueAt = { $cond: [{ $eq: ['$state', 'running'] }, '$$NOW', null] };
            await jobs.updateOne({ _id: id, claimed_by: owner }, [{ $set: { claimed_by: null, due_at: dueAt } }]);
        },
        async setMatched(id, matched) {
            await jobs.updateOne({ _id: id, matched: null }, { $set: { matched } });
        },
        async beginPage({ _id, pages }, page) {
            return (await change({ _id, pages, page: null, state: 'running' }, { $set: { page } })) !== null;
        },
        async endPage({ _id, pages, page, position }, { replayed, skipped }) {
            const next = page?.next ?? null;
            await change({ _id, pages, page: { $ne: null } }, {
                $set: { page: null, position: next ?? position, is_exhausted: next === null },
                $inc: { pages: 1, replayed, skipped },
            });
        },
        async end(id, state) {
            return (await change({ _id: id, state: 'running' }, endUpdate(state, retentionMs))) !== null;
        },
        async cancelAllOf(accountId, session) {
            const running = { account_id: accountId, state: 'running' };
            await jobs.updateMany(running, endUpdate('cancelled', retentionMs), { session });
        },
    };
}
function endUpdate(state, retentionMs) {
    // What left the job's set meanwhile, because somebody replayed it by hand, say, was skipped as well.
    const left = { $subtract: [{ $ifNull: ['$matched', 0] }, '$replayed'] };
    const skipped = state === 'completed' ? { $max: [0, left] } : '$skipped';
    const expiresAt = { $add: ['$$NOW', retentionMs] };
    return [{ $set: { state, skipped, finished_at: '$$NOW', expires_at: expiresAt } }];
}
//# sourceMappingURL=replay-store.js.map