"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.sendTestEvent = sendTestEvent;
const accept_event_1 = require("./accept-event");
const find_endpoint_1 = require("../endpoints/find-endpoint");
/** What a test event says unless its caller says more. */
const TEST_EVENT_TYPE = 'endpoint.test';
const MESSAGE = 'A test event. Nothing happened that you would have to act on.';
/**
 * Sends a synthetic event to one endpoint, whatever its patterns and filter. It is an event like any other: kept, signed,
 * retried, and held while the endpoint is paused.
 *
 * @throws NotFoundError when the account has no such endpoint
 * @throws UnprocessableError for a type that is kept for Everpost's own events
 */
async function sendTestEvent(deps, caller, { id, type = TEST_EVENT_TYPE, data }) {
    const reserved = (0, accept_event_1.reservedType)(type);
    if (reserved)
        throw reserved;
    const endpoint = await (0, find_endpoint_1.findEndpoint)(deps, caller.accountId, id);
    const sent = data ?? Buffer.from(JSON.stringify({ endpoint_id: id, message: MESSAGE }));
    return deps.ingestTo(caller, endpoint, { type, data: sent, idempotencyKey: null });
}
//# sourceMappingURL=send-test-event.js.map