"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.acceptable = acceptable;
exports.reservedType = reservedType;
const errors_1 = require("../domain/errors");
const event_pattern_1 = require("../domain/event-pattern");
/**
 * Makes a caller's event one to ingest. Types of Everpost's own are kept for what Everpost has to say, so that a
 * receiver can believe them.
 *
 * @param idempotencyKey null for none; the event's own unless given
 * @returns the error for a reserved type
 */
function acceptable({ value, raw }, idempotencyKey = value.idempotency_key ?? null) {
    const error = reservedType(value.type);
    return error ? { error } : { type: value.type, data: raw('data'), idempotencyKey };
}
/** @returns the error for a type that is kept for Everpost's own events */
function reservedType(type) {
    if (!(0, event_pattern_1.isOperationalType)(type))
        return undefined;
    const message = 'must not begin with "everpost.": these types are kept for events of Everpost itself';
    return new errors_1.UnprocessableError(`"type" ${message}.`, 'reserved_event_type', [{ path: 'type', message }]);
}
//# sourceMappingURL=accept-event.js.map