"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.presentIngest = presentIngest;
exports.presentBatch = presentBatch;
exports.presentEvent = presentEvent;
exports.presentListedEvent = presentListedEvent;
const present_1 = require("../deliveries/present");
const delivery_state_1 = require("../domain/delivery-state");
const error_mapper_1 = require("../http/error-mapper");
/** The answer of an ingest. */
function presentIngest(result) {
    return {
        id: result.id,
        type: result.type,
        timestamp: result.timestamp,
        duplicate: result.duplicate,
        deliveries: result.deliveries,
        ...(result.payloadMismatch && { payload_mismatch: true }),
    };
}
/** The answer of a batch. */
function presentBatch(results) {
    return {
        results: results.map((result) => 'error' in result
            ? (0, error_mapper_1.answerOf)(result.error)
            : { status: result.duplicate ? 200 : 202, ...presentIngest(result) }),
    };
}
/**
 * An event with its deliveries, as JSON text.
 * It is put together by hand so that `data` is shown with the very bytes that were sent.
 */
function presentEvent({ event, attempts }, maxAttempts) {
    const deliveries = event.destinations.map((destination) => {
        const own = attempts.filter(({ endpoint_id }) => endpoint_id === destination.endpoint_id);
        return (0, present_1.presentDeliveryOfEvent)(event._id, destination, own, maxAttempts);
    });
    const before = JSON.stringify({ id: event._id, type: event.type });
    const after = JSON.stringify({
        timestamp: event.timestamp,
        idempotency_key: event.idempotency_key,
        status: statusOf(event.destinations),
        deliveries,
    });
    const data = Buffer.from(event.data.value()).toString('utf8');
    return `${before.slice(0, -1)},"data":${data},${after.slice(1)}`;
}
/** An event as a list shows it: without its data and its attempts. */
function presentListedEvent(event, maxAttempts) {
    return {
        id: event._id,
        type: event.type,
        timestamp: event.timestamp,
        idempotency_key: event.idempotency_key,
        status: statusOf(event.destinations),
        deliveries: event.destinations.map((destination) => (0, present_1.presentDeliveryState)(event._id, destination, maxAttempts)),
    };
}
function statusOf(destinations) {
    return (0, delivery_state_1.eventStatus)(destinations.map(({ state, attempt_count }) => ({ state, attemptCount: attempt_count })));
}
//# sourceMappingURL=present.js.map