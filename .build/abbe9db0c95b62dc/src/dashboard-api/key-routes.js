"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addKeyRoutes = addKeyRoutes;
const zod_1 = require("zod");
const operation_1 = require("../http/operation");
const read_body_1 = require("../http/read-body");
const manage_keys_1 = require("../keys/manage-keys");
const present_1 = require("./present");
const schema_1 = require("./schema");
const PATH = '/dashboard/api/keys';
/** Adds the operations on the account's API keys. */
function addKeyRoutes(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'listKeys',
        method: 'get',
        path: PATH,
        tag: 'Keys',
        summary: 'List keys',
        description: "The account's keys, newest first, revoked ones included. `calls` and `last_used_at` lag by some seconds.",
        answers: { 200: { description: 'The keys.', schema: schema_1.keyListView } },
    }, async (ctx) => {
        const keys = await (0, manage_keys_1.listKeys)(deps, ctx.state.caller.accountId);
        ctx.body = { keys: keys.reverse().map(present_1.presentOwnKey) };
    });
    (0, operation_1.addOperation)(api, {
        id: 'createKey',
        method: 'post',
        path: PATH,
        tag: 'Keys',
        summary: 'Create a key',
        description: 'The answer is the only one that shows the key. Its scopes and its expiry are for its whole life; without them it ' +
            'holds all scopes, forever.',
        body: schema_1.createKeyBody,
        answers: { 201: { description: 'The key.', schema: schema_1.createdKeyView } },
        recordsItself: true,
    }, async (ctx) => {
        const { product, label, scopes, expires_in: expiresIn } = (await (0, read_body_1.readBody)(ctx, schema_1.createKeyBody)).value;
        const { accountId, actor, address } = ctx.state.caller;
        const input = {
            accountId,
            product,
            label,
            ...(scopes && { scopes }),
            ...(expiresIn !== undefined && { expiresIn }),
        };
        const { record, key } = await (0, manage_keys_1.createKey)(deps, input, { actor, address });
        ctx.status = 201;
        ctx.body = { ...(0, present_1.presentOwnKey)(record), key };
    });
    (0, operation_1.addOperation)(api, {
        id: 'revokeKey',
        method: 'delete',
        path: `${PATH}/{key_id}`,
        tag: 'Keys',
        summary: 'Revoke a key',
        description: 'For good; every process refuses it in under a second.',
        params: { key_id: zod_1.z.string() },
        answers: { 200: { description: 'The revoked key.', schema: schema_1.keyView } },
        errors: { 404: 'The account has no such key.' },
        recordsItself: true,
    }, async (ctx) => {
        const { accountId, actor, address } = ctx.state.caller;
        const revoked = await (0, manage_keys_1.revokeKey)(deps, { id: ctx.params['key_id'] ?? '', accountId }, { actor, address });
        ctx.body = (0, present_1.presentOwnKey)(revoked);
    });
}
//# sourceMappingURL=key-routes.js.map