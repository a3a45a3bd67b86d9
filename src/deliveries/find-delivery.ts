import type { Destination, EventStore, StoredEvent } from '../record/event-store';
import { NotFoundError } from '../domain/errors';
import type { DeliveryRef } from '../domain/delivery-contract';

/** A delivery: its event, and how far the last run is. */
export interface FoundDelivery {
  readonly event: StoredEvent;
  readonly destination: Destination;
  /** The last run. */
  readonly ref: DeliveryRef;
}

/**
 * Finds an account's delivery by its id, `<event_id>.<endpoint_id>`.
 *
 * @throws NotFoundError when there is none, or it is another account's: the answers are the same
 */
export async function findDelivery(
  deps: { events: Pick<EventStore, 'find'> },
  accountId: string,
  id: string,
): Promise<FoundDelivery> {
  const [, eventText, endpointId] = /^(\d{1,16})\.(ep_[0-9a-z]{26})$/.exec(id) ?? [];
  const eventId = Number(eventText);
  const event = Number.isSafeInteger(eventId) ? await deps.events.find(eventId) : null;
  const destination = event?.destinations.find(({ endpoint_id }) => endpoint_id === endpointId);
  if (!event || !destination || event.account_id !== accountId) {
    throw new NotFoundError('There is no delivery with this id.', 'delivery_not_found');
  }
  return { event, destination, ref: { eventId, endpointId: destination.endpoint_id, run: destination.run } };
}
