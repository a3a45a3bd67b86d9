"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.replayDelivery = replayDelivery;
const delivery_state_1 = require("../domain/delivery-state");
const errors_1 = require("../domain/errors");
const start_delivery_1 = require("../dispatch/start-delivery");
const find_delivery_1 = require("./find-delivery");
/**
 * Sends a finished delivery again: a new run, with all its attempts ahead. Of two at once, one begins it and the other
 * is told that the delivery is not finished. To a paused endpoint it goes when that is resumed.
 *
 * @throws ConflictError when the delivery is not finished, or its endpoint was removed
 * @throws TooManyRequestsError when the account's deliveries of the minute are used up
 */
async function replayDelivery(deps, { accountId, now }, id) {
    const { event, destination, ref } = await (0, find_delivery_1.findDelivery)(deps, accountId, id);
    if (!(0, delivery_state_1.isFinished)(destination.state))
        throw notFinished();
    if (!(await deps.endpoints.find(ref.endpointId))) {
        throw new errors_1.ConflictError('The endpoint of this delivery was removed; there is nowhere to send it.', 'endpoint_removed');
    }
    await deps.budget.takeNow(accountId, 1);
    const fresh = await deps.deliveries.replay(ref);
    if (!fresh) {
        deps.budget.giveBack(accountId, 1);
        throw notFinished();
    }
    const begun = { ...destination, state: 'pending', attempt_count: 0, next_attempt_at: now, run: fresh.run };
    deps.dispatcher.dispatch((0, start_delivery_1.startOf)({ event, destination: begun }, now));
    return (0, find_delivery_1.findDelivery)(deps, accountId, id);
}
function notFinished() {
    return new errors_1.ConflictError('This delivery is not finished; retry pulls its next attempt forward.', 'delivery_not_finished');
}
//# sourceMappingURL=replay-delivery.js.map