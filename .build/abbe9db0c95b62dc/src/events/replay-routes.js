"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.addEventDeliveryRoutes = addEventDeliveryRoutes;
const event_id_1 = require("./event-id");
const schema_1 = require("./schema");
const operation_1 = require("../http/operation");
const read_body_1 = require("../http/read-body");
const examples_1 = require("../deliveries/examples");
const present_1 = require("../deliveries/present");
const replay_event_1 = require("./replay-event");
const schema_2 = require("../deliveries/schema");
/** Adds what is done with all deliveries of an event at once. */
function addEventDeliveryRoutes(api, deps) {
    (0, operation_1.addOperation)(api, {
        id: 'replayEvent',
        method: 'post',
        path: '/api/v1/webhooks/events/{event_id}/replay',
        scopes: ['deliveries:write'],
        tag: 'Events',
        summary: 'Send an event again',
        description: 'Begins a new run of each finished delivery of the event, or of those to the endpoints that are named. What is ' +
            'not finished goes on as it is, and is among `skipped`. An endpoint that the event did not go to is not sent it.',
        params: { event_id: schema_1.eventIdParam },
        body: schema_2.replayEventBody,
        bodyIsOptional: true,
        bodyExample: { endpoint_ids: [examples_1.REPLAYED_EXAMPLE.endpoint_id] },
        audit: 'event.replayed',
        answers: {
            202: {
                description: 'The deliveries that begin anew, and those that do not.',
                schema: schema_2.replayEventView,
                example: { deliveries: [examples_1.REPLAYED_EXAMPLE], skipped: [] },
            },
        },
        errors: {
            400: 'The event id is not an integer, or the body is malformed.',
            404: 'There is no such event, it is not yours, or it has no delivery to an endpoint that is named.',
            409: 'It has no delivery that can be replayed.',
        },
        errorExamples: {
            404: {
                ...examples_1.DELIVERY_NOT_FOUND,
                error: `This event has no delivery to the endpoint ${examples_1.REPLAYED_EXAMPLE.endpoint_id}.`,
            },
            409: {
                error: 'No delivery of this event can be replayed: it has none, they are not finished, or their endpoints were removed.',
                code: 'nothing_to_replay',
            },
        },
    }, async (ctx) => {
        const eventId = (0, event_id_1.parseEventId)(ctx.params['event_id']);
        const { value } = await (0, read_body_1.readOptionalBody)(ctx, schema_2.replayEventBody);
        const { replayed, skipped } = await (0, replay_event_1.replayEvent)(deps, ctx.state.caller, {
            eventId,
            endpointIds: value.endpoint_ids,
        });
        ctx.status = 202;
        ctx.body = {
            deliveries: replayed.map((it) => (0, present_1.presentDelivery)(it, deps.maxAttempts)),
            skipped: skipped.map(({ id, error }) => ({ id, code: error.code, error: error.message })),
        };
    });
}
//# sourceMappingURL=replay-routes.js.map