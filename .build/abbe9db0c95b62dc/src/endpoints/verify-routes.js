"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addVerifyRoute = addVerifyRoute;
const operation_1 = require("../http/operation");
const examples_1 = require("./examples");
const present_1 = require("./present");
const schema_1 = require("./schema");
const verify_endpoint_1 = require("./verify-endpoint");
const VERIFICATION_EXAMPLE = {
    host: 'example.com',
    state: 'verified',
    asked_at: '2026-11-21T12:00:00.000Z',
    error: null,
};
/** Adds the operation that asks an endpoint's host once more whether it wants deliveries. */
function addVerifyRoute(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'verifyEndpoint',
        method: 'post',
        path: '/api/v1/webhooks/endpoints/{endpoint_id}/verify',
        tag: 'Endpoints',
        summary: 'Ask an endpoint for its verification',
        description: 'Sends a challenge to an unverified endpoint, and waits for the answer: `verification` says what came of it. ' +
            'The challenge counts in the budget of deliveries. Nothing is sent to an endpoint that is verified, or need not be.',
        params: schema_1.endpointParams.shape,
        audit: 'endpoint.challenged',
        scopes: ['endpoints:write'],
        answers: {
            200: {
                description: 'The endpoint.',
                schema: schema_1.endpointView,
                example: { ...examples_1.ENDPOINT_EXAMPLE, verification: VERIFICATION_EXAMPLE },
            },
        },
        ...examples_1.ENDPOINT_NOT_FOUND,
    }, async (ctx) => {
        const { endpoint_id: id = '' } = ctx.params;
        const { accountId } = ctx.state.caller;
        ctx.body = (0, present_1.presentEndpoint)(deps.secretBox, await (0, verify_endpoint_1.verifyEndpoint)(deps, { accountId, id }));
    });
}
//# sourceMappingURL=verify-routes.js.map