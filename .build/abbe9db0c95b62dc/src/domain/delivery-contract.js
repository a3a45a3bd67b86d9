"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.HELD_REASONS = exports.CLOSED_REASONS = exports.SEARCH_ATTRIBUTES = exports.CANCEL_SIGNAL = exports.RETRY_NOW_SIGNAL = exports.DELIVERY_WORKFLOW = exports.FIRST_ATTEMPT_MODES = exports.MAX_PER_DESTINATION = exports.SLOW_TASK_QUEUE = exports.DELIVERY_TASK_QUEUE = void 0;
exports.deliveryWorkflowId = deliveryWorkflowId;
exports.deliveryOfWorkflowId = deliveryOfWorkflowId;
exports.deliveryId = deliveryId;
/** Deliveries start here; first attempts run inline, as local activities. */
exports.DELIVERY_TASK_QUEUE = 'everpost-deliveries';
/** Attempts that may take long: destinations that were slow or failing, or are at their cap. */
exports.SLOW_TASK_QUEUE = 'everpost-slow-attempts';
/** Requests under way to one endpoint from one process. */
exports.MAX_PER_DESTINATION = 64;
/** Who makes first attempts (`FIRST_ATTEMPT`). */
exports.FIRST_ATTEMPT_MODES = ['auto', 'workflow', 'express'];
/** Workflow type of one event's way to one destination. */
exports.DELIVERY_WORKFLOW = 'deliverEvent';
/** Signals of that workflow. */
exports.RETRY_NOW_SIGNAL = 'retryNow';
exports.CANCEL_SIGNAL = 'cancel';
/** Search attributes of a delivery's execution, all of type Keyword. */
exports.SEARCH_ATTRIBUTES = [
    'EverpostAccountId',
    'EverpostEventId',
    'EverpostEndpointId',
    'EverpostEventType',
];
/** Why a gate lets nothing through until somebody opens it. */
exports.CLOSED_REASONS = ['suspended', 'paused', 'disabled', 'unverified'];
/**
 * Why a gate keeps a delivery.
 * `suspended`: the account is. `paused`, `disabled`: the endpoint's status. `unverified`: its host has not answered its
 * challenge. `hanging`: it answers nothing. `at_cap`: it has as many requests as it may.
 * `at_rate`: its `max_per_second`. `in_line`: an earlier event of an ordered endpoint comes first.
 */
exports.HELD_REASONS = [...exports.CLOSED_REASONS, 'hanging', 'at_cap', 'at_rate', 'in_line'];
/** Id of the workflow that keeps the promise for one delivery. The same ids can't start it twice. */
function deliveryWorkflowId({ eventId, endpointId, run }) {
    return run === 1 ? `delivery/${eventId}/${endpointId}` : `delivery/${eventId}/${endpointId}/${run}`;
}
/** The delivery of a workflow. @returns undefined for an id that `deliveryWorkflowId` did not make */
function deliveryOfWorkflowId(id) {
    const [, eventId, endpointId, run] = /^delivery\/(\d{1,16})\/(ep_[0-9a-z]+)(?:\/(\d{1,9}))?$/.exec(id) ?? [];
    return endpointId === undefined ? undefined : { eventId: Number(eventId), endpointId, run: Number(run ?? 1) };
}
/** Id of a delivery in the API: `<event_id>.<endpoint_id>`. */
function deliveryId({ eventId, endpointId }) {
    return `${eventId}.${endpointId}`;
}
//# sourceMappingURL=delivery-contract.js.map