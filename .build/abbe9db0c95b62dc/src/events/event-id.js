"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.parseEventId = parseEventId;
exports.eventNotFound = eventNotFound;
const errors_1 = require("../domain/errors");
/**
 * Reads the id in a path.
 *
 * @throws InvalidRequestError unless it is an integer
 * @throws NotFoundError for an integer that no event can have
 */
function parseEventId(text = '') {
    if (!/^-?[0-9]+$/.test(text)) {
        const detail = { path: 'event_id', message: 'must be an integer' };
        throw new errors_1.InvalidRequestError('"event_id" must be an integer.', 'invalid_request', [detail]);
    }
    const id = Number(text);
    if (!Number.isSafeInteger(id))
        throw eventNotFound();
    return id;
}
/** What is said of an event that is not there, or not the caller's. */
function eventNotFound() {
    return new errors_1.NotFoundError('There is no event with this id.', 'event_not_found');
}
//# sourceMappingURL=event-id.js.map