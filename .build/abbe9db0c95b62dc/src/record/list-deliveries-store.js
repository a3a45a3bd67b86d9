"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createDeliveryListStore = createDeliveryListStore;
const delivery_state_1 = require("../domain/delivery-state");
const list_events_store_1 = require("./list-events-store");
function createDeliveryListStore(eventLists) {
    return {
        async page({ accountId, eventId, type, after, before, ...delivery }, { order, limit, from }) {
            const page = await eventLists.page({ accountId, eventId, type, after, before, delivery }, 
            // The event at the place may have more deliveries behind it, or none.
            { order, limit: limit + 1, from: from && { ...from, inclusive: from.endpointId !== null } });
            const fitting = page.events
                .flatMap((event) => deliveriesOf(event, delivery, order))
                .filter((it) => !from || isBehind(it, from, order));
            const deliveries = fitting.slice(0, limit);
            const last = deliveries.at(-1);
            if (fitting.length > limit && last) {
                return { deliveries, next: { ...(0, list_events_store_1.positionOf)(last.event), endpointId: last.destination.endpoint_id } };
            }
            return { deliveries, next: page.next && { ...page.next, endpointId: null } };
        },
    };
}
function deliveriesOf(event, filter, order) {
    const sign = order === 'newest first' ? -1 : 1;
    return event.destinations
        .filter((destination) => fits(destination, filter))
        .sort((one, other) => (one.endpoint_id < other.endpoint_id ? -sign : sign))
        .map((destination) => ({ event, destination }));
}
/** What the query asked of some destination of the event, asked of this one. */
function fits(it, { endpointId, states, completedFrom, completedTo }) {
    if (endpointId !== undefined && it.endpoint_id !== endpointId)
        return false;
    if (states && !states.includes(it.state))
        return false;
    if (!completedFrom && !completedTo)
        return true;
    const at = (0, delivery_state_1.isFinished)(it.state) ? it.completed_at : null;
    return at !== null && (!completedFrom || at >= completedFrom) && (!completedTo || at <= completedTo);
}
function isBehind({ event, destination }, from, order) {
    if (event._id !== from.eventId || from.endpointId === null)
        return true;
    return order === 'newest first'
        ? destination.endpoint_id < from.endpointId
        : destination.endpoint_id > from.endpointId;
}
//# sourceMappingURL=list-deliveries-store.js.map