"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.getEvent = getEvent;
const held_now_1 = require("../deliveries/held-now");
const read_history_1 = require("../deliveries/read-history");
const event_id_1 = require("./event-id");
/**
 * Finds an account's event with its attempts.
 *
 * @throws NotFoundError when there is none, or it is another account's: the answers are the same
 */
async function getEvent(deps, accountId, eventId) {
    const event = await deps.events.find(eventId);
    if (!event || event.account_id !== accountId)
        throw (0, event_id_1.eventNotFound)();
    const [attempts, destinationNow] = await Promise.all([(0, read_history_1.readHistory)(deps, event), (0, held_now_1.asHeldNow)(deps, event.destinations)]);
    return { event: { ...event, destinations: event.destinations.map(destinationNow) }, attempts };
}
//# sourceMappingURL=get-event.js.map