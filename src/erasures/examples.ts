import { EXAMPLE_ID, type ErrorExample } from '../http/route';

/** An erasure in the OpenAPI document, when it is created. */
export const CREATED = {
  id: `ers_${EXAMPLE_ID}`,
  state: 'running',
  field: 'customer_id',
  erased: 0,
  created_at: '2026-11-21T12:00:00.000Z',
  finished_at: null,
};

/** The same when it has ended. */
export const COMPLETED = { ...CREATED, state: 'completed', erased: 1_200, finished_at: '2026-11-21T12:00:02.000Z' };

/** The error where ten are running. */
export const LIMIT_REACHED: ErrorExample = {
  error: 'This account has 10 erasures running, which is the limit. Wait for one.',
  code: 'erasure_limit_reached',
};

/** The error for a field that is not a search field. */
export const UNKNOWN_FIELD: ErrorExample = {
  error:
    '"data" is about "email", which is not a search field of this account. Its search fields: customer_id. Erase the ' +
    'events one by one, by their ids.',
  code: 'unknown_search_field',
};

/** The error for an erasure that does not exist or is not the caller's. */
export const NOT_FOUND: ErrorExample = { error: 'There is no erasure with this id.', code: 'erasure_not_found' };

/** An event whose data was erased. */
export const ERASED_EVENT = {
  id: 1_001,
  type: 'order.created',
  data: null,
  timestamp: 1_795_262_400,
  idempotency_key: 'ord_42_created',
  data_erased_at: '2026-11-21T12:00:00.000Z',
  status: 'cancelled',
  attempts_total: 0,
  deliveries: [],
};
