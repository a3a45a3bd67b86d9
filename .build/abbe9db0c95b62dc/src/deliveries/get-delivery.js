"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.getDelivery = getDelivery;
const find_delivery_1 = require("./find-delivery");
const held_now_1 = require("./held-now");
const read_history_1 = require("./read-history");
/**
 * Finds an account's delivery with its attempts.
 *
 * @throws NotFoundError when there is none, or it is another account's: the answers are the same
 */
async function getDelivery(deps, accountId, id) {
    const found = await (0, find_delivery_1.findDelivery)(deps, accountId, id);
    const [attempts, destinationNow] = await Promise.all([
        (0, read_history_1.readHistory)(deps, found.event),
        (0, held_now_1.asHeldNow)(deps, [found.destination]),
    ]);
    const destination = destinationNow(found.destination);
    return {
        ...found,
        destination,
        attempts: attempts.filter(({ endpoint_id }) => endpoint_id === found.ref.endpointId),
    };
}
//# sourceMappingURL=get-delivery.js.map