import { deliveryId } from '../domain/delivery-contract';
import { ConflictError, NotFoundError, TooManyRequestsError } from '../domain/errors';
import { findEvent } from './find-events';
import type { FoundDelivery } from '../deliveries/find-deliveries';
import { refuseErased } from '../stores/event-data';
import { replayDelivery, type ReplayDeliveryDeps } from '../deliveries/replay-delivery';

/** The result of replaying the deliveries of an event. */
export interface EventReplay {
  readonly replayed: readonly FoundDelivery[];
  /** Deliveries that can't be replayed, and why. */
  readonly skipped: readonly { readonly id: string; readonly error: ConflictError | TooManyRequestsError }[];
}

/**
 * Sends an event again: to all of its destinations, or to the given ones. Each delivery is replayed like
 * `replayDelivery` does. An unfinished delivery continues unchanged, and one that exceeds the account's budget is
 * skipped.
 *
 * @throws NotFoundError when there is no such event, or no delivery of it to a given endpoint
 * @throws ConflictError when none of the deliveries can be replayed, or the data was erased
 * @throws TooManyRequestsError when the account's budget of deliveries is used up
 */
export async function replayEvent(
  deps: ReplayDeliveryDeps,
  caller: { readonly accountId: string; readonly now: Date },
  { eventId, endpointIds }: { readonly eventId: number; readonly endpointIds?: readonly string[] | undefined },
): Promise<EventReplay> {
  const event = await findEvent(deps, caller.accountId, eventId);
  refuseErased(event);
  const destinations = event.destinations.map(({ endpoint_id: id }) => id);
  const missing = endpointIds?.find((id) => !destinations.includes(id));
  if (missing !== undefined) {
    throw new NotFoundError(`This event has no delivery to the endpoint ${missing}.`, 'delivery_not_found');
  }
  const replayed: FoundDelivery[] = [];
  const skipped: { id: string; error: ConflictError | TooManyRequestsError }[] = [];
  for (const endpointId of new Set(endpointIds ?? destinations)) {
    const id = deliveryId({ eventId, endpointId });
    try {
      replayed.push(await replayDelivery(deps, caller, id));
    } catch (error) {
      if (!(error instanceof ConflictError || error instanceof TooManyRequestsError)) throw error;
      skipped.push({ id, error });
    }
  }
  if (replayed.length === 0) {
    const refused = skipped.find(({ error }) => error instanceof TooManyRequestsError);
    if (refused) throw refused.error;
    throw new ConflictError(
      'No delivery of this event can be replayed: it has none, they are not finished, have had 100 runs, or their endpoints were removed.',
      'nothing_to_replay',
    );
  }
  return { replayed, skipped };
}
