"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addSessionRoutes = addSessionRoutes;
const zod_1 = require("zod");
const api_key_1 = require("../domain/api-key");
const errors_1 = require("../domain/errors");
const operation_1 = require("../http/operation");
const read_body_1 = require("../http/read-body");
const change_password_1 = require("../users/change-password");
const device_proof_1 = require("../users/device-proof");
const cookies_1 = require("./cookies");
const present_1 = require("./present");
const require_session_1 = require("./require-session");
const schema_1 = require("./schema");
const NOTHING = { description: 'Done.' };
/** Adds the operations on one's own sign-in. */
function addSessionRoutes(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'getMe',
        method: 'get',
        path: '/dashboard/api/me',
        tag: 'Session',
        summary: 'Who is signed in',
        description: 'The user, the account with its tier, and what the pages need of the installation.',
        answers: { 200: { description: 'The user.', schema: schema_1.meView } },
    }, (ctx) => {
        const { user, account } = (0, require_session_1.sessionOf)(ctx);
        ctx.body = {
            user: (0, present_1.presentUser)(user),
            account: { ...(0, present_1.presentAccountName)(account), tier: (0, present_1.tierOf)(deps.tiers, account) },
            products: api_key_1.PRODUCT_PREFIXES.map((prefix) => ({ prefix, name: api_key_1.PRODUCTS[prefix] })),
            // It shows the executions of every account.
            temporal_ui: (user.operator && deps.temporalUi) || null,
        };
    });
    (0, operation_1.addOperation)(api, {
        id: 'signOut',
        method: 'post',
        path: '/dashboard/api/sign-out',
        tag: 'Session',
        summary: 'Sign out',
        description: 'Ends this session.',
        answers: { 204: NOTHING },
        audit: 'session.ended',
    }, async (ctx) => {
        const { session, user } = (0, require_session_1.sessionOf)(ctx);
        await deps.sessions.revoke(user._id, session._id);
        (0, cookies_1.writeSessionCookie)(ctx, null);
        ctx.status = 204;
    });
    addPasswordChange(api, deps);
    addSessionList(api, deps);
}
function addPasswordChange(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'changePassword',
        method: 'post',
        path: '/dashboard/api/password',
        tag: 'Session',
        summary: 'Change the password',
        description: 'Sets a new password and ends every other session of the user.',
        body: schema_1.passwordBody,
        recordsItself: true,
        answers: { 204: NOTHING },
        errors: {
            403: 'The current password is wrong.',
            422: 'The new password is easy to guess, or too short.',
            429: 'Too many wrong passwords.',
        },
    }, async (ctx) => {
        const { value } = await (0, read_body_1.readBody)(ctx, schema_1.passwordBody);
        const { session, user } = (0, require_session_1.sessionOf)(ctx);
        const by = {
            user,
            sessionId: session._id,
            address: ctx.state.caller.address,
            deviceProof: (0, cookies_1.readDeviceCookie)(ctx),
        };
        const passwords = { current: value.current_password, next: value.new_password };
        (0, cookies_1.writeDeviceCookie)(ctx, (0, device_proof_1.proveDevice)(deps, await (0, change_password_1.changePassword)(deps, by, passwords)));
        ctx.status = 204;
    });
}
function addSessionList(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'listSessions',
        method: 'get',
        path: '/dashboard/api/sessions',
        tag: 'Session',
        summary: 'List sessions',
        description: "The user's sessions that are not over, newest first.",
        answers: { 200: { description: 'The sessions.', schema: schema_1.sessionListView } },
    }, async (ctx) => {
        const { session: current, user } = (0, require_session_1.sessionOf)(ctx);
        const sessions = await deps.sessions.listByUser(user._id);
        ctx.body = { sessions: sessions.map((session) => (0, present_1.presentSession)(session, current._id)) };
    });
    (0, operation_1.addOperation)(api, {
        id: 'revokeSession',
        method: 'delete',
        path: '/dashboard/api/sessions/{session_id}',
        tag: 'Session',
        summary: 'End a session',
        description: 'Ends one session of the user, this one included.',
        params: { session_id: zod_1.z.string() },
        answers: { 204: NOTHING },
        errors: { 404: 'The user has no such session.' },
        audit: 'session.revoked',
    }, async (ctx) => {
        const { user } = (0, require_session_1.sessionOf)(ctx);
        if (!(await deps.sessions.revoke(user._id, ctx.params['session_id'] ?? ''))) {
            throw new errors_1.NotFoundError('There is no session with this id.', 'session_not_found');
        }
        ctx.status = 204;
    });
    (0, operation_1.addOperation)(api, {
        id: 'revokeOtherSessions',
        method: 'delete',
        path: '/dashboard/api/sessions',
        tag: 'Session',
        summary: 'End all other sessions',
        description: 'Ends every session of the user but this one.',
        answers: { 200: { description: 'How many were ended.', schema: schema_1.endedView } },
        audit: 'session.revoked',
    }, async (ctx) => {
        const { session, user } = (0, require_session_1.sessionOf)(ctx);
        ctx.body = { ended: await deps.sessions.revokeAllOf(user._id, session._id) };
    });
}
//# sourceMappingURL=session-routes.js.map