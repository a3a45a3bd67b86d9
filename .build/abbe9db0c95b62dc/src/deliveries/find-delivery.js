"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.findDelivery = findDelivery;
const errors_1 = require("../domain/errors");
/**
 * Finds an account's delivery by its id, `<event_id>.<endpoint_id>`.
 *
 * @throws NotFoundError when there is none, or it is another account's: the answers are the same
 */
async function findDelivery(deps, accountId, id) {
    const [, eventText, endpointId] = /^(\d{1,16})\.(ep_[0-9a-z]{26})$/.exec(id) ?? [];
    const eventId = Number(eventText);
    const event = Number.isSafeInteger(eventId) ? await deps.events.find(eventId) : null;
    const destination = event?.destinations.find(({ endpoint_id }) => endpoint_id === endpointId);
    if (!event || !destination || event.account_id !== accountId) {
        throw new errors_1.NotFoundError('There is no delivery with this id.', 'delivery_not_found');
    }
    return { event, destination, ref: { eventId, endpointId: destination.endpoint_id, run: destination.run } };
}
//# sourceMappingURL=find-delivery.js.map