import type { DeliveryState } from '../domain/delivery-state';
import { decodeEventCursor, encodeEventCursor } from '../record/event-cursor';
import { asHeldNow, type HeldNowDeps } from './held-now';
import type { DeliveryListStore, ListedDelivery } from '../record/list-deliveries-store';

/** What `listDeliveries` needs. */
export interface ListDeliveriesDeps extends HeldNowDeps {
  readonly deliveryLists: DeliveryListStore;
}

export interface ListDeliveriesQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly state?: DeliveryState | undefined;
  readonly endpointId?: string | undefined;
  readonly eventId?: number | undefined;
  readonly type?: string | undefined;
  readonly before?: Date | undefined;
  readonly after?: Date | undefined;
}

/**
 * One page of an account's deliveries, newest first by (time of acceptance, event, endpoint).
 *
 * @returns the page, which may be short although more follow, and the cursor of the next one, or null at the end
 * @throws InvalidRequestError for a cursor that is none
 */
export async function listDeliveries(
  deps: ListDeliveriesDeps,
  accountId: string,
  { limit, cursor, state, ...filter }: ListDeliveriesQuery,
): Promise<{ page: readonly ListedDelivery[]; nextCursor: string | null }> {
  const from = cursor === undefined ? undefined : decodeEventCursor('deliveries', cursor);
  const { deliveries, next } = await deps.deliveryLists.page(
    { accountId, ...filter, states: state && [state] },
    { order: 'newest first', limit, from },
  );
  const now = await asHeldNow(
    deps,
    deliveries.map(({ destination }) => destination),
  );
  const page = deliveries.map(({ event, destination }) => ({ event, destination: now(destination) }));
  return { page, nextCursor: next && encodeEventCursor('deliveries', next) };
}
