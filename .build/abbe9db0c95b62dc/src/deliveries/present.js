"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.presentDeliveryState = presentDeliveryState;
exports.presentDeliveryOfEvent = presentDeliveryOfEvent;
exports.presentDelivery = presentDelivery;
exports.presentDeliveryWithAttempts = presentDeliveryWithAttempts;
const delivery_contract_1 = require("../domain/delivery-contract");
const sent_headers_1 = require("./sent-headers");
/** How far a delivery is. */
function presentDeliveryState(eventId, destination, maxAttempts) {
    return {
        id: (0, delivery_contract_1.deliveryId)({ eventId, endpointId: destination.endpoint_id }),
        endpoint_id: destination.endpoint_id,
        state: destination.state,
        run: destination.run,
        attempt_count: destination.attempt_count,
        max_attempts: destination.schedule_ms?.length ?? maxAttempts,
        next_attempt_at: destination.next_attempt_at?.toISOString() ?? null,
        held_for: destination.held_for ?? null,
        held_since: destination.held_at?.toISOString() ?? null,
        completed_at: destination.completed_at?.toISOString() ?? null,
    };
}
/** A delivery with its attempts, inside of its event. */
function presentDeliveryOfEvent(eventId, destination, attempts, maxAttempts) {
    return {
        ...presentDeliveryState(eventId, destination, maxAttempts),
        url: urlOf(destination, attempts),
        attempts: attempts.map(presentAttempt),
    };
}
/** A delivery as lists and the operations on it show it. */
function presentDelivery({ event, destination }, maxAttempts) {
    return {
        ...presentDeliveryState(event._id, destination, maxAttempts),
        event_id: event._id,
        event_type: event.type,
        accepted_at: new Date(event.accepted_at.t * 1_000).toISOString(),
    };
}
/** A delivery with all that is known of its attempts. */
function presentDeliveryWithAttempts(delivery, maxAttempts) {
    const { destination, attempts } = delivery;
    return {
        ...presentDelivery(delivery, maxAttempts),
        url: urlOf(destination, attempts),
        attempts: attempts.map((attempt) => ({
            ...presentAttempt(attempt),
            url: attempt.answer.url,
            resends: attempt.answer.resends,
            request_headers: (0, sent_headers_1.sentHeaders)(delivery.event, attempt.answer),
        })),
    };
}
function urlOf(destination, attempts) {
    return attempts.at(-1)?.answer.url ?? destination.url;
}
function presentAttempt({ run, number, trigger, answer }) {
    return {
        run,
        number,
        trigger,
        started_at: answer.started_at.toISOString(),
        latency_ms: answer.latency_ms,
        status_code: answer.status_code,
        error_code: answer.error_code,
        error: answer.error,
        response_snippet: answer.response_snippet,
    };
}
//# sourceMappingURL=present.js.map