import type { FoundDelivery } from '../deliveries/find-deliveries';
import { ConflictError } from '../domain/errors';
import { findEndpoint } from '../endpoints/find-endpoints';
import type { Dispatcher } from '../engine/dispatcher';
import type { DeliveryBudget } from '../limits/delivery-budget';
import type { DeliveryStore } from '../stores/delivery-store';
import type { EndpointStore } from '../stores/endpoint-store';
import { refuseErased } from '../stores/event-data';
import { MAX_DESTINATIONS, type EventStore, type StoredEvent } from '../stores/event-store';
import { findEvent } from './find-events';
import { newDestination, type Caller } from './new-event';

/** What `createDelivery` needs. */
export interface CreateDeliveryDeps {
  readonly events: Pick<EventStore, 'find'>;
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'add'>;
  readonly dispatcher: Pick<Dispatcher, 'placeFor' | 'accept'>;
  readonly budget: Pick<DeliveryBudget, 'takeNow' | 'giveBack'>;
}

/**
 * Sends a stored event to an endpoint that did not get it, whatever its patterns and filter. When this resolves, the
 * delivery is stored, with the endpoint's present shape and masks. It goes the way of a new event's: a paused endpoint gets it after the resume, an ordered one in the
 * order of acceptance.
 *
 * @throws NotFoundError when the account has no such event or endpoint
 * @throws ConflictError when the event has a delivery to the endpoint, or `MAX_DESTINATIONS`, or its data was erased
 * @throws TooManyRequestsError when the account's deliveries of the minute are used up
 */
export async function createDelivery(
  deps: CreateDeliveryDeps,
  { accountId, now, defaultBody }: Pick<Caller, 'accountId' | 'now' | 'defaultBody'>,
  { eventId, endpointId }: { readonly eventId: number; readonly endpointId: string },
): Promise<FoundDelivery> {
  const madeAt = performance.now();
  const event = await findEvent(deps, accountId, eventId);
  const endpoint = await findEndpoint(deps, accountId, endpointId);
  refuseConflict(event, endpointId);
  await deps.budget.takeNow(accountId, 1);
  const destination = newDestination(deps.dispatcher.placeFor, endpoint, { now, defaultBody });
  const isAdded = await deps.deliveries.add(eventId, destination);
  if (!isAdded) {
    deps.budget.giveBack(accountId, 1);
    refuseConflict(await findEvent(deps, accountId, eventId), endpointId);
    throw deliveryExists();
  }
  const added = { ...event, destinations: [...event.destinations, destination] };
  deps.dispatcher.accept({ event: added, destination }, endpoint, { now, madeAt });
  return { event: added, destination, ref: { eventId, endpointId, run: destination.run } };
}

function refuseConflict({ destinations, ...event }: StoredEvent, endpointId: string): void {
  refuseErased(event);
  if (destinations.some(({ endpoint_id: id }) => id === endpointId)) throw deliveryExists();
  if (destinations.length < MAX_DESTINATIONS) return;
  throw new ConflictError(
    `This event has ${MAX_DESTINATIONS} deliveries, which is the limit. Ingest its data as a new event to send it to more.`,
    'destination_limit_reached',
  );
}

function deliveryExists(): ConflictError {
  return new ConflictError(
    'This event has a delivery to this endpoint. Replay that delivery to send it again.',
    'delivery_exists',
  );
}
