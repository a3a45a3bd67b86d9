import { EXAMPLE_ID, type ErrorExample } from '../http/route';

/** An attempt in the OpenAPI document. */
export const ATTEMPT_EXAMPLE = {
  run: 1,
  number: 1,
  trigger: 'scheduled',
  started_at: '2026-11-21T12:00:00.010Z',
  latency_ms: 96,
  status_code: 200,
  error_code: null,
  error: null,
  response_snippet: 'ok',
  warning: null,
};

/** An attempt in the list of an endpoint. */
export const ATTEMPT_OF_ENDPOINT_EXAMPLE = {
  ...ATTEMPT_EXAMPLE,
  delivery_id: `1001.ep_${EXAMPLE_ID}`,
  event_id: 1_001,
  event_type: 'order.created',
  succeeded: true,
};

/** The state of a delivery, in the OpenAPI document. */
export const DELIVERY_STATE_EXAMPLE = {
  id: `1001.ep_${EXAMPLE_ID}`,
  endpoint_id: `ep_${EXAMPLE_ID}`,
  state: 'delivered',
  run: 1,
  attempt_count: 1,
  max_attempts: 8,
  next_attempt_at: null,
  held_for: null,
  held_since: null,
  completed_at: '2026-11-21T12:00:00.120Z',
};

/** A delivery in the OpenAPI document. */
export const DELIVERY_EXAMPLE = {
  ...DELIVERY_STATE_EXAMPLE,
  event_id: 1_001,
  event_type: 'order.created',
  accepted_at: '2026-11-21T12:00:00.000Z',
};

/** A delivery that waits for its next attempt. */
export const RETRYING_EXAMPLE = {
  ...DELIVERY_EXAMPLE,
  state: 'retrying',
  attempt_count: 4,
  next_attempt_at: '2026-11-21T12:05:36.000Z',
  completed_at: null,
};

/** A delivery whose replay starts. */
export const REPLAYED_EXAMPLE = {
  ...DELIVERY_EXAMPLE,
  state: 'pending',
  run: 2,
  attempt_count: 0,
  next_attempt_at: '2026-11-21T12:30:00.000Z',
  completed_at: null,
};

/** The error for a delivery that does not exist or is not the caller's. */
export const DELIVERY_NOT_FOUND: ErrorExample = {
  error: 'There is no delivery with this id.',
  code: 'delivery_not_found',
};

/** A delivery with one attempt, its request and its response. */
export const DELIVERY_WITH_ATTEMPTS_EXAMPLE = {
  ...DELIVERY_EXAMPLE,
  url: 'https://example.com/webhooks',
  retry_schedule: [0, 1, 5, 30, 300, 1_800, 7_200, 86_400],
  body: { shape: 'envelope', include: null, exclude: null, source: null } as const,
  behind_event_id: null,
  wait_seconds: null,
  has_execution: true,
  attempts_total: 1,
  attempts_cursor: null,
  attempts: [
    {
      ...ATTEMPT_EXAMPLE,
      url: 'https://example.com/webhooks',
      resends: 0,
      request_headers: {
        'User-Agent': 'Everpost/0.1',
        'Content-Type': 'application/json',
        'X-Webhook-ID': '1001',
        'X-Webhook-Type': 'order.created',
        'X-Webhook-Timestamp': '1795262400',
        'X-Webhook-Signature': 'sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
      },
      response_headers: { 'Content-Type': 'text/plain', 'Content-Length': '2' },
      timings: { queued_ms: 3, dns_ms: 4, connect_ms: 21, tls_ms: 43, first_byte_ms: 28, body_ms: 0 },
    },
  ],
};
