import type { IngestResult } from './ingest-event';
import { refuseReservedType, type Caller, type IngestInput } from './new-event';
import type { EndpointDeps } from '../endpoints/create-endpoint';
import { findEndpoint } from '../endpoints/find-endpoints';
import type { EventTypeStore } from '../event-types/event-type-store';
import type { Endpoint } from '../stores/endpoint-store';

/** What a test event needs. */
export interface TestEventDeps extends Pick<EndpointDeps, 'endpoints'> {
  readonly eventTypes: Pick<EventTypeStore, 'find'>;
  /** Stores an event for one endpoint, as an ingest does for matching endpoints. */
  readonly ingestTo: (caller: Caller, endpoint: Endpoint, input: IngestInput) => Promise<IngestResult>;
}

/** The default type and data of a test event. */
const TEST_EVENT_TYPE = 'endpoint.test';
const MESSAGE = 'A test event. Nothing happened that you would have to act on.';

/** The type and data that the caller chose, or one of them. */
export interface TestEvent {
  readonly type?: string | undefined;
  /** The caller's bytes. */
  readonly data?: Uint8Array | undefined;
}

/**
 * Sends a synthetic event to one endpoint, whatever its patterns and filter. Without data, it has the example of its type. It is stored, signed, and held while the
 * endpoint is paused, like any other. It makes one attempt, which says nothing about the endpoint's health.
 *
 * @throws NotFoundError when the account has no such endpoint
 * @throws UnprocessableError for a type that is reserved for Everpost's own events
 */
export async function sendTestEvent(
  deps: TestEventDeps,
  caller: Caller,
  { id, type = TEST_EVENT_TYPE, data }: TestEvent & { readonly id: string },
): Promise<IngestResult> {
  refuseReservedType(type);
  const endpoint = await findEndpoint(deps, caller.accountId, id);
  const sent = data ?? Buffer.from(await defaultData(deps, type, id));
  return deps.ingestTo(caller, endpoint, { type, data: sent, idempotencyKey: null, isTest: true });
}

/** The example of the type in the catalog of event types, or a message. */
async function defaultData({ eventTypes }: TestEventDeps, type: string, id: string): Promise<string> {
  const known = type === TEST_EVENT_TYPE ? null : await eventTypes.find(type);
  return known?.example ?? JSON.stringify({ endpoint_id: id, message: MESSAGE });
}
