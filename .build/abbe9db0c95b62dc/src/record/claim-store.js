"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.claimLeaseMs = claimLeaseMs;
exports.createClaimStore = createClaimStore;
const mongodb_1 = require("mongodb");
const clock_set_back_1 = require("../domain/clock-set-back");
const mongo_1 = require("../platform/mongo");
const write_groups_1 = require("../platform/write-groups");
const attempt_store_1 = require("./attempt-store");
/** Margin to write an answer down, beyond the longest time that the receiver may take. */
const WRITE_DOWN_MS = 10_000;
/** How long a claim keeps others away: longer than any attempt that may take `timeoutMs`. */
function claimLeaseMs(timeoutMs) {
    return timeoutMs + WRITE_DOWN_MS;
}
/** @param leaseMs how long a claim of this process lasts (`claimLeaseMs`) */
function createClaimStore(attempts, leaseMs) {
    const claims = groupedClaims(attempts, leaseMs);
    return {
        async claim(input, owner) {
            // Nearly always the attempt is new, and an insert is the cheapest claim there is.
            if (await claims.add({ input, owner }))
                return { kind: 'claimed' };
            return claimAgain(attempts, { input, owner }, leaseMs);
        },
        async isUnderWay(attempt) {
            const isClaimed = {
                _id: (0, attempt_store_1.attemptId)(attempt),
                answer: { $exists: false },
                $expr: {
                    $and: [
                        { $gt: [CLAIMED_UNTIL, '$$NOW'] },
                        { $lte: [CLAIMED_UNTIL, { $add: [LONGEST_FROM_NOW, clock_set_back_1.SET_BACK_MS] }] },
                    ],
                },
            };
            return (await attempts.countDocuments(isClaimed, { limit: 1 })) > 0;
        },
        async release(input, owner) {
            const filter = { _id: (0, attempt_store_1.attemptId)(input), claimed_by: owner, answer: { $exists: false } };
            await attempts.deleteOne(filter, { writeConcern: mongo_1.FAST });
        },
    };
}
/** First claims, inserted together. The result says whether the attempt was new. */
function groupedClaims(attempts, leaseMs) {
    return (0, write_groups_1.createWriteGroup)((claims) => (0, mongo_1.insertAllNew)(attempts, claims.map(({ input, owner }) => ({
        _id: (0, attempt_store_1.attemptId)(input),
        event_id: input.eventId,
        endpoint_id: input.endpointId,
        run: input.run,
        number: input.number,
        trigger: input.trigger,
        claimed_by: owner,
        // The server replaces an empty top-level timestamp by its own clock.
        claimed_at: new mongodb_1.Timestamp({ t: 0, i: 0 }),
        lease_ms: leaseMs,
    })), mongo_1.FAST), { maxItems: 200, maxInFlight: 2 });
}
/**
 * Claims an attempt that somebody claimed before: our own again, or one whose lease is over. From now on somebody else's
 * lease has an end on the wall clock, `$$NOW`, which is at most a whole lease away.
 */
async function claimAgain(attempts, { input, owner }, leaseMs) {
    const isOurs = { $eq: ['$claimed_by', { $literal: owner }] };
    const isOver = { $lte: [CLAIMED_UNTIL, '$$NOW'] };
    const isFree = { $and: [{ $not: ['$answer'] }, { $or: [isOurs, isOver] }] };
    const attempt = await attempts.findOneAndUpdate({ _id: (0, attempt_store_1.attemptId)(input) }, [
        {
            $set: {
                claimed_by: { $cond: [isFree, { $literal: owner }, '$claimed_by'] },
                lease_until: { $cond: [isFree, { $add: ['$$NOW', leaseMs] }, { $min: [CLAIMED_UNTIL, LONGEST_FROM_NOW] }] },
                lease_ms: { $cond: [isFree, leaseMs, '$lease_ms'] },
            },
        },
    ], {
        returnDocument: 'after',
        writeConcern: mongo_1.FAST,
        projection: { answer: 1, claimed_by: 1, left_ms: { $subtract: ['$lease_until', '$$NOW'] } },
    });
    if (attempt?.answer)
        return { kind: 'answered', answer: attempt.answer };
    if (attempt?.claimed_by === owner)
        return { kind: 'claimed' };
    // Without an attempt it was given back this moment.
    const { left_ms: leftMs } = (attempt ?? { left_ms: 0 });
    return { kind: 'taken', forMs: Math.max(leftMs, 0) };
}
/**
 * The claim's second as a date: 1970 plus so many seconds. It is cluster time, which only an insert gets from the server for
 * nothing. Cluster time is never behind the wall clock. It is ahead after a clock that was wrong was set right, and stands
 * still until the wall clock has caught up.
 */
const SECOND_OF_CLAIM = { $add: [new Date(0), { $multiply: [{ $tsSecond: '$claimed_at' }, 1_000] }] };
const LONGEST_FROM_NOW = { $add: ['$$NOW', '$lease_ms'] };
const CLAIMED_UNTIL = {
    $ifNull: ['$lease_until', { $add: [SECOND_OF_CLAIM, '$lease_ms'] }],
};
//# sourceMappingURL=claim-store.js.map