"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createLeases = createLeases;
exports.takeLease = takeLease;
exports.isHeldLease = isHeldLease;
const clock_set_back_1 = require("../domain/clock-set-back");
const mongo_1 = require("./mongo");
/** A lease is renewed when a third of it is over. */
const RENEWALS_PER_LEASE = 3;
/** The leases of background work, one for each name. */
function createLeases(leases) {
    /** When leases that are held were renewed last, by this process's clock. */
    const renewals = new Map();
    return {
        /** Takes or keeps a lease. @returns whether `owner` holds it for the next `leaseMs` */
        async holdLease(name, owner, leaseMs) {
            const renewedAt = renewals.get(`${name} ${owner}`) ?? Number.NEGATIVE_INFINITY;
            if (performance.now() - renewedAt < leaseMs / RENEWALS_PER_LEASE)
                return true;
            const askedAt = performance.now();
            const isHeld = await takeLease(leases, name, owner, leaseMs);
            if (isHeld)
                renewals.set(`${name} ${owner}`, askedAt);
            return isHeld;
        },
        /** Takes a lease from its holder, whose next `holdLease` that asks MongoDB, a third of the lease later, says so. */
        seizeLease: (name, owner, leaseMs) => seizeLease(leases, name, owner, leaseMs),
    };
}
/** Takes a lease from whoever holds it. */
async function seizeLease(leases, id, owner, leaseMs) {
    const taken = { until: { $add: ['$$NOW', leaseMs] }, owner: { $literal: owner }, lease_ms: leaseMs };
    await leases.updateOne({ _id: id }, [{ $set: taken }], { upsert: true, writeConcern: mongo_1.FAST });
}
/**
 * Takes or keeps a lease. One whose end is further away than a whole lease is from before the database's clock was set back:
 * from now on it has a whole lease left.
 *
 * @returns whether `owner` holds it for the next `leaseMs`
 */
async function takeLease(leases, id, owner, leaseMs) {
    const isOver = { $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] };
    const isMine = { $or: [isOver, { $eq: ['$owner', { $literal: owner }] }] };
    const taken = {
        until: { $cond: [isMine, { $add: ['$$NOW', leaseMs] }, { $min: ['$until', wholeLeaseFromNow(leaseMs)] }] },
        owner: { $cond: [isMine, { $literal: owner }, '$owner'] },
        lease_ms: { $cond: [isMine, leaseMs, '$lease_ms'] },
    };
    const options = { upsert: true, returnDocument: 'after', writeConcern: mongo_1.FAST };
    const lease = await (0, mongo_1.upsertOnceMore)(() => leases.findOneAndUpdate({ _id: id }, [{ $set: taken }], options));
    return lease?.owner === owner;
}
/** An expression: whether somebody has a lease. Also false where its end is further away than it can be. */
function isHeldLease(leaseMs) {
    return {
        $and: [{ $gt: ['$until', '$$NOW'] }, { $lte: ['$until', { $add: [wholeLeaseFromNow(leaseMs), clock_set_back_1.SET_BACK_MS] }] }],
    };
}
/** @param leaseMs for a lease that a process of an earlier version took */
function wholeLeaseFromNow(leaseMs) {
    return { $add: ['$$NOW', { $ifNull: ['$lease_ms', leaseMs] }] };
}
//# sourceMappingURL=mongo-lease.js.map