"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.listDeliveries = listDeliveries;
const event_cursor_1 = require("../record/event-cursor");
const held_now_1 = require("./held-now");
/**
 * One page of an account's deliveries, newest first by (time of acceptance, event, endpoint).
 *
 * @returns the page, which may be short although more follow, and the cursor of the next one, or null at the end
 * @throws InvalidRequestError for a cursor that is none
 */
async function listDeliveries(deps, accountId, { limit, cursor, state, ...filter }) {
    const from = cursor === undefined ? undefined : (0, event_cursor_1.decodeEventCursor)('deliveries', cursor);
    const { deliveries, next } = await deps.deliveryLists.page({ accountId, ...filter, states: state && [state] }, { order: 'newest first', limit, from });
    const now = await (0, held_now_1.asHeldNow)(deps, deliveries.map(({ destination }) => destination));
    const page = deliveries.map(({ event, destination }) => ({ event, destination: now(destination) }));
    return { page, nextCursor: next && (0, event_cursor_1.encodeEventCursor)('deliveries', next) };
}
//# sourceMappingURL=list-deliveries.js.map