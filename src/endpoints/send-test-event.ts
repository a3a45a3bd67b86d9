import type { Caller, IngestInput, IngestResult } from '../events/ingest-event';
import type { EndpointDeps } from './create-endpoint';
import { findEndpoint } from './find-endpoint';
import type { Endpoint } from './store';

/** What a test event needs. */
export interface TestEventDeps extends Pick<EndpointDeps, 'endpoints'> {
  /** Promises an event to one endpoint, as an ingest promises it to those that match. */
  readonly ingestTo: (
    caller: Caller,
    endpoint: Endpoint,
    input: IngestInput & { readonly idempotencyKey: null },
  ) => Promise<IngestResult>;
}

const TEST_EVENT_TYPE = 'endpoint.test';

/**
 * Sends a synthetic event to one endpoint, whatever its patterns and filter. It is an event like any other: kept, signed,
 * retried, and held while the endpoint is paused.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export async function sendTestEvent(deps: TestEventDeps, caller: Caller, id: string): Promise<IngestResult> {
  const endpoint = await findEndpoint(deps, caller.accountId, id);
  const data = { endpoint_id: id, message: 'A test event. Nothing happened that you would have to act on.' };
  return deps.ingestTo(caller, endpoint, {
    type: TEST_EVENT_TYPE,
    data: Buffer.from(JSON.stringify(data)),
    idempotencyKey: null,
  });
}
