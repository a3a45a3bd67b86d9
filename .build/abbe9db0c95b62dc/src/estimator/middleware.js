"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createEstimatorAccess = createEstimatorAccess;
const account_suspended_1 = require("../domain/account-suspended");
const api_key_1 = require("../domain/api-key");
const errors_1 = require("../domain/errors");
const authenticate_middleware_1 = require("../keys/authenticate-middleware");
const key_cache_1 = require("../keys/key-cache");
const middleware_1 = require("../limits/middleware");
const refusals_1 = require("../limits/refusals");
const schema_1 = require("./schema");
/**
 * Admits anybody, limited by address; with `x-api-key`, limited by the key's account, whatever its product, and the
 * call is logged as the account's usage. An invalid key gets 401: otherwise its owner would not notice that it stopped
 * working.
 */
function createEstimatorAccess(deps) {
    return async (ctx, next) => {
        const key = ctx.req.headers['x-api-key'];
        if (key === undefined)
            admitAddress(deps, ctx);
        else
            await admitKey(deps, ctx, String(key));
        await next();
    };
}
function admitAddress({ anonymous, clientAddress }, ctx) {
    const { limited, view, retryAfterSeconds } = anonymous.count(clientAddress(ctx));
    (0, middleware_1.setLimitHeaders)(ctx, view);
    if (limited)
        throw (0, refusals_1.burstExceeded)(view, retryAfterSeconds);
}
async function admitKey(deps, ctx, key) {
    if (!(0, api_key_1.productOfApiKey)(key)) {
        const form = 'The header x-api-key must be a key like svc_live_weh_ and 32 hexadecimal digits, or be left out.';
        return (0, authenticate_middleware_1.refuseKey)(deps, ctx, new errors_1.UnauthorizedError(form, 'malformed_api_key'));
    }
    const record = await (0, authenticate_middleware_1.requireKey)(deps, ctx, key);
    const admission = await deps.limiter.admit(record.account_id);
    if (!admission)
        return (0, authenticate_middleware_1.refuseKey)(deps, ctx, (0, key_cache_1.unknownKey)());
    (0, middleware_1.setLimitHeaders)(ctx, admission.view);
    if (!admission.admitted && admission.reason === 'suspended')
        throw (0, account_suspended_1.accountSuspended)();
    if (!admission.admitted)
        throw (0, refusals_1.burstExceeded)(admission.view, admission.retryAfterSeconds);
    // The router also accepts a trailing slash.
    const isServed = ctx.path === schema_1.ESTIMATOR_PATH || ctx.path === `${schema_1.ESTIMATOR_PATH}/`;
    const operation = isServed ? schema_1.ESTIMATOR_OPERATIONS[ctx.method] : undefined;
    if (operation !== undefined)
        deps.usage.note(record, operation, admission.now);
}
//# sourceMappingURL=middleware.js.map