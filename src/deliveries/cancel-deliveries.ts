import { findEndpoint } from '../endpoints/find-endpoints';
import type { DeliveryStore } from '../stores/delivery-store';
import type { EndpointStore } from '../stores/endpoint-store';
import type { GateStore } from '../stores/gate-store';
import type { CancelledDeliveries } from '../stores/operations-store';

/** What cancelling an endpoint's deliveries needs. */
export interface CancelDeliveriesDeps {
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly deliveries: Pick<DeliveryStore, 'cancelSomeOf'>;
  readonly gates: Pick<GateStore, 'open'>;
}

/** A call takes a few seconds at most: each thousand is one durable write of about 0.2 s. */
const MOST = 10_000;

/**
 * Cancels unfinished deliveries to an endpoint. Executions that wait for a retry end at the time of the retry.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export async function cancelDeliveriesOf(
  deps: CancelDeliveriesDeps,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<CancelledDeliveries> {
  await findEndpoint(deps, accountId, id);
  const cancelled = await deps.deliveries.cancelSomeOf({ accountId, endpointId: id }, MOST);
  // Nothing may be held any more, or another delivery may be first in the line.
  await deps.gates.open(id);
  return cancelled;
}
