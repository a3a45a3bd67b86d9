/** An option that is on or off. The API, the store, the audit log and the dashboard derive from it. */
interface EndpointFlag {
  /** For the API's document. */
  readonly description: string;
  /** The switch on the dashboard, and what it does. */
  readonly label: string;
  readonly help: string;
  /** What an endpoint's page says while it is on, and while it is off; undefined says nothing. */
  readonly on: string;
  readonly off?: string;
}

/** The options of an endpoint that are on or off, in the order of the form. All are off by default. */
export const ENDPOINT_FLAGS = {
  ordered: {
    description: 'One delivery at a time, in the order of the events.',
    label: 'In order',
    help: 'Delivers one event at a time, in order. A failing delivery blocks those behind it.',
    on: 'In order: one delivery at a time, each event after the one before it.',
    off: 'In any order: a delivery that waits for a retry does not hold up the others.',
  },
  disable_on_gone: {
    description: 'An answer of 410 Gone disables the endpoint.',
    label: 'Disable on 410 Gone',
    help: 'A 410 answer disables the endpoint. Its deliveries wait until you resume it.',
    on: 'An answer of 410 Gone disables the endpoint.',
    off: 'An answer of 410 Gone is retried like any other failure.',
  },
  honor_retry_after: {
    description: '`Retry-After` in an answer can delay the next attempt, but never makes it earlier.',
    label: 'Honor Retry-After',
    help: 'Waits as long as the receiver asks for, but never less than the schedule.',
    on: 'An answer with Retry-After can delay the next attempt.',
    off: 'Retry-After in answers is ignored.',
  },
  send_traceparent: {
    description: 'Sends the W3C `traceparent` of the attempt, so that the receiver continues the trace.',
    label: 'Send traceparent',
    help: 'Each request names the trace of its event, so that the receiver can continue it.',
    on: 'With the traceparent of the event, if it belongs to a trace.',
  },
} as const satisfies Readonly<Record<string, EndpointFlag>>;

export type EndpointFlagName = keyof typeof ENDPOINT_FLAGS;

export const ENDPOINT_FLAG_NAMES = Object.keys(ENDPOINT_FLAGS) as readonly EndpointFlagName[];

/** A value for each flag. */
export function forEachFlag<Value>(
  valueOf: (name: EndpointFlagName, flag: EndpointFlag) => Value,
): Record<EndpointFlagName, Value> {
  const values = ENDPOINT_FLAG_NAMES.map((name) => [name, valueOf(name, ENDPOINT_FLAGS[name])] as const);
  return Object.fromEntries(values) as Record<EndpointFlagName, Value>;
}
