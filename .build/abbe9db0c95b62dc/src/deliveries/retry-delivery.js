"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.retryDelivery = retryDelivery;
const delivery_state_1 = require("../domain/delivery-state");
const errors_1 = require("../domain/errors");
const start_delivery_1 = require("../dispatch/start-delivery");
const endpoint_store_1 = require("../record/endpoint-store");
const event_store_1 = require("../record/event-store");
const find_delivery_1 = require("./find-delivery");
const TEMPORAL_RETRY_SECONDS = 2;
/**
 * Pulls the next attempt of an unfinished delivery forward. It is the attempt that was due anyway, made earlier: the
 * schedule goes on from there. Should its timer fire at this moment, the attempt is made once.
 *
 * @throws ConflictError when the delivery is finished, an attempt is under way, or its endpoint is not active
 * @throws TooManyRequestsError when the account's deliveries of the minute are used up
 * @throws UnavailableError when Temporal is away; nothing was changed
 */
async function retryDelivery(deps, { accountId, now }, id) {
    const found = await (0, find_delivery_1.findDelivery)(deps, accountId, id);
    const { event, destination, ref } = found;
    if ((0, delivery_state_1.isFinished)(destination.state)) {
        throw new errors_1.ConflictError(`This delivery is ${destination.state}; a replay would send it again.`, 'delivery_finished');
    }
    const number = destination.attempt_count + 1;
    const [endpoint, isUnderWay] = await Promise.all([
        deps.endpoints.find(ref.endpointId),
        deps.deliveries.isUnderWay({ ...ref, number }),
    ]);
    if (isUnderWay || (0, event_store_1.isClaimed)(destination, now)) {
        throw new errors_1.ConflictError(`Attempt ${number} of this delivery is being made right now; wait for its answer.`, 'attempt_under_way');
    }
    const closed = endpoint && (0, endpoint_store_1.closedBy)(endpoint);
    if (closed === 'unverified') {
        throw new errors_1.ConflictError('The endpoint is not verified; its deliveries go on when its host has answered the challenge.', 'endpoint_not_verified');
    }
    if (closed) {
        const what = closed === 'suspended' ? 'account' : 'endpoint';
        throw new errors_1.ConflictError(`The ${what} is ${closed}; resume it, and its deliveries go on.`, 'endpoint_not_active');
    }
    await deps.budget.takeRetry(accountId);
    try {
        const isTold = await deps.signals.retryNow(ref, number);
        // Its start is still to come, or Temporal lost it: one that goes on from this attempt does the same.
        if (!isTold)
            await deps.starter.start((0, start_delivery_1.startOf)({ event, destination: { ...destination, next_attempt_at: now } }, now));
    }
    catch (error) {
        deps.budget.giveBack(accountId, 1);
        throw new errors_1.UnavailableError('Temporal, which makes the deliveries, does not answer; nothing was changed. Try again in a moment.', 'temporal_unavailable', TEMPORAL_RETRY_SECONDS, String(error));
    }
    return found;
}
//# sourceMappingURL=retry-delivery.js.map