const NAME = '[A-Za-z0-9_:/-]+';

/** A regular expression for names joined by dots; CloudEvents types contain ":" and "/". */
export const EVENT_TYPE_PATTERN = `^${NAME}(\\.${NAME})*$`;
/**
 * The same for a type or `<prefix>.*`. A prefix has at most 128 characters without its ".*", which no schema can
 * express.
 */
export const EVENT_TYPES_PATTERN = `^${NAME}(\\.${NAME})*(\\.\\*)?$`;
/** The same for patterns of endpoints. */
export const EVENT_PATTERN_PATTERN = `^(\\*|${NAME}(\\.${NAME})*(\\.\\*)?)$`;

const EVENT_TYPE = new RegExp(EVENT_TYPE_PATTERN);

/** The longest event type: it is sent in the header `X-Webhook-Type`. */
export const MAX_EVENT_TYPE_LENGTH = 128;

/** The error message for an invalid type or pattern. */
export const EVENT_TYPE_RULE =
  'dotted names of letters, digits, "_", "-", ":" and "/", at most 128 characters, for example "order.created"';

/** Whether the text is an event type: a dotted name that fits into a header. */
export function isEventType(text: string): boolean {
  return text.length <= MAX_EVENT_TYPE_LENGTH && EVENT_TYPE.test(text);
}

/** Whether the text is a pattern: `*`, `<type>` or `<prefix>.*` (docs/spec.md, "Matching"). */
export function isEventPattern(text: string): boolean {
  return text === '*' || isEventType(text.endsWith('.*') ? text.slice(0, -2) : text);
}

/** Types with this prefix are Everpost's own: announcements about an account's endpoints and deliveries. */
const OPERATIONAL_PREFIX = 'everpost.';

/** Whether the type is that of an operational event, which callers may not ingest. */
export function isOperationalType(type: string): boolean {
  return type.startsWith(OPERATIONAL_PREFIX);
}

/**
 * Whether a pattern matches an event type.
 *
 * `order.*` matches `order.created` and `order.item.added`, but neither `order` nor `orders.created`: the dot is part
 * of the prefix, because over-delivery would leak data. `*` matches every type of the callers' own. To get operational
 * events, use a pattern that begins with `everpost.`.
 */
export function matchesEventType(pattern: string, type: string): boolean {
  if (pattern === '*') return !isOperationalType(type);
  return pattern.endsWith('.*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}
