"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.encodeEventCursor = encodeEventCursor;
exports.decodeEventCursor = decodeEventCursor;
const cursor_1 = require("../platform/cursor");
const list_events_store_1 = require("./list-events-store");
/** Makes an opaque cursor, of a list of events or of their deliveries. */
function encodeEventCursor(list, { seconds, ordinal, eventId, endpointId }) {
    const id = [ordinal, eventId, endpointId ?? ''].join('.');
    return (0, cursor_1.encodeCursor)(list, { createdAt: new Date(seconds * 1_000), id });
}
/** @throws InvalidRequestError for anything that `encodeEventCursor` did not make for this list */
function decodeEventCursor(list, cursor) {
    const { createdAt, id } = (0, cursor_1.decodeCursor)(list, cursor);
    const [, ordinal, event, endpointId] = /^(\d{1,10})\.(\d{1,16})\.([a-z0-9_]{0,40})$/.exec(id) ?? [];
    const seconds = createdAt.getTime() / 1_000;
    const fits = [seconds, Number(ordinal)].every((part) => Number.isInteger(part) && part <= list_events_store_1.MAX_SECONDS);
    const eventId = Number(event);
    if (!fits || !Number.isSafeInteger(eventId))
        throw (0, cursor_1.notACursor)();
    return { seconds, ordinal: Number(ordinal), eventId, endpointId: endpointId || null };
}
//# sourceMappingURL=event-cursor.js.map