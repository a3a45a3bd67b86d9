import type { EventStore } from '../record/event-store';
import { findDelivery, type FoundDelivery } from './find-delivery';
import { asHeldNow, type HeldNowDeps } from './held-now';
import { readHistory, type AnsweredAttempt, type ReadHistoryDeps } from './read-history';

/** What `getDelivery` needs. */
export interface GetDeliveryDeps extends ReadHistoryDeps, HeldNowDeps {
  readonly events: Pick<EventStore, 'find'>;
}

/** A delivery with the attempts of all its runs, in the order they were made. */
export interface DeliveryWithHistory extends FoundDelivery {
  readonly attempts: readonly AnsweredAttempt[];
}

/**
 * Finds an account's delivery with its attempts.
 *
 * @throws NotFoundError when there is none, or it is another account's: the answers are the same
 */
export async function getDelivery(deps: GetDeliveryDeps, accountId: string, id: string): Promise<DeliveryWithHistory> {
  const found = await findDelivery(deps, accountId, id);
  const [attempts, destinationNow] = await Promise.all([
    readHistory(deps, found.event),
    asHeldNow(deps, [found.destination]),
  ]);
  const destination = destinationNow(found.destination);
  return {
    ...found,
    destination,
    attempts: attempts.filter(({ endpoint_id }) => endpoint_id === found.ref.endpointId),
  };
}
