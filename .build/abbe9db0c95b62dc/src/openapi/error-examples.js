"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.errorExamples = errorExamples;
const tiers_1 = require("../domain/tiers");
const account_suspended_1 = require("../domain/account-suspended");
const refusals_1 = require("../limits/refusals");
const error_mapper_1 = require("../http/error-mapper");
const operation_1 = require("../http/operation");
const REQUEST_ID = `req_${operation_1.EXAMPLE_ID}`;
/** What an error of each status looks like, for the OpenAPI document. */
const BY_STATUS = {
    401: { error: 'This API key does not exist or was revoked.', code: 'invalid_api_key' },
    404: { error: 'There is no event with this id.', code: 'event_not_found' },
    409: {
        error: 'This account has 100 endpoints, which is the limit. Remove one first.',
        code: 'endpoint_limit_reached',
    },
    413: { error: 'The body is larger than 262144 bytes (256 KiB).', code: 'payload_too_large' },
    415: { error: 'Send the body with "Content-Type: application/json".', code: 'unsupported_media_type' },
    422: invalid('url', 'The host localhost is not on the public Internet; deliveries go to public addresses only.', 'non_public_host'),
    500: { error: 'Something went wrong on our side. It is safe to try again with a back-off.', code: 'internal_error' },
};
/** The reasons of 400, by name. */
const BAD_REQUEST = {
    body: { summary: 'A field', value: { ...invalid('idempotencyKey', 'is not a known field'), request_id: REQUEST_ID } },
    parameter: {
        summary: 'A parameter',
        value: { ...invalid('limit', 'must be a whole number from 1 to 100'), request_id: REQUEST_ID },
    },
};
/** The words of 503, by name. */
const UNAVAILABLE = {
    read: { summary: 'A read', value: { error: error_mapper_1.READ_UNAVAILABLE, code: 'service_unavailable', request_id: REQUEST_ID } },
    write: {
        summary: 'A change',
        value: { error: error_mapper_1.WRITE_UNAVAILABLE, code: 'service_unavailable', request_id: REQUEST_ID },
    },
};
const FREE = tiers_1.DEFAULT_TIERS[0];
const NEXT_MINUTE = { retryAfterSeconds: 42, resetsAt: new Date('2026-11-21T12:01:00Z') };
const NEXT_MONTH = { retryAfterSeconds: 734_400, resetsAt: new Date('2026-12-01T00:00:00Z') };
const SPENT = { perMinute: FREE.perMinute, remaining: 0, quotaLimit: FREE.monthlyQuota, quotaUsed: FREE.monthlyQuota };
/** The bodies of 429, by name: what an account of the smallest tier is told. */
const TOO_MANY_REQUESTS = {
    burst: tooMany('Per-minute burst', (0, refusals_1.burstExceeded)(SPENT, NEXT_MINUTE.retryAfterSeconds)),
    quota: tooMany('Monthly quota', (0, refusals_1.quotaExceeded)(SPENT, NEXT_MONTH)),
    deliveries: tooMany('Budget of deliveries', (0, refusals_1.deliveryBudgetExceeded)(FREE.deliveriesPerMinute, NEXT_MINUTE)),
    pending: tooMany('Budget of pending deliveries', (0, refusals_1.pendingBudgetExceeded)(FREE.pendingDeliveries, 1)),
};
function tooMany(summary, { message: error, code, fields }) {
    return { summary, value: { error, code, ...fields, request_id: REQUEST_ID } };
}
/** The reasons of 403, by name. */
const FORBIDDEN = {
    product: {
        summary: 'Another product',
        value: {
            error: 'This key is not authorized for Webhook Reliability.',
            code: 'wrong_product',
            request_id: REQUEST_ID,
        },
    },
    scope: {
        summary: 'Missing scope',
        value: {
            error: 'This key lacks the scope events:write. The scopes of a key never change: use a key that was created with what ' +
                'this call needs.',
            code: 'missing_scope',
            request_id: REQUEST_ID,
        },
    },
    account: {
        summary: 'Suspended account',
        value: { error: (0, account_suspended_1.accountSuspended)().message, code: (0, account_suspended_1.accountSuspended)().code, request_id: REQUEST_ID },
    },
};
/** Where a status has several. */
const NAMED = { 400: BAD_REQUEST, 403: FORBIDDEN, 429: TOO_MANY_REQUESTS, 503: UNAVAILABLE };
/** The member of a media type that shows what an error of this status looks like: `example` or `examples`. */
function errorExamples(status, own) {
    if (own)
        return { example: { ...own, request_id: REQUEST_ID } };
    const named = NAMED[status];
    if (named)
        return { examples: named };
    return { example: { ...BY_STATUS[status], request_id: REQUEST_ID } };
}
function invalid(path, message, code = 'invalid_request') {
    return { error: code === 'invalid_request' ? `"${path}" ${message}.` : message, code, details: [{ path, message }] };
}
//# sourceMappingURL=error-examples.js.map