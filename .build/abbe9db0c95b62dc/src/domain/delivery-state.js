"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.UNFINISHED_STATES = exports.ATTEMPT_ERROR_CODES = exports.EVENT_STATUSES = exports.DELIVERY_STATES = void 0;
exports.isFinished = isFinished;
exports.eventStatus = eventStatus;
/** States of a delivery (one event to one destination), as the API shows them. */
exports.DELIVERY_STATES = ['pending', 'retrying', 'delivered', 'failed', 'cancelled'];
/** States of an event: what its deliveries come to together. */
exports.EVENT_STATUSES = [
    'no_destinations',
    'pending',
    'retrying',
    'delivered',
    'partially_failed',
    'failed',
    'cancelled',
];
/** Why an attempt had no 2xx answer. */
exports.ATTEMPT_ERROR_CODES = [
    'http_status',
    'timeout',
    'dns_error',
    'connection_refused',
    'connection_reset',
    'tls_error',
    'blocked_address',
    'proxy_error',
    'protocol_error',
];
/** Whether nothing more will happen to the delivery by itself. */
function isFinished(state) {
    return state === 'delivered' || state === 'failed' || state === 'cancelled';
}
/** States from which a delivery goes on. */
exports.UNFINISHED_STATES = exports.DELIVERY_STATES.filter((state) => !isFinished(state));
/** What the deliveries of an event come to together (decisions, "Event status"). */
function eventStatus(deliveries) {
    const [first] = deliveries;
    if (!first)
        return 'no_destinations';
    if (deliveries.some(({ state }) => !isFinished(state))) {
        return deliveries.some(({ attemptCount }) => attemptCount > 0) ? 'retrying' : 'pending';
    }
    if (deliveries.every(({ state }) => state === first.state))
        return first.state;
    return deliveries.some(({ state }) => state === 'failed') ? 'partially_failed' : 'delivered';
}
//# sourceMappingURL=delivery-state.js.map