"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.optionsView = exports.AUTHORIZATION_TAKEN = exports.optionsBody = void 0;
const zod_1 = require("zod");
const retry_schedule_1 = require("../domain/retry-schedule");
const event_filter_1 = require("./event-filter");
const static_headers_1 = require("./static-headers");
/**
 * An endpoint's condition on `data`. Not a record of zod's: that would drop a member named `__proto__` in silence.
 */
const eventFilter = zod_1.z
    .custom()
    .superRefine((filter, context) => {
    for (const { path, message } of (0, event_filter_1.problemsOfFilter)(filter)) {
        context.addIssue({ code: 'custom', path: [...path], message });
    }
})
    .meta({
    type: 'object',
    additionalProperties: true,
    description: "A condition on `data` in MongoDB's query language: only events that meet it are delivered.",
    example: { total: { $gte: 100 }, 'customer.country': { $in: ['DE', 'FR'] } },
});
const MAX_DELAY_SECONDS = retry_schedule_1.MAX_DELAY_MS / 1_000;
/** Retention keeps an event until it is finished: its schedule must come to an end. */
const MAX_TOTAL_SECONDS = 30 * 86_400;
const MIN_RATE = 0.1;
const MAX_RATE = 1_000;
const DELAY_RULE = `must be a number of seconds from 0 to ${MAX_DELAY_SECONDS} (7 days)`;
const RETRY_DELAY_RULE = `must be a number of seconds from ${retry_schedule_1.LEAST_RETRY_DELAY_S} to ${MAX_DELAY_SECONDS} (7 days); only the first delay, the one before attempt 1, may be less`;
const RATE_RULE = `must be a number from ${MIN_RATE} to ${MAX_RATE}`;
const retrySchedule = zod_1.z
    .array(zod_1.z.number().min(0, DELAY_RULE).max(MAX_DELAY_SECONDS, DELAY_RULE))
    .min(1, 'must hold at least one delay: the one before attempt 1, normally 0')
    .max(retry_schedule_1.MAX_ATTEMPTS, `must hold at most ${retry_schedule_1.MAX_ATTEMPTS} delays`)
    .superRefine((delays, context) => {
    const first = delays.findIndex((delay, index) => index > 0 && delay >= 0 && delay < retry_schedule_1.LEAST_RETRY_DELAY_S);
    if (first > 0)
        context.addIssue({ code: 'custom', path: [first], message: RETRY_DELAY_RULE });
})
    .refine((delays) => delays.reduce((sum, seconds) => sum + seconds, 0) <= MAX_TOTAL_SECONDS, {
    error: 'must add up to at most 30 days',
})
    .meta({
    description: 'Delays in seconds before each attempt, the first one normally 0, the others at least 1; their number is the ' +
        'number of attempts. ' +
        'Holds for events that are accepted from now on. Off: the schedule of the installation.',
    example: [0, 10, 60, 600],
});
const maxPerSecond = zod_1.z
    .number()
    .min(MIN_RATE, RATE_RULE)
    .max(MAX_RATE, RATE_RULE)
    .meta({ description: 'Most attempts a second. What is too much waits; nothing is lost.', example: 10 });
/** Not a record of zod's: that would drop a member named `__proto__` in silence. */
const staticHeaders = zod_1.z
    .custom()
    .superRefine((headers, context) => {
    for (const { name, message } of (0, static_headers_1.problemsOfHeaders)(headers)) {
        context.addIssue({ code: 'custom', path: name === undefined ? [] : [name], message });
    }
})
    .meta({
    type: 'object',
    additionalProperties: { type: 'string' },
    minProperties: 1,
    maxProperties: static_headers_1.MAX_HEADERS,
    description: 'Headers that every delivery carries beside its own. Names and values follow RFC 9110; those that HTTP or ' +
        'Everpost sets are refused: `content-*`, `host`, `connection`, `transfer-encoding`, `user-agent`, `webhook-*`, ' +
        '`x-webhook-*` and the like.',
    example: { 'X-Tenant': 'blue' },
});
const CREDENTIAL_RULE = 'must be 1 to 255 characters without control characters';
const credential = zod_1.z
    .string()
    .min(1, CREDENTIAL_RULE)
    .max(255, CREDENTIAL_RULE)
    .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/, CREDENTIAL_RULE)
    .refine((text) => !/\p{Surrogate}/u.test(text), 'must not contain half a surrogate pair');
const TOKEN_RULE = 'must be 1 to 2048 visible ASCII characters without spaces';
const username = credential.refine((text) => !text.includes(':'), 'must not contain ":" (RFC 7617)');
const authentication = zod_1.z
    .discriminatedUnion('type', [
    zod_1.z.strictObject({ type: zod_1.z.literal('basic'), username, password: credential }).meta({ id: 'BasicAuthentication' }),
    zod_1.z
        .strictObject({
        type: zod_1.z.literal('bearer'),
        token: zod_1.z
            .string()
            .max(2_048, TOKEN_RULE)
            .regex(/^[\u0021-\u007e]+$/, TOKEN_RULE),
    })
        .meta({ id: 'BearerAuthentication' }),
], { error: 'must be "basic" or "bearer"' })
    .meta({
    id: 'Authentication',
    description: 'Sent as `Authorization`. Password and token are sealed and never shown again.',
    example: { type: 'basic', username: 'everpost', password: 'example' },
});
const flag = (description) => zod_1.z.boolean().nullable().optional().meta({ description });
/** The options of an endpoint as callers send them: one that is left out stays as it is, null switches it off. */
exports.optionsBody = zod_1.z
    .strictObject({
    retry_schedule: retrySchedule.nullable().optional(),
    max_per_second: maxPerSecond.nullable().optional(),
    ordered: flag('One delivery at a time, in the order of the events.'),
    disable_on_gone: flag('An answer of 410 Gone disables the endpoint.'),
    honor_retry_after: flag('`Retry-After` of an answer postpones the next attempt; it never makes it earlier.'),
    headers: staticHeaders.nullable().optional(),
    authentication: authentication.nullable().optional(),
    filter: eventFilter.nullable().optional(),
})
    .superRefine(({ headers, authentication: credentials }, context) => {
    if (!headers || !credentials)
        return;
    const name = Object.keys(headers).find((candidate) => candidate.toLowerCase() === 'authorization');
    if (name === undefined)
        return;
    context.addIssue({ code: 'custom', path: ['headers', name], message: exports.AUTHORIZATION_TAKEN });
})
    .meta({ id: 'EndpointOptionsChange' });
/** What is said where both would make the header `Authorization`. */
exports.AUTHORIZATION_TAKEN = 'is set by "authentication"; use one of the two';
/** The options as the API shows them: each with its value, null or false where it is off. */
exports.optionsView = zod_1.z
    .object({
    retry_schedule: zod_1.z.array(zod_1.z.number()).nullable().meta({ description: 'Seconds before each attempt.' }),
    max_per_second: zod_1.z.number().nullable(),
    ordered: zod_1.z.boolean(),
    disable_on_gone: zod_1.z.boolean(),
    honor_retry_after: zod_1.z.boolean(),
    headers: zod_1.z.record(zod_1.z.string(), zod_1.z.string()).nullable(),
    authentication: zod_1.z
        .union([
        zod_1.z.object({ type: zod_1.z.literal('basic'), username: zod_1.z.string() }).meta({ id: 'ShownBasicAuthentication' }),
        zod_1.z.object({ type: zod_1.z.literal('bearer') }).meta({ id: 'ShownBearerAuthentication' }),
    ])
        .meta({ id: 'ShownAuthentication' })
        .nullable()
        .meta({ description: 'Without password and token.' }),
    filter: zod_1.z.record(zod_1.z.string(), zod_1.z.unknown()).nullable(),
})
    .meta({ id: 'EndpointOptions' });
//# sourceMappingURL=options-schema.js.map