"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.EVENT_TYPE_RULE = exports.MAX_EVENT_TYPE_LENGTH = exports.EVENT_PATTERN_PATTERN = exports.EVENT_TYPES_PATTERN = exports.EVENT_TYPE_PATTERN = void 0;
exports.isEventType = isEventType;
exports.isEventPattern = isEventPattern;
exports.isOperationalType = isOperationalType;
exports.matchesEventType = matchesEventType;
const NAME = '[A-Za-z0-9_:/-]+';
/** A regular expression for names joined by dots; CloudEvents' types hold ":" and "/". */
exports.EVENT_TYPE_PATTERN = `^${NAME}(\\.${NAME})*$`;
/** The same for a type or `<prefix>.*`. A prefix has at most 128 characters without its ".*": no schema can say that. */
exports.EVENT_TYPES_PATTERN = `^${NAME}(\\.${NAME})*(\\.\\*)?$`;
/** The same for patterns of endpoints. */
exports.EVENT_PATTERN_PATTERN = `^(\\*|${NAME}(\\.${NAME})*(\\.\\*)?)$`;
const EVENT_TYPE = new RegExp(exports.EVENT_TYPE_PATTERN);
/** Longest event type: it travels in the header `X-Webhook-Type`. */
exports.MAX_EVENT_TYPE_LENGTH = 128;
/** What a caller is told about a type or pattern that is not one. */
exports.EVENT_TYPE_RULE = 'dotted names of letters, digits, "_", "-", ":" and "/", at most 128 characters, for example "order.created"';
/** Whether the text is an event type: a dotted name that fits into a header. */
function isEventType(text) {
    return text.length <= exports.MAX_EVENT_TYPE_LENGTH && EVENT_TYPE.test(text);
}
/** Whether the text is a pattern: `*`, `<type>` or `<prefix>.*` (docs/spec.md, "Matching"). */
function isEventPattern(text) {
    return text === '*' || isEventType(text.endsWith('.*') ? text.slice(0, -2) : text);
}
/** Types of this prefix are Everpost's own: what it has to say about an account's endpoints and deliveries. */
const OPERATIONAL_PREFIX = 'everpost.';
/** Whether the type is of an operational event, which no caller may ingest. */
function isOperationalType(type) {
    return type.startsWith(OPERATIONAL_PREFIX);
}
/**
 * Whether a pattern selects an event type.
 *
 * `order.*` selects `order.created` and `order.item.added`, and neither `order` nor `orders.created`:
 * the dot is part of the prefix, because over-delivery would leak data. `*` selects every type of the callers' own:
 * who wants operational events says so by a pattern that begins with `everpost.`.
 */
function matchesEventType(pattern, type) {
    if (pattern === '*')
        return !isOperationalType(type);
    return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
//# sourceMappingURL=event-pattern.js.map