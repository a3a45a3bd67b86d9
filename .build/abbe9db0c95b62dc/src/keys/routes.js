"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addKeyRoutes = addKeyRoutes;
const zod_1 = require("zod");
const api_key_1 = require("../domain/api-key");
const scopes_1 = require("../domain/scopes");
const operation_1 = require("../http/operation");
const manage_keys_1 = require("./manage-keys");
/** The answer of GET /api/v1/keys/self. */
const keySelfView = zod_1.z
    .object({
    product: zod_1.z.enum(api_key_1.PRODUCT_PREFIXES).meta({ id: 'Product' }),
    label: zod_1.z.string(),
    account_id: zod_1.z.string(),
    tier: zod_1.z.string(),
    scopes: zod_1.z
        .array(zod_1.z.enum(scopes_1.SCOPE_NAMES).meta({ id: 'Scope' }))
        .meta({ description: 'What it may do; empty for a key of another product.' }),
    expires_at: zod_1.z.iso.datetime().nullable().meta({ description: 'From then on it is refused; null is never.' }),
})
    .meta({ id: 'ApiKey' });
const KEY_EXAMPLE = {
    product: 'weh',
    label: 'production',
    account_id: `acc_${operation_1.EXAMPLE_ID}`,
    tier: 'free',
    scopes: ['events:write', 'events:read'],
    expires_at: '2027-02-21T12:00:00.000Z',
};
/** Adds the validity check that works with a key of any product. */
function addKeyRoutes(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'getOwnKey',
        method: 'get',
        path: '/api/v1/keys/self',
        scopes: [],
        tag: 'Keys',
        summary: 'Check a key',
        description: 'Whose key this is and what it may do. Works with a key of any product, whatever its scopes.',
        answers: { 200: { description: 'The key is valid.', schema: keySelfView, example: KEY_EXAMPLE } },
    }, async (ctx) => {
        ctx.body = await (0, manage_keys_1.describeKey)(deps, ctx.state.key);
    });
}
//# sourceMappingURL=routes.js.map