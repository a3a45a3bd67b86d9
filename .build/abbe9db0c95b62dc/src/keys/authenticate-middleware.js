"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createAuthenticate = createAuthenticate;
exports.requireKey = requireKey;
exports.refuseKey = refuseKey;
const api_key_1 = require("../domain/api-key");
const errors_1 = require("../domain/errors");
const middleware_1 = require("../limits/middleware");
const refusals_1 = require("../limits/refusals");
/**
 * Finds the key of `Authorization: Bearer <key>` (RFC 6750): 401 when it is missing, malformed, unknown, revoked or
 * expired; 403 when it is another product's; the message names the product it is not authorised for.
 */
function createAuthenticate(deps) {
    return async (ctx, next) => {
        const header = ctx.get('Authorization');
        if (header === '') {
            const how = 'Send your API key in the header "Authorization: Bearer <API_KEY>".';
            return refuseKey(deps, ctx, new errors_1.UnauthorizedError(how, 'missing_api_key'));
        }
        const key = /^Bearer +(\S+)$/i.exec(header)?.[1];
        if (key === undefined || !(0, api_key_1.productOfApiKey)(key)) {
            const form = 'The header must be "Authorization: Bearer <API_KEY>", with a key like svc_live_weh_ and 32 hexadecimal digits.';
            return refuseKey(deps, ctx, new errors_1.UnauthorizedError(form, 'malformed_api_key'));
        }
        const record = await requireKey(deps, ctx, key);
        const product = (0, api_key_1.productOfPath)(ctx.path);
        if (product !== undefined && record.product !== product) {
            const view = await deps.limiter.peek(record.account_id);
            if (view)
                (0, middleware_1.setLimitHeaders)(ctx, view);
            throw new errors_1.ForbiddenError(`This key is not authorized for ${api_key_1.PRODUCTS[product]}.`, 'wrong_product');
        }
        await next();
    };
}
/**
 * Finds the key of a request, and makes it the request's.
 *
 * @throws UnauthorizedError for an unknown, revoked or expired one
 */
async function requireKey(deps, ctx, key) {
    const account = deps.keys.lastKnownAccount(key);
    // While MongoDB is away, the 503 still carries limit headers: the last ones that were known.
    (0, middleware_1.setLimitHeaders)(ctx, (account && deps.limiter.lastKnown(account)) || deps.authFailures.peek(deps.clientAddress(ctx)));
    const found = await deps.keys.find(key);
    if ('error' in found)
        return refuseKey(deps, ctx, found.error);
    const { record } = found;
    ctx.state.key = record;
    ctx.state.identify({ account_id: record.account_id, key_id: record._id });
    return record;
}
/** Counts a failure of the client's address. @throws the error, or TooManyRequestsError after too many failures */
function refuseKey(deps, ctx, error) {
    const { view, limited, retryAfterSeconds } = deps.authFailures.count(deps.clientAddress(ctx));
    (0, middleware_1.setLimitHeaders)(ctx, view);
    throw limited ? (0, refusals_1.tooManyFailures)(view, retryAfterSeconds) : error;
}
//# sourceMappingURL=authenticate-middleware.js.map