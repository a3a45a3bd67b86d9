"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.replayEvent = replayEvent;
const delivery_contract_1 = require("../domain/delivery-contract");
const errors_1 = require("../domain/errors");
const event_id_1 = require("./event-id");
const replay_delivery_1 = require("../deliveries/replay-delivery");
/**
 * Sends an event again: to all of its destinations, or to those that are named. Each delivery is replayed as
 * `replayDelivery` does it; one that is not finished goes on as it is, and one that the account's budget refuses is left.
 *
 * @throws NotFoundError when there is no such event, or no delivery of it to an endpoint that is named
 * @throws ConflictError when none of the deliveries can be replayed
 * @throws TooManyRequestsError when the account's budget of deliveries has no room for any
 */
async function replayEvent(deps, caller, { eventId, endpointIds }) {
    const event = await deps.events.find(eventId);
    if (!event || event.account_id !== caller.accountId)
        throw (0, event_id_1.eventNotFound)();
    const destinations = event.destinations.map(({ endpoint_id: id }) => id);
    const missing = endpointIds?.find((id) => !destinations.includes(id));
    if (missing !== undefined) {
        throw new errors_1.NotFoundError(`This event has no delivery to the endpoint ${missing}.`, 'delivery_not_found');
    }
    const replayed = [];
    const skipped = [];
    for (const endpointId of new Set(endpointIds ?? destinations)) {
        const id = (0, delivery_contract_1.deliveryId)({ eventId, endpointId });
        try {
            replayed.push(await (0, replay_delivery_1.replayDelivery)(deps, caller, id));
        }
        catch (error) {
            if (!(error instanceof errors_1.ConflictError || error instanceof errors_1.TooManyRequestsError))
                throw error;
            skipped.push({ id, error });
        }
    }
    if (replayed.length === 0) {
        const refused = skipped.find(({ error }) => error instanceof errors_1.TooManyRequestsError);
        if (refused)
            throw refused.error;
        throw new errors_1.ConflictError('No delivery of this event can be replayed: it has none, they are not finished, or their endpoints were removed.', 'nothing_to_replay');
    }
    return { replayed, skipped };
}
//# sourceMappingURL=replay-event.js.map