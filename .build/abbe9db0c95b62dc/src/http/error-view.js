"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.tooManyRequestsView = exports.errorView = exports.errorCode = void 0;
const zod_1 = require("zod");
const error_codes_1 = require("./error-codes");
/** What went wrong, for programs. */
exports.errorCode = zod_1.z.enum(error_codes_1.ERROR_CODES).meta({
    id: 'ErrorCode',
    description: 'Stable: switch on it. A release may add codes: treat an unknown one by its status. The row `errors.md#<code>` of the ' +
        'documentation says when it comes and what to do.',
});
/** A problem of a request, and where it is. */
const errorDetail = zod_1.z.object({ path: zod_1.z.string(), message: zod_1.z.string() }).meta({ id: 'ErrorDetail' });
const common = {
    error: zod_1.z.string().meta({ description: 'A sentence that says what to do.' }),
    code: exports.errorCode,
    request_id: zod_1.z.string().meta({ description: 'The same as the header X-Request-Id; log lines carry it too.' }),
};
/** The body of every error. */
exports.errorView = zod_1.z
    .object({
    ...common,
    details: zod_1.z
        .array(errorDetail)
        .optional()
        .meta({ description: 'Each problem of the request, and where it is; the first 20.' }),
})
    .meta({ id: 'ApiError' });
/** The bodies of 429 (docs/spec.md, "Errors"), and those of the budgets of deliveries. */
exports.tooManyRequestsView = zod_1.z
    .union([
    zod_1.z
        .object({
        ...common,
        retry_after: zod_1.z.int().min(1),
        remaining: zod_1.z.literal(0),
    })
        .meta({ id: 'BurstLimitExceeded' }),
    zod_1.z
        .object({ ...common, quota_limit: zod_1.z.int().min(0), quota_used: zod_1.z.int().min(0), reset_at: zod_1.z.iso.datetime() })
        .meta({ id: 'QuotaExceeded' }),
    zod_1.z
        .object({
        ...common,
        retry_after: zod_1.z.int().min(1),
        remaining: zod_1.z.literal(0),
        delivery_limit: zod_1.z.int().min(1).meta({ description: "Deliveries a minute of the account's tier." }),
        reset_at: zod_1.z.iso.datetime().meta({ description: 'When the budget is open again.' }),
    })
        .meta({ id: 'DeliveryBudgetExceeded' }),
    zod_1.z
        .object({
        ...common,
        retry_after: zod_1.z.int().min(1),
        remaining: zod_1.z.literal(0),
        pending_limit: zod_1.z.int().min(1).meta({ description: "Unfinished deliveries of the account's tier." }),
    })
        .meta({ id: 'PendingBudgetExceeded' }),
])
    .meta({ id: 'TooManyRequests' });
//# sourceMappingURL=error-view.js.map