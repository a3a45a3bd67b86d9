import { DEFAULT_TIERS } from '../domain/tiers';
import { accountSuspended } from '../domain/account-suspended';
import type { TooManyRequestsError } from '../domain/errors';
import {
  burstExceeded,
  deliveryBudgetExceeded,
  filterBudgetExceeded,
  pendingBudgetExceeded,
  quotaExceeded,
  storageBudgetExceeded,
} from '../limits/refusals';
import { READ_UNAVAILABLE, WRITE_UNAVAILABLE } from '../http/error-mapper';
import { EXAMPLE_ID, type ErrorExample } from '../http/route';

const REQUEST_ID = `req_${EXAMPLE_ID}`;

/** An example error for each status, for the OpenAPI document. */
const BY_STATUS: Record<number, object> = {
  401: { error: 'This API key does not exist or was revoked.', code: 'invalid_api_key' },
  404: { error: 'The header "Everpost-Account" names no account.', code: 'account_not_found' },
  409: {
    error: 'This account can have 100 endpoints, and it has them. Remove one first.',
    code: 'endpoint_limit_reached',
  },
  413: { error: 'The body is larger than 262144 bytes (256 KiB).', code: 'payload_too_large' },
  415: { error: 'Send the body with "Content-Type: application/json".', code: 'unsupported_media_type' },
  422: invalid(
    'url',
    'The host localhost is not on the public Internet; deliveries go to public addresses only.',
    'non_public_host',
  ),
  500: { error: 'Something went wrong on our side. It is safe to try again with a back-off.', code: 'internal_error' },
};

/** The reasons of 400, by name. */
const BAD_REQUEST = {
  body: exampleOf('A field', invalid('idempotencyKey', 'is not a known field')),
  parameter: exampleOf('A parameter', invalid('limit', 'must be a whole number from 1 to 100')),
};

/** The messages of 503, by name. */
const UNAVAILABLE = {
  read: exampleOf('A read', { error: READ_UNAVAILABLE, code: 'service_unavailable' }),
  write: exampleOf('A change', { error: WRITE_UNAVAILABLE, code: 'service_unavailable' }),
};

const FREE = DEFAULT_TIERS[0]!;
const NEXT_MINUTE = { retryAfterSeconds: 42, resetsAt: new Date('2026-11-21T12:01:00Z') };
const TOMORROW = { retryAfterSeconds: 43_200, resetsAt: new Date('2026-11-22T00:00:00Z') };
const NEXT_MONTH = { retryAfterSeconds: 734_400, resetsAt: new Date('2026-12-01T00:00:00Z') };
const SPENT = { perMinute: FREE.perMinute, remaining: 0, quotaLimit: FREE.monthlyQuota, quotaUsed: FREE.monthlyQuota! };

/** The bodies of 429, by name, for an account of the smallest tier. */
const TOO_MANY_REQUESTS = {
  burst: tooMany('Per-minute burst', burstExceeded(SPENT, NEXT_MINUTE.retryAfterSeconds)),
  quota: tooMany('Monthly quota', quotaExceeded(SPENT, NEXT_MONTH)),
  deliveries: tooMany('Budget of deliveries', deliveryBudgetExceeded(FREE.deliveriesPerMinute, NEXT_MINUTE)),
  pending: tooMany('Budget of pending deliveries', pendingBudgetExceeded(FREE.pendingDeliveries!, 1)),
  filters: tooMany('Budget of filters', filterBudgetExceeded('minute', NEXT_MINUTE.retryAfterSeconds)),
  storage: tooMany('Budget of stored bytes', storageBudgetExceeded(FREE.storedBytesPerDay!, TOMORROW)),
};

function tooMany(summary: string, { message: error, code, fields }: TooManyRequestsError): object {
  return exampleOf(summary, { error, code, ...fields });
}

function exampleOf(summary: string, error: object): object {
  return { summary, value: { ...error, request_id: REQUEST_ID } };
}

/** The reasons of 403, by name. */
const FORBIDDEN = {
  product: exampleOf('Another product', {
    error: 'This key is not authorized for Webhook Reliability.',
    code: 'wrong_product',
  }),
  scope: exampleOf('Missing scope', {
    error:
      'This key lacks the scope events:write. The scopes of a key never change: use a key that was created with what ' +
      'this call needs.',
    code: 'missing_scope',
  }),
  account: exampleOf('Suspended account', { error: accountSuspended().message, code: accountSuspended().code }),
};

/** For statuses with several reasons. */
const NAMED: Record<number, object> = { 400: BAD_REQUEST, 403: FORBIDDEN, 429: TOO_MANY_REQUESTS, 503: UNAVAILABLE };

/** The member of a media type with the examples of this status: `example` or `examples`. */
export function errorExamples(status: number, own?: ErrorExample): object {
  if (own) return { example: { ...own, request_id: REQUEST_ID } };
  const named = NAMED[status];
  if (named) return { examples: named };
  return { example: { ...BY_STATUS[status], request_id: REQUEST_ID } };
}

function invalid(path: string, message: string, code = 'invalid_request'): object {
  return { error: code === 'invalid_request' ? `"${path}" ${message}.` : message, code, details: [{ path, message }] };
}
