import { forEachFlag } from '../domain/endpoint-flags';
import { HIDDEN } from '../domain/sent-request';
import { EXAMPLE_ID, type ErrorExample, type Operation } from '../http/route';

/** An endpoint in the OpenAPI document. */
export const ENDPOINT_EXAMPLE = {
  id: `ep_${EXAMPLE_ID}`,
  external_id: 'orders-eu',
  url: 'https://example.com/webhooks',
  events: ['order.*'],
  description: 'Order service',
  metadata: { tenant: 'acme' },
  status: 'active',
  backlog: null,
  options: {
    retry_schedule: null,
    retry_jitter: null,
    max_per_second: 10,
    ...forEachFlag((name) => name === 'honor_retry_after'),
    headers: { 'X-Tenant': HIDDEN },
    authentication: { type: 'basic', username: 'everpost' },
    filter: null,
    body: null,
    include: null,
    exclude: null,
  },
  secret_since: '2026-11-21T12:00:00.000Z',
  created_at: '2026-11-21T12:00:00.000Z',
  updated_at: '2026-11-21T12:00:00.000Z',
};

/** The health of an endpoint in the OpenAPI document. */
export const HEALTH_EXAMPLE = {
  state: 'degraded',
  since: null,
  failed_in_a_row: 0,
  last_error: {
    code: 'http_status',
    status_code: 503,
    error: 'The receiver answered 503 Service Unavailable.',
    count: 0,
  },
  last_success_at: '2026-11-21T12:02:30.412Z',
  last_failure_at: '2026-11-21T11:58:03.077Z',
  last_hour: { attempts: 340, failed: 12 },
};

/** The error for credentials that a changed URL would take along. */
export const CREDENTIALS_NOT_SENT: ErrorExample = {
  error:
    'The new URL has another host, port or scheme, and "options.authentication" would be sent there. Send ' +
    '"options.authentication" again with the URL, or null to remove what is stored, or use a key with the scope secrets:read.',
  code: 'credentials_not_sent',
};

/** The error for a change that was decided on another state. */
export const CHANGED_MEANWHILE: ErrorExample = {
  error: 'The endpoint has changed since the answer with this ETag. Read it again, and decide on what it is now.',
  code: 'precondition_failed',
};

/** The status of a URL that is refused. */
export const UNUSABLE_URL =
  "The URL is well-formed but can't be used: its scheme, port, credentials, fragment or host is refused.";

/** Not a secret: 27 letters in base64. */
export const SECRET_EXAMPLE = `whsec_${btoa('this-is-only-an-example-ok')}`;

/** The error for an endpoint that does not exist or is not the caller's. */
export const ENDPOINT_NOT_FOUND = {
  errors: { 404: 'The endpoint does not exist, or it belongs to another account.' },
  errorExamples: { 404: { error: 'There is no endpoint with this id.', code: 'endpoint_not_found' } },
} satisfies Pick<Operation, 'errors' | 'errorExamples'>;
