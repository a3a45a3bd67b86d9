"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addTestEventRoute = addTestEventRoute;
const examples_1 = require("../endpoints/examples");
const schema_1 = require("../endpoints/schema");
const send_test_event_1 = require("./send-test-event");
const operation_1 = require("../http/operation");
const read_body_1 = require("../http/read-body");
const present_1 = require("./present");
const schema_2 = require("./schema");
/** Adds what tries an endpoint out. */
function addTestEventRoute(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'testEndpoint',
        method: 'post',
        path: '/api/v1/webhooks/endpoints/{endpoint_id}/test',
        scopes: ['events:write'],
        tag: 'Endpoints',
        summary: 'Send a test event',
        description: 'Sends an event to this endpoint only, whatever its patterns and filter: of the type `endpoint.test` and with ' +
            'a message, unless the body says otherwise. It is an event like any other: kept, signed, retried, and held ' +
            'while the endpoint is paused.',
        params: schema_1.endpointParams.shape,
        body: schema_2.testEventBody,
        bodyIsOptional: true,
        bodyExample: { type: 'order.created', data: { order_id: 'ord_42', total: 19.99 } },
        audit: 'endpoint.tested',
        answers: {
            202: {
                description: 'Accepted.',
                schema: schema_2.ingestView,
                example: TEST_EXAMPLE,
                headers: { Location: 'Path of the event.' },
            },
        },
        errors: {
            ...examples_1.ENDPOINT_NOT_FOUND.errors,
            422: 'The type is kept for events of Everpost itself.',
        },
        errorExamples: { ...examples_1.ENDPOINT_NOT_FOUND.errorExamples, 422: schema_2.RESERVED_TYPE_EXAMPLE },
    }, async (ctx) => {
        const { endpoint_id: id = '' } = ctx.params;
        const { value, raw } = await (0, read_body_1.readOptionalBody)(ctx, schema_2.testEventBody);
        const data = value.data && raw('data');
        const result = await (0, send_test_event_1.sendTestEvent)(deps, ctx.state.caller, { id, type: value.type, data });
        ctx.status = 202;
        ctx.set('Location', `/api/v1/webhooks/events/${result.id}`);
        ctx.body = (0, present_1.presentIngest)(result);
    });
}
const TEST_EXAMPLE = {
    id: 1_001,
    type: 'endpoint.test',
    timestamp: 1_795_262_400,
    duplicate: false,
    deliveries: 1,
};
//# sourceMappingURL=test-event-routes.js.map