"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.cancelDelivery = cancelDelivery;
const delivery_state_1 = require("../domain/delivery-state");
const errors_1 = require("../domain/errors");
const find_delivery_1 = require("./find-delivery");
/**
 * Ends an unfinished delivery: no further attempt is made. An attempt that is under way is still answered, and a 2xx
 * answer wins: the delivery is then `delivered`.
 *
 * @throws ConflictError when the delivery is finished
 */
async function cancelDelivery(deps, accountId, id) {
    const { ref } = await (0, find_delivery_1.findDelivery)(deps, accountId, id);
    const isCancelled = await deps.deliveries.cancel(ref);
    const found = await (0, find_delivery_1.findDelivery)(deps, accountId, id);
    if (!isCancelled) {
        const { state } = found.destination;
        throw new errors_1.ConflictError((0, delivery_state_1.isFinished)(state)
            ? `This delivery is ${state} already.`
            : 'This delivery was replayed at this moment; try again.', (0, delivery_state_1.isFinished)(state) ? 'delivery_finished' : 'delivery_changed');
    }
    // The record decides. A workflow that is not told finds it there before its next attempt.
    await deps.signals.cancel(ref).catch((error) => {
        deps.logger.info({ err: error, ...ref }, 'a cancelled delivery was not woken');
    });
    return found;
}
//# sourceMappingURL=cancel-delivery.js.map