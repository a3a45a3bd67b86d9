import type { DeliveryStore } from '../record/delivery-store';
import type { WhichEndpoint } from './change-endpoint';
import type { EndpointDeps } from './create-endpoint';
import { endpointNotFound, findEndpoint } from './find-endpoint';

/** What removing an endpoint needs. */
export interface RemoveEndpointDeps extends Pick<EndpointDeps, 'endpoints' | 'accounts'> {
  readonly deliveries: Pick<DeliveryStore, 'cancelAllOf'>;
}

/**
 * Removes an endpoint: its unfinished deliveries end as cancelled, and its place is free. A request that is under way
 * may still be answered, and a 2xx makes that delivery a delivered one. Executions that wait for a retry end at that time.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export async function removeEndpoint(
  deps: RemoveEndpointDeps,
  { accountId, id, actor, address }: WhichEndpoint,
): Promise<void> {
  await findEndpoint(deps, accountId, id);
  // First, while a caller who got no answer can still ask again: no delivery may stay behind that nobody ends.
  await deps.deliveries.cancelAllOf({ accountId, endpointId: id });
  // Of two calls at once one comes too late.
  if (!(await deps.endpoints.remove(id, { actor, address }))) throw endpointNotFound();
  await deps.accounts.bumpEndpointsVersion(accountId);
  // What was accepted meanwhile. What a process accepts that matched before ends at its first attempt, or at the gate.
  await deps.deliveries.cancelAllOf({ accountId, endpointId: id });
}
