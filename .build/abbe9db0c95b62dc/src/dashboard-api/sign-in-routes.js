"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addSignInRoutes = addSignInRoutes;
const operation_1 = require("../http/operation");
const read_body_1 = require("../http/read-body");
const start_session_1 = require("../users/start-session");
const claim_account_1 = require("../users/claim-account");
const device_proof_1 = require("../users/device-proof");
const sign_in_1 = require("../users/sign-in");
const sign_up_1 = require("../users/sign-up");
const cookies_1 = require("./cookies");
const present_1 = require("./present");
const schema_1 = require("./schema");
/** Room for the longest address, password and token, with every character escaped. */
const MAX_BYTES = 4 * 1_024;
const SIGNED_IN = { description: 'Signed in; the cookie is set.', schema: schema_1.userView };
const WEAK = 'The password is easy to guess, or too short.';
const TRIES = 'Too many tries from this address.';
/** Adds the operations that need no session, because they start one. */
function addSignInRoutes(api, deps) {
    addStatus(api, deps);
    addSignIn(api, deps);
    addSignUp(api, deps);
    addClaim(api, deps);
}
function clientOf(ctx, deps) {
    return { address: deps.clientAddress(ctx), userAgent: ctx.get('User-Agent') };
}
/** The session that the browser came with ends: it is another person's, or the same person's old one. */
async function answer(ctx, deps, { user, token }) {
    const old = (0, cookies_1.readSessionCookie)(ctx);
    if (old !== undefined)
        await deps.sessions.revokeByHash((0, start_session_1.hashSessionToken)(old));
    (0, cookies_1.writeSessionCookie)(ctx, token);
    (0, cookies_1.writeDeviceCookie)(ctx, (0, device_proof_1.proveDevice)(deps, user));
    ctx.body = (0, present_1.presentUser)(user);
}
function addStatus(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'getStatus',
        method: 'get',
        path: '/dashboard/api/status',
        tag: 'Entry',
        summary: 'What the sign-in page has to know',
        description: 'Whether strangers may sign up, and whether the installation still needs its operator.',
        answers: { 200: { description: 'The status.', schema: schema_1.statusView } },
    }, async (ctx) => {
        ctx.body = { sign_up: deps.signUpIsOpen, setup_needed: !(await deps.users.anyOperator()) };
    });
}
function addSignIn(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'signIn',
        method: 'post',
        path: '/dashboard/api/sign-in',
        tag: 'Entry',
        summary: 'Sign in',
        description: 'Starts a session, always under a new id.',
        body: schema_1.credentialsBody,
        answers: { 200: SIGNED_IN },
        errors: { 401: 'Wrong e-mail address or password.', 429: TRIES },
    }, async (ctx) => {
        const { value } = await (0, read_body_1.readBody)(ctx, schema_1.credentialsBody, { maxBytes: MAX_BYTES });
        const client = { ...clientOf(ctx, deps), deviceProof: (0, cookies_1.readDeviceCookie)(ctx) };
        await answer(ctx, deps, await (0, sign_in_1.signIn)(deps, value, client));
    });
}
function addSignUp(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'signUp',
        method: 'post',
        path: '/dashboard/api/sign-up',
        tag: 'Entry',
        summary: 'Create an account',
        description: 'Creates an account in the first tier, with its owner, and signs the owner in.',
        body: schema_1.credentialsBody,
        answers: { 201: SIGNED_IN },
        errors: { 403: 'Sign-up is switched off.', 409: 'The address has an account.', 422: WEAK, 429: TRIES },
    }, async (ctx) => {
        const { value } = await (0, read_body_1.readBody)(ctx, schema_1.credentialsBody, { maxBytes: MAX_BYTES });
        const signedIn = await (0, sign_up_1.signUp)(deps, value, clientOf(ctx, deps));
        ctx.status = 201;
        await answer(ctx, deps, signedIn);
    });
}
function addClaim(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'claimAccount',
        method: 'post',
        path: '/dashboard/api/setup',
        tag: 'Entry',
        summary: 'Use a set-up link',
        description: 'Makes the holder of the link the owner of its account and the operator, and signs in.',
        body: schema_1.setupBody,
        answers: { 201: SIGNED_IN },
        errors: { 404: 'The link was used or has expired.', 409: 'The address has an account.', 422: WEAK, 429: TRIES },
    }, async (ctx) => {
        const { value } = await (0, read_body_1.readBody)(ctx, schema_1.setupBody, { maxBytes: MAX_BYTES });
        const signedIn = await (0, claim_account_1.claimAccount)(deps, value, clientOf(ctx, deps));
        ctx.status = 201;
        await answer(ctx, deps, signedIn);
    });
}
//# sourceMappingURL=sign-in-routes.js.map