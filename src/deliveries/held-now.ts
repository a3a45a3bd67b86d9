import { CLOSED_REASONS, type HeldReason } from '../domain/delivery-contract';
import { closedBy, reasonToHold, type Endpoint, type EndpointStore } from '../record/endpoint-store';
import type { Destination } from '../record/event-store';

/** What `asHeldNow` needs. */
export interface HeldNowDeps {
  readonly endpoints: Pick<EndpointStore, 'findMany'>;
}

/**
 * Reads why held deliveries wait now. The record has the reason of the moment at which a delivery was held; a pause, a
 * resume and the disabling of an endpoint are in the endpoint alone, whatever the number of deliveries that it holds.
 *
 * @returns gives a destination its reason of now
 */
export async function asHeldNow(
  deps: HeldNowDeps,
  destinations: readonly Destination[],
): Promise<(destination: Destination) => Destination> {
  const ids = new Set(destinations.filter((it) => it.held_for).map(({ endpoint_id: id }) => id));
  const found = ids.size === 0 ? [] : await deps.endpoints.findMany([...ids]);
  const endpoints = new Map(found.map((endpoint) => [endpoint._id, endpoint]));
  return (destination) => {
    const endpoint = endpoints.get(destination.endpoint_id);
    // A removed endpoint's deliveries are about to end as cancelled.
    if (!destination.held_for || !endpoint) return destination;
    return { ...destination, held_for: reasonNow(endpoint, destination.held_for) };
  };
}

function reasonNow(endpoint: Endpoint, heldFor: HeldReason): HeldReason {
  const closed = closedBy(endpoint);
  if (closed) return closed;
  const isResumed = CLOSED_REASONS.some((reason) => reason === heldFor);
  // It goes on with the others that wait, as many at a time as the endpoint may have.
  return isResumed ? (reasonToHold(endpoint, false) ?? 'at_cap') : heldFor;
}
