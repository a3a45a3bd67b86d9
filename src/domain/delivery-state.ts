/** States of a delivery (one event to one destination), as in the API. */
export const DELIVERY_STATES = ['pending', 'retrying', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** States of an event, which sum up the states of its deliveries. */
export const EVENT_STATUSES = [
  'no_destinations',
  'pending',
  'retrying',
  'delivered',
  'partially_failed',
  'failed',
  'cancelled',
] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** Why an attempt got no 2xx answer. */
export const ATTEMPT_ERROR_CODES = [
  'http_status',
  'timeout',
  'dns_error',
  'connection_refused',
  'connection_reset',
  'tls_error',
  'blocked_address',
  'proxy_error',
  'protocol_error',
] as const;
export type AttemptErrorCode = (typeof ATTEMPT_ERROR_CODES)[number];

/** Whether the delivery has ended: without a replay, nothing more will happen to it. */
export function isFinished(state: DeliveryState): state is Exclude<DeliveryState, 'pending' | 'retrying'> {
  return state === 'delivered' || state === 'failed' || state === 'cancelled';
}

/** States of deliveries that have not ended. */
export const UNFINISHED_STATES: readonly DeliveryState[] = DELIVERY_STATES.filter((state) => !isFinished(state));

/** The state that sums up the deliveries of an event. */
export function eventStatus(deliveries: readonly { state: DeliveryState; attemptCount: number }[]): EventStatus {
  const [first] = deliveries;
  if (!first) return 'no_destinations';
  if (deliveries.some(({ state }) => !isFinished(state))) {
    return deliveries.some(({ attemptCount }) => attemptCount > 0) ? 'retrying' : 'pending';
  }
  if (deliveries.every(({ state }) => state === first.state)) return first.state;
  return deliveries.some(({ state }) => state === 'failed') ? 'partially_failed' : 'delivered';
}
