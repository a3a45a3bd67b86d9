"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.setLimitHeaders = setLimitHeaders;
exports.limitHeaders = limitHeaders;
exports.createAdmit = createAdmit;
const account_suspended_1 = require("../domain/account-suspended");
const errors_1 = require("../domain/errors");
const refusals_1 = require("./refusals");
/** Writes the five limit headers (docs/spec.md, "Limits"). */
function setLimitHeaders(ctx, view) {
    ctx.set(limitHeaders(view));
}
/** The five limit headers. */
function limitHeaders(view) {
    return {
        'X-RateLimit-Limit': String(view.perMinute),
        'X-RateLimit-Remaining': String(view.remaining),
        'X-RateLimit-Reset': String(view.resetAtSeconds),
        'X-Quota-Used': String(view.quotaUsed),
        'X-Quota-Limit': view.quotaLimit === null ? 'unlimited' : String(view.quotaLimit),
    };
}
/** Lets a call in and counts it, or answers 429. A call that ends in 429 or 5xx all the same is taken back from the quota. */
function createAdmit(deps) {
    return async (ctx, next) => {
        if (deps.countsItself(ctx))
            return admitLater(deps, ctx, next);
        letIn(deps, ctx, 1, await deps.limiter.admit(ctx.state.key.account_id));
        return next();
    };
}
/**
 * The operation says how many calls the request is, once it has read it. Whoever has no call left is refused before,
 * and a request that fails before it could say so is one call.
 */
async function admitLater(deps, ctx, next) {
    const accountId = ctx.state.key.account_id;
    if (deps.limiter.lastKnown(accountId)?.remaining === 0)
        refuse(ctx, 1, await deps.limiter.check(accountId));
    let isCounted = false;
    ctx.state.countCalls = async (calls) => {
        const admission = await deps.limiter.admitWhole(accountId, calls);
        if (admission?.admitted === false && admission.reason !== 'suspended') {
            requireHope(admission.view, calls);
            // It was read: that is a call. Once none is left, the next one is refused unread.
            const read = await deps.limiter.admit(accountId);
            refuse(ctx, calls, read && { ...admission, view: read.view });
        }
        letIn(deps, ctx, calls, admission);
        isCounted = true;
    };
    try {
        await next();
    }
    catch (error) {
        if (!isCounted && !(error instanceof errors_1.TooManyRequestsError)) {
            letIn(deps, ctx, 1, await deps.limiter.admit(accountId));
        }
        throw error;
    }
}
/** @throws UnprocessableError for so many calls at once as no window or month allows */
function requireHope({ perMinute, quotaLimit }, calls) {
    const [limit, period] = quotaLimit !== null && quotaLimit < perMinute ? [quotaLimit, 'month'] : [perMinute, 'minute'];
    if (calls <= limit)
        return;
    throw new errors_1.UnprocessableError(`${calls} events count as ${calls} calls, and your tier allows ${limit} a ${period}: send at most ${limit} in a batch.`, 'batch_exceeds_limit');
}
/** @throws TooManyRequestsError unless the calls were admitted */
function letIn({ limiter, clientAddress }, ctx, calls, admission) {
    const { endpointsVersion, now } = refuse(ctx, calls, admission);
    const { account_id: accountId, _id: id, label: name } = ctx.state.key;
    const actor = { type: 'key', id, name };
    ctx.state.caller = { accountId, actor, address: clientAddress(ctx), endpointsVersion, now };
    ctx.res.once('close', () => {
        if (ctx.res.statusCode !== 429 && ctx.res.statusCode < 500)
            return;
        limiter.refund(accountId, now, calls).catch((error) => ctx.state.log.debug({ err: error }, 'no refund'));
    });
}
/** Writes the headers. @throws TooManyRequestsError for calls that are not admitted, ForbiddenError for a suspended account */
function refuse(ctx, calls, admission) {
    if (!admission)
        throw new errors_1.UnauthorizedError('The account of this API key does not exist any more.', 'invalid_api_key');
    setLimitHeaders(ctx, admission.view);
    if (admission.admitted)
        return admission;
    if (admission.reason === 'suspended')
        throw (0, account_suspended_1.accountSuspended)();
    throw admission.reason === 'quota'
        ? (0, refusals_1.quotaExceeded)(admission.view, { ...admission, resetsAt: admission.quotaResetsAt }, calls)
        : (0, refusals_1.burstExceeded)(admission.view, admission.retryAfterSeconds, calls);
}
//# sourceMappingURL=middleware.js.map