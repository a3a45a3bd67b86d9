"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.listEvents = listEvents;
const held_now_1 = require("../deliveries/held-now");
const event_cursor_1 = require("../record/event-cursor");
/**
 * One page of an account's events, newest first.
 *
 * @returns the page, which may be short although more follow, and the cursor of the next one, or null at the end
 * @throws InvalidRequestError for a cursor that is none
 */
async function listEvents(deps, accountId, { limit, cursor, ...filter }) {
    const from = cursor === undefined ? undefined : { ...(0, event_cursor_1.decodeEventCursor)('events', cursor), inclusive: false };
    const { events, next } = await deps.eventLists.page({ accountId, ...filter }, { order: 'newest first', limit, from });
    const now = await (0, held_now_1.asHeldNow)(deps, events.flatMap(({ destinations }) => destinations));
    const page = events.map((event) => ({ ...event, destinations: event.destinations.map(now) }));
    return { page, nextCursor: next && (0, event_cursor_1.encodeEventCursor)('events', { ...next, endpointId: null }) };
}
//# sourceMappingURL=list-events.js.map