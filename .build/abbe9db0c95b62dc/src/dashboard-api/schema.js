"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.endpointHealthView = exports.eventTypesView = exports.usageListView = exports.usageQuery = exports.overviewView = exports.overviewQuery = exports.accountListView = exports.accountQuery = exports.accountView = exports.auditListView = exports.auditExportQuery = exports.auditQuery = exports.createdKeyView = exports.keyListView = exports.keyView = exports.endedView = exports.sessionListView = exports.meView = exports.userView = exports.statusView = exports.tierBody = exports.createKeyBody = exports.passwordBody = exports.setupBody = exports.credentialsBody = void 0;
const zod_1 = require("zod");
const audit_actions_1 = require("../domain/audit-actions");
const api_key_1 = require("../domain/api-key");
const scopes_1 = require("../domain/scopes");
const list_query_1 = require("../http/list-query");
const time = zod_1.z.iso.datetime();
const text = (maxLength) => zod_1.z.string().max(maxLength, `must have at most ${maxLength} characters`);
/** Generous: the rules for passwords are told by another answer. */
const password = text(1_000);
const email = text(320);
exports.credentialsBody = zod_1.z.strictObject({ email, password });
exports.setupBody = zod_1.z.strictObject({ token: text(100), email, password });
exports.passwordBody = zod_1.z.strictObject({ current_password: password, new_password: password });
exports.createKeyBody = zod_1.z.strictObject({
    product: zod_1.z.enum(api_key_1.PRODUCT_PREFIXES),
    label: text(200),
    scopes: zod_1.z.array(zod_1.z.enum(scopes_1.SCOPE_NAMES, `must be one of ${scopes_1.SCOPE_NAMES.join(', ')}`)).optional(),
    /** A duration, as on the command line: `90d`. */
    expires_in: text(20).optional(),
});
exports.tierBody = zod_1.z.strictObject({ tier: text(100) });
exports.statusView = zod_1.z.object({ sign_up: zod_1.z.boolean(), setup_needed: zod_1.z.boolean() });
const tierView = zod_1.z.object({
    id: zod_1.z.string(),
    name: zod_1.z.string(),
    monthly_quota: zod_1.z.int().nullable(),
    per_minute: zod_1.z.int(),
});
exports.userView = zod_1.z.object({
    id: zod_1.z.string(),
    email: zod_1.z.string(),
    role: zod_1.z.literal('owner'),
    operator: zod_1.z.boolean(),
});
exports.meView = zod_1.z.object({
    user: exports.userView,
    account: zod_1.z.object({ id: zod_1.z.string(), email: zod_1.z.string(), tier: tierView }),
    products: zod_1.z.array(zod_1.z.object({ prefix: zod_1.z.enum(api_key_1.PRODUCT_PREFIXES), name: zod_1.z.string() })),
    temporal_ui: zod_1.z.object({ url: zod_1.z.string(), namespace: zod_1.z.string() }).nullable(),
});
exports.sessionListView = zod_1.z.object({
    sessions: zod_1.z.array(zod_1.z.object({
        id: zod_1.z.string(),
        created_at: time,
        last_seen_at: time,
        ends_at: time,
        address: zod_1.z.string(),
        user_agent: zod_1.z.string(),
        current: zod_1.z.boolean(),
    })),
});
exports.endedView = zod_1.z.object({ ended: zod_1.z.int() });
exports.keyView = zod_1.z.object({
    id: zod_1.z.string(),
    display: zod_1.z.string(),
    product: zod_1.z.enum(api_key_1.PRODUCT_PREFIXES),
    label: zod_1.z.string(),
    account_id: zod_1.z.string(),
    scopes: zod_1.z.array(zod_1.z.enum(scopes_1.SCOPE_NAMES)).readonly(),
    created_at: time,
    expires_at: time.nullable(),
    last_used_at: time.nullable(),
    revoked_at: time.nullable(),
    calls: zod_1.z.int(),
});
exports.keyListView = zod_1.z.object({ keys: zod_1.z.array(exports.keyView) });
exports.createdKeyView = exports.keyView.extend({ key: zod_1.z.string() });
const AUDIT_ACTION_RULE = 'must be an action of the audit log';
const auditFilter = {
    action: zod_1.z.enum(audit_actions_1.AUDIT_ACTIONS, AUDIT_ACTION_RULE).optional(),
    account_id: text(40).optional(),
    actor: text(320).optional().meta({ description: 'Id or name of who did it.' }),
    object: text(100).optional().meta({ description: 'Id of what it happened to.' }),
    after: list_query_1.timeParam.optional().meta({ description: 'Only what happened then or later.' }),
    before: list_query_1.timeParam.optional().meta({ description: 'Only what happened before.' }),
};
exports.auditQuery = (0, list_query_1.listQuery)(50).extend(auditFilter);
exports.auditExportQuery = zod_1.z.strictObject(auditFilter);
exports.auditListView = zod_1.z.object({
    entries: zod_1.z.array(zod_1.z.object({
        id: zod_1.z.string(),
        at: time,
        account_id: zod_1.z.string().nullable(),
        actor: zod_1.z.object({ type: zod_1.z.enum(['user', 'key', 'cli', 'system']), id: zod_1.z.string().nullable(), name: zod_1.z.string() }),
        action: zod_1.z.enum(audit_actions_1.AUDIT_ACTIONS),
        object: zod_1.z.string().nullable(),
        address: zod_1.z.string().nullable(),
        detail: zod_1.z.string().nullable(),
        changes: zod_1.z.array(zod_1.z.object({ field: zod_1.z.string(), from: zod_1.z.string().nullable(), to: zod_1.z.string().nullable() })),
    })),
    next_cursor: zod_1.z.string().nullable(),
});
exports.accountView = zod_1.z.object({
    id: zod_1.z.string(),
    email: zod_1.z.string(),
    tier: zod_1.z.string(),
    state: zod_1.z.enum(['active', 'suspended', 'being deleted']),
    created_at: time,
    quota_used: zod_1.z.int(),
});
exports.accountQuery = (0, list_query_1.listQuery)(100);
exports.accountListView = zod_1.z.object({
    accounts: zod_1.z.array(exports.accountView),
    tiers: zod_1.z.array(tierView),
    next_cursor: zod_1.z.string().nullable(),
});
const HOURS_RULE = 'must be 1, 24, 72 or 168';
exports.overviewQuery = zod_1.z.strictObject({
    hours: zod_1.z
        .enum(['1', '24', '72', '168'], HOURS_RULE)
        .default('24')
        .transform((hours) => Number(hours)),
});
const counts = { delivered: zod_1.z.int(), failed: zod_1.z.int(), cancelled: zod_1.z.int(), pending: zod_1.z.int(), retrying: zod_1.z.int() };
exports.overviewView = zod_1.z.object({
    from: time,
    to: time,
    sampled: zod_1.z.boolean(),
    hours: zod_1.z.array(zod_1.z.object({ from: time, ...counts })),
    totals: zod_1.z.object({ events: zod_1.z.int(), ...counts }),
    success_rate: zod_1.z.number().nullable(),
    latency_ms: zod_1.z.object({ p50: zod_1.z.int().nullable(), p95: zod_1.z.int().nullable(), attempts: zod_1.z.int() }),
    in_flight: zod_1.z.object({ pending: zod_1.z.int(), retrying: zod_1.z.int(), at_least: zod_1.z.boolean() }),
    limits: zod_1.z.object({
        tier: tierView,
        burst: zod_1.z.object({ limit: zod_1.z.int(), used: zod_1.z.int(), resets_at: time }),
        quota: zod_1.z.object({ limit: zod_1.z.int().nullable(), used: zod_1.z.int(), resets_at: time }),
    }),
});
const DAYS_RULE = 'must be a whole number from 1 to 400';
exports.usageQuery = zod_1.z.strictObject({
    days: zod_1.z
        .string()
        .regex(/^[0-9]{1,3}$/, DAYS_RULE)
        .default('30')
        .transform(Number),
});
exports.usageListView = zod_1.z.object({
    usage: zod_1.z.array(zod_1.z.object({
        day: zod_1.z.iso.date(),
        key_id: zod_1.z.string(),
        product: zod_1.z.enum(api_key_1.PRODUCT_PREFIXES),
        operation: zod_1.z.string(),
        calls: zod_1.z.int(),
    })),
});
exports.eventTypesView = zod_1.z.object({
    types: zod_1.z.array(zod_1.z.object({ type: zod_1.z.string(), events: zod_1.z.int(), last_at: time })),
    looked_at: zod_1.z.int(),
});
exports.endpointHealthView = zod_1.z.object({
    endpoints: zod_1.z.array(zod_1.z.object({
        endpoint_id: zod_1.z.string(),
        hours: zod_1.z.array(zod_1.z.object({ from: time, delivered: zod_1.z.int(), failed: zod_1.z.int(), open: zod_1.z.int() })),
        failure_rate: zod_1.z.number().nullable(),
    })),
});
//# sourceMappingURL=schema.js.map