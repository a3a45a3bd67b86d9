"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.EXAMPLE_ID = void 0;
exports.addOperation = addOperation;
const zod_1 = require("zod");
const scopes_1 = require("../domain/scopes");
const errors_1 = require("../domain/errors");
const read_body_1 = require("./read-body");
/** The part after the prefix of ids that examples show. */
exports.EXAMPLE_ID = '4gq9k1m3v7z2x8c5b6n0t1r2s3';
/**
 * Serves and documents an operation in one go, so that neither can be forgotten. A key without the scopes is refused
 * before the body is read. An audited operation gets its entry in the log.
 */
function addOperation(api, operation, handler) {
    const path = api.mount ? api.mount(operation) : operation.path;
    if (path === undefined)
        return;
    const { audit: action } = operation;
    // Mounted operations are called with a session, which has no key: a person may do all that the account can.
    const scopes = api.mount ? [] : (operation.scopes ?? []);
    api.operations.push({ ...operation, path });
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    api.router[operation.method](pattern, async (ctx) => {
        ctx.state.route = pattern;
        if (scopes.length > 0)
            requireScopes(ctx.state.key, scopes);
        // Callers mean what they send: an operation refuses what it would ignore.
        if (!operation.query)
            (0, read_body_1.validate)(zod_1.z.strictObject({}), { ...ctx.query }, 'query');
        if (!operation.body && operation.method !== 'get')
            await (0, read_body_1.requireNoBody)(ctx);
        await handler(ctx);
        // Before the answer is sent: without its entry in the log nothing is answered, and no secret is revealed.
        if (action !== undefined) {
            const { accountId, actor, address } = ctx.state.caller;
            await api.audit.record({ accountId, actor, address, action, object: objectOf(ctx) });
        }
    });
}
/** Id of what an operation was about: in its path, or what it created. */
function objectOf(ctx) {
    const [named] = Object.values(ctx.params);
    const body = ctx.body;
    const id = named ?? body?.id ?? body?.job_id;
    return id === undefined ? null : String(id);
}
/** @throws ForbiddenError that names what is missing, unless the key holds all of these scopes */
function requireScopes(key, scopes) {
    const held = (0, scopes_1.scopesOf)(key);
    const missing = scopes.filter((scope) => !held.includes(scope));
    if (missing.length === 0)
        return;
    throw new errors_1.ForbiddenError(`This key lacks the scope${missing.length > 1 ? 's' : ''} ${missing.join(' and ')}. ` +
        'The scopes of a key never change: use a key that was created with what this call needs.', 'missing_scope');
}
//# sourceMappingURL=operation.js.map