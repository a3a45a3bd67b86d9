"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.statsView = exports.statsQuery = exports.STATS_WINDOWS = exports.secretView = exports.endpointListView = exports.createdEndpointView = exports.endpointView = exports.endpointParams = exports.changeEndpointBody = exports.createEndpointBody = void 0;
const zod_1 = require("zod");
const delivery_state_1 = require("../domain/delivery-state");
const destination_url_1 = require("../domain/destination-url");
const event_pattern_1 = require("../domain/event-pattern");
const list_query_1 = require("../http/list-query");
const operation_1 = require("../http/operation");
const signing_secret_1 = require("../domain/signing-secret");
const examples_1 = require("./examples");
const options_schema_1 = require("./options-schema");
const MAX_PATTERNS = 50;
const MAX_DESCRIPTION_LENGTH = 500;
const eventPattern = zod_1.z
    .string()
    .refine(event_pattern_1.isEventPattern, {
    error: `must be "*", an event type or "<prefix>.*"; event types are ${event_pattern_1.EVENT_TYPE_RULE}`,
})
    .meta({
    description: 'Selects event types: `*`, `<type>` or `<prefix>.*`',
    example: 'order.*',
    pattern: event_pattern_1.EVENT_PATTERN_PATTERN,
    maxLength: event_pattern_1.MAX_EVENT_TYPE_LENGTH,
});
const url = zod_1.z.string().meta({
    description: 'Absolute HTTPS URL of a public host, without credentials and fragment; it receives the delivery POSTs.',
    example: 'https://example.com/webhooks',
    format: 'uri',
    pattern: '^[hH][tT][tT][pP][sS]://[^\\s]+$',
    maxLength: destination_url_1.MAX_DESTINATION_URL_LENGTH,
});
/** @param whenLeftOut what that does */
const events = (whenLeftOut) => zod_1.z
    .array(eventPattern)
    .min(1, `must hold at least one pattern; leave it out ${whenLeftOut}`)
    .max(MAX_PATTERNS, `must hold at most ${MAX_PATTERNS} patterns`);
const description = zod_1.z
    .string()
    .max(MAX_DESCRIPTION_LENGTH, `must have at most ${MAX_DESCRIPTION_LENGTH} characters`)
    // The database would store a replacement character for it, in silence.
    .refine((text) => !/\p{Surrogate}/u.test(text), 'must not contain half a surrogate pair');
/** The limits that Stripe's metadata have. */
const MAX_METADATA = 50;
const MAX_METADATA_NAME = 40;
const MAX_METADATA_VALUE = 500;
/** Not a record of zod's: that would drop a member named `__proto__` in silence. */
const metadata = zod_1.z
    .custom()
    .superRefine((map, context) => {
    for (const { path, message } of problemsOfMetadata(map))
        context.addIssue({ code: 'custom', path, message });
})
    .meta({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: MAX_METADATA_VALUE },
    propertyNames: { minLength: 1, maxLength: MAX_METADATA_NAME },
    maxProperties: MAX_METADATA,
    description: "The caller's own texts by name. They are shown with the endpoint, and never sent to it.",
    example: { tenant: 'acme' },
});
function problemsOfMetadata(map) {
    if (typeof map !== 'object' || map === null || Array.isArray(map))
        return [{ path: [], message: 'must be an object' }];
    const entries = Object.entries(map);
    const tooMany = { path: [], message: `must have at most ${MAX_METADATA} members` };
    return [
        ...(entries.length > MAX_METADATA ? [tooMany] : []),
        ...entries.flatMap(([name, value]) => {
            const message = problemOfMetadata(name, value);
            return message === undefined ? [] : [{ path: [name], message }];
        }),
    ];
}
function problemOfMetadata(name, value) {
    const isName = name.length >= 1 && name.length <= MAX_METADATA_NAME;
    if (!isName)
        return `must have a name of 1 to ${MAX_METADATA_NAME} characters`;
    if (typeof value !== 'string')
        return 'must be a string';
    if (value.length > MAX_METADATA_VALUE)
        return `must have at most ${MAX_METADATA_VALUE} characters`;
    return /\p{Surrogate}/u.test(name + value) ? 'must not contain half a surrogate pair' : undefined;
}
const SECRET_RULE = 'must be "whsec_" and 24 to 64 bytes in base64';
/** As Standard Webhooks has it. What is wrong with one is said without it. */
const secret = zod_1.z.string().refine(signing_secret_1.isSigningSecret, { error: SECRET_RULE }).meta({
    description: 'A signing secret that receivers know already: `whsec_` and 24 to 64 bytes in base64. Made when left out.',
    pattern: '^whsec_([A-Za-z0-9+/]{4}){8,21}([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    example: examples_1.SECRET_EXAMPLE,
});
/** Body of POST /api/v1/webhooks/endpoints. */
exports.createEndpointBody = zod_1.z
    .strictObject({
    url,
    events: events('for all events')
        .default(['*'])
        .meta({ description: 'Which events are delivered; all of them when left out.' }),
    description: description.default('').meta({ description: 'Free text.', example: 'Order service' }),
    metadata: metadata.optional(),
    options: options_schema_1.optionsBody.optional().meta({ description: 'All off when left out.' }),
    secret: secret.optional(),
    enabled: zod_1.z
        .boolean()
        .default(true)
        .meta({ description: 'With `false` it begins as `paused`: its deliveries are held until it is resumed.' }),
})
    .meta({ id: 'NewEndpoint' });
/** Body of PATCH /api/v1/webhooks/endpoints/{endpoint_id}: what is left out stays as it is. */
exports.changeEndpointBody = zod_1.z
    .strictObject({
    url: url.optional(),
    events: events('to keep the ones there are')
        .optional()
        .meta({ description: 'All patterns: they replace the ones there are.' }),
    description: description.optional().meta({ description: 'Free text.' }),
    metadata: metadata.optional(),
    options: options_schema_1.optionsBody.optional().meta({ description: 'Merged option by option; null switches one off.' }),
})
    .meta({ id: 'EndpointChange' });
/** The path of one endpoint. */
exports.endpointParams = zod_1.z.object({
    endpoint_id: zod_1.z
        .string()
        .regex(/^ep_[0-9a-z]{26}$/, 'must be an id as the API shows it')
        .meta({ description: 'The endpoint id.', example: `ep_${operation_1.EXAMPLE_ID}` }),
});
/** An endpoint as the API shows it. */
exports.endpointView = zod_1.z
    .object({
    id: zod_1.z.string().regex(/^ep_[0-9a-z]{26}$/),
    url: zod_1.z.string(),
    events: zod_1.z.array(zod_1.z.string()),
    description: zod_1.z.string(),
    metadata: zod_1.z.record(zod_1.z.string(), zod_1.z.string()).meta({ description: "The caller's own texts by name." }),
    status: zod_1.z.enum(['active', 'paused', 'disabled']).meta({ id: 'EndpointStatus' }),
    disabled_reason: zod_1.z
        .enum(['gone', 'failing'])
        .meta({ id: 'DisabledReason' })
        .optional()
        .meta({ description: 'Why it is disabled; not there otherwise.' }),
    verification: zod_1.z
        .object({
        host: zod_1.z.string(),
        state: zod_1.z.enum(['unverified', 'verified']).meta({ description: 'Deliveries wait while it is `unverified`.' }),
        asked_at: zod_1.z.iso.datetime().nullable().meta({ description: 'When the last challenge was sent.' }),
        error: zod_1.z.string().nullable().meta({ description: 'What was wrong with the last answer.' }),
    })
        .meta({ id: 'EndpointVerification' })
        .optional()
        .meta({ description: 'Whether its host wants the deliveries; not there where hosts need not be verified.' }),
    options: options_schema_1.optionsView,
    created_at: zod_1.z.iso.datetime(),
    updated_at: zod_1.z.iso.datetime(),
})
    .meta({ id: 'Endpoint' });
/** The answer of POST: the only one that shows the signing secret. */
exports.createdEndpointView = exports.endpointView
    .extend({
    secret: zod_1.z
        .string()
        .meta({ description: 'Signing secret. Keep it: receivers verify `X-Webhook-Signature` with it.' }),
})
    .meta({ id: 'CreatedEndpoint' });
/** The answer of GET /api/v1/webhooks/endpoints. */
exports.endpointListView = zod_1.z
    .object({ endpoints: zod_1.z.array(exports.endpointView), next_cursor: list_query_1.nextCursor })
    .meta({ id: 'EndpointPage' });
/** The answer of the operations on signing secrets. */
exports.secretView = zod_1.z
    .object({
    secret: zod_1.z.string().meta({ description: 'Signs `X-Webhook-Signature`.' }),
    next_secret: zod_1.z
        .string()
        .nullable()
        .meta({ description: 'While a rotation is under way: signs `X-Webhook-Signature-Next`.' }),
    next_secret_activates_at: zod_1.z.iso
        .datetime()
        .nullable()
        .meta({ description: 'When it replaces `secret`, unless it is activated earlier.' }),
})
    .meta({ id: 'SigningSecrets' });
/** Windows of the statistics, in milliseconds. */
exports.STATS_WINDOWS = { '1h': 3_600_000, '24h': 86_400_000, '7d': 604_800_000 };
const windows = Object.keys(exports.STATS_WINDOWS);
const WINDOW_RULE = `must be one of ${windows.join(', ')}`;
const statsWindow = zod_1.z.enum(windows, WINDOW_RULE).meta({ id: 'StatsWindow' });
/** Query of GET /api/v1/webhooks/endpoints/{endpoint_id}/stats. */
exports.statsQuery = zod_1.z.strictObject({
    window: statsWindow
        .default('24h')
        .meta({ description: 'Events accepted in this time until now; `24h` when left out.' }),
});
/** The answer of GET /api/v1/webhooks/endpoints/{endpoint_id}/stats. */
exports.statsView = zod_1.z
    .object({
    endpoint_id: zod_1.z.string(),
    window: statsWindow,
    since: zod_1.z.iso.datetime(),
    until: zod_1.z.iso.datetime(),
    complete: zod_1.z
        .boolean()
        .meta({ description: 'False when only the newest 10,000 deliveries of the window were counted.' }),
    deliveries: zod_1.z
        .object(Object.fromEntries(delivery_state_1.DELIVERY_STATES.map((state) => [state, zod_1.z.int()])))
        .meta({ id: 'DeliveryCounts', description: 'Deliveries by state.' }),
    success_rate: zod_1.z
        .number()
        .nullable()
        .meta({ description: 'Delivered of delivered and failed, from 0 to 1; null while there are none.' }),
    attempts: zod_1.z.object({ total: zod_1.z.int(), succeeded: zod_1.z.int(), failed: zod_1.z.int() }).meta({ id: 'AttemptCounts' }),
    latency_ms: zod_1.z
        .object({ p50: zod_1.z.number(), p95: zod_1.z.number() })
        .meta({ id: 'Latency' })
        .nullable()
        .meta({ description: 'Of answered attempts; null while there are none.' }),
})
    .meta({ id: 'EndpointStats' });
//# sourceMappingURL=schema.js.map