"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addSecretRoutes = addSecretRoutes;
const operation_1 = require("../http/operation");
const examples_1 = require("./examples");
const present_1 = require("./present");
const rotate_secret_1 = require("./rotate-secret");
const schema_1 = require("./schema");
const PATH = '/api/v1/webhooks/endpoints/{endpoint_id}/secret';
const SETTLED_EXAMPLE = { secret: examples_1.SECRET_EXAMPLE, next_secret: null, next_secret_activates_at: null };
const ROTATING_EXAMPLE = {
    secret: examples_1.SECRET_EXAMPLE,
    next_secret: `whsec_${btoa('this-is-another-example-ok')}`,
    next_secret_activates_at: '2026-11-22T12:00:00.000Z',
};
/** Adds the operations on signing secrets. */
function addSecretRoutes(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'getSecret',
        method: 'get',
        path: PATH,
        scopes: ['secrets:read'],
        tag: 'Endpoints',
        summary: "Get an endpoint's signing secret",
        description: 'Each call is written down in the audit log.',
        params: schema_1.endpointParams.shape,
        audit: 'secret.revealed',
        answers: { 200: { description: 'The secret.', schema: schema_1.secretView, example: SETTLED_EXAMPLE } },
        ...examples_1.ENDPOINT_NOT_FOUND,
    }, (ctx) => answer(ctx, (which) => (0, rotate_secret_1.revealSecret)(deps, which)));
    (0, operation_1.addOperation)(api, {
        id: 'rotateSecret',
        method: 'post',
        path: `${PATH}/rotate`,
        scopes: ['endpoints:write', 'secrets:read'],
        tag: 'Endpoints',
        summary: 'Begin to rotate the signing secret',
        description: 'Makes a next secret. From the next attempt on, `X-Webhook-Signature` stays on the present one, ' +
            '`X-Webhook-Signature-Next` carries the next one and `webhook-signature` both, until the next one is activated: ' +
            'by a call, or by itself after 24 hours.',
        params: schema_1.endpointParams.shape,
        recordsItself: true,
        answers: { 200: { description: 'Both secrets.', schema: schema_1.secretView, example: ROTATING_EXAMPLE } },
        errors: { ...examples_1.ENDPOINT_NOT_FOUND.errors, 409: 'A rotation is under way.' },
        errorExamples: {
            ...examples_1.ENDPOINT_NOT_FOUND.errorExamples,
            409: {
                error: 'A rotation is under way. Activate its secret first, or wait until that happens by itself.',
                code: 'rotation_under_way',
            },
        },
    }, (ctx) => answer(ctx, (which) => (0, rotate_secret_1.rotateSecret)(deps, which)));
    (0, operation_1.addOperation)(api, {
        id: 'activateSecret',
        method: 'post',
        path: `${PATH}/activate`,
        scopes: ['endpoints:write', 'secrets:read'],
        tag: 'Endpoints',
        summary: 'Activate the next signing secret',
        description: 'Ends a rotation: from the next attempt on, the next secret is the only one.',
        params: schema_1.endpointParams.shape,
        recordsItself: true,
        answers: { 200: { description: 'The secret.', schema: schema_1.secretView, example: SETTLED_EXAMPLE } },
        errors: { ...examples_1.ENDPOINT_NOT_FOUND.errors, 409: 'No rotation is under way.' },
        errorExamples: {
            ...examples_1.ENDPOINT_NOT_FOUND.errorExamples,
            409: {
                error: 'There is no next secret to activate. Begin a rotation with POST …/secret/rotate.',
                code: 'no_rotation',
            },
        },
    }, (ctx) => answer(ctx, (which) => (0, rotate_secret_1.activateSecret)(deps, which)));
}
async function answer(ctx, act) {
    const { endpoint_id: id = '' } = ctx.params;
    const secrets = await act({ ...ctx.state.caller, id });
    // A secret must not stay in anybody's cache.
    ctx.set('Cache-Control', 'no-store');
    ctx.body = (0, present_1.presentSecrets)(secrets);
}
//# sourceMappingURL=secret-routes.js.map