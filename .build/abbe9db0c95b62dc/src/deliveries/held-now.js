"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.asHeldNow = asHeldNow;
const delivery_contract_1 = require("../domain/delivery-contract");
const endpoint_store_1 = require("../record/endpoint-store");
/**
 * Reads why held deliveries wait now. The record has the reason of the moment at which a delivery was held; a pause, a
 * resume and the disabling of an endpoint are in the endpoint alone, whatever the number of deliveries that it holds.
 *
 * @returns gives a destination its reason of now
 */
async function asHeldNow(deps, destinations) {
    const ids = new Set(destinations.filter((it) => it.held_for).map(({ endpoint_id: id }) => id));
    const found = ids.size === 0 ? [] : await deps.endpoints.findMany([...ids]);
    const endpoints = new Map(found.map((endpoint) => [endpoint._id, endpoint]));
    return (destination) => {
        const endpoint = endpoints.get(destination.endpoint_id);
        // A removed endpoint's deliveries are about to end as cancelled.
        if (!destination.held_for || !endpoint)
            return destination;
        return { ...destination, held_for: reasonNow(endpoint, destination.held_for) };
    };
}
function reasonNow(endpoint, heldFor) {
    const closed = (0, endpoint_store_1.closedBy)(endpoint);
    if (closed)
        return closed;
    const isResumed = delivery_contract_1.CLOSED_REASONS.some((reason) => reason === heldFor);
    // It goes on with the others that wait, as many at a time as the endpoint may have.
    return isResumed ? ((0, endpoint_store_1.reasonToHold)(endpoint, false) ?? 'at_cap') : heldFor;
}
//# sourceMappingURL=held-now.js.map