"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.burstExceeded = burstExceeded;
exports.tooManyFailures = tooManyFailures;
exports.quotaExceeded = quotaExceeded;
exports.deliveryBudgetExceeded = deliveryBudgetExceeded;
exports.pendingBudgetExceeded = pendingBudgetExceeded;
const errors_1 = require("../domain/errors");
/** The specification's body of a burst 429. A batch can be too much for what is left. */
function burstExceeded({ perMinute, remaining }, retryAfterSeconds, calls = 1) {
    const why = calls === 1
        ? `More than ${perMinute} calls in a minute.`
        : `${calls} events count as ${calls} calls; ${remaining} of ${perMinute} are left in this minute.`;
    return new errors_1.TooManyRequestsError(`${why} Wait ${retryAfterSeconds} s, then double the wait with each try.`, 'rate_limit_exceeded', retryAfterSeconds, 
    // Of what is left, nothing is left for this: 0, as the specification says.
    { retry_after: retryAfterSeconds, remaining: 0 });
}
/** The 429 of an address that tried too many keys: the specification's body of a burst, in words of its own. */
function tooManyFailures({ perMinute }, retryAfterSeconds) {
    return new errors_1.TooManyRequestsError(`More than ${perMinute} calls without a valid API key came from this address in a minute. Wait ${retryAfterSeconds} s; ` +
        'a valid key is let in at once.', 'rate_limit_exceeded', retryAfterSeconds, { retry_after: retryAfterSeconds, remaining: 0 });
}
/** The specification's body of a spent quota. A batch can be too much for what is left. */
function quotaExceeded({ quotaLimit, quotaUsed }, { retryAfterSeconds, resetsAt }, calls = 1) {
    const why = calls === 1
        ? `The monthly quota of ${quotaLimit} calls is used up.`
        : `${calls} events count as ${calls} calls; ${(quotaLimit ?? 0) - quotaUsed} of the monthly quota of ${quotaLimit} are left.`;
    return new errors_1.TooManyRequestsError(`${why} It starts anew at ${resetsAt.toISOString()}.`, 'quota_exceeded', retryAfterSeconds, { quota_limit: quotaLimit ?? 0, quota_used: quotaUsed, reset_at: resetsAt.toISOString() });
}
/** The deliveries of the minute are used up. */
function deliveryBudgetExceeded(perMinute, { retryAfterSeconds, resetsAt }) {
    const at = resetsAt.toISOString();
    return new errors_1.TooManyRequestsError(`The budget of ${perMinute} deliveries a minute is used up: each matching endpoint, test event, retry and ` +
        `replay counts as one. It is open again at ${at}, in ${retryAfterSeconds} s.`, 'delivery_budget_exceeded', retryAfterSeconds, { retry_after: retryAfterSeconds, remaining: 0, delivery_limit: perMinute, reset_at: at });
}
/** Too many deliveries are unfinished. */
function pendingBudgetExceeded(limit, retryAfterSeconds) {
    return new errors_1.TooManyRequestsError(`The budget of ${limit} pending deliveries is used up: so many of the account's are not finished. It is open again as ` +
        `soon as some are delivered, failed or cancelled; that is looked at again in ${retryAfterSeconds} s.`, 'pending_budget_exceeded', retryAfterSeconds, { retry_after: retryAfterSeconds, remaining: 0, pending_limit: limit });
}
//# sourceMappingURL=refusals.js.map