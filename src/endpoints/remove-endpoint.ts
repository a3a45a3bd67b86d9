import type { DeliveryStore } from '../deliveries/store';
import type { SignalStarter } from '../dispatch/start-signals';
import type { EndpointDeps } from './create-endpoint';
import { endpointNotFound, findEndpoint } from './find-endpoint';

/** What removing an endpoint needs. */
export interface RemoveEndpointDeps extends Pick<EndpointDeps, 'endpoints' | 'accounts'> {
  readonly deliveries: Pick<DeliveryStore, 'cancelAllOf'>;
  readonly signalStarter: SignalStarter;
}

/**
 * Removes an endpoint: its unfinished deliveries end as cancelled, and its place is free. A request that is under way
 * may still be answered, and a 2xx makes that delivery a delivered one.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export async function removeEndpoint(
  deps: RemoveEndpointDeps,
  { accountId, id }: { accountId: string; id: string },
): Promise<void> {
  const endpoint = await findEndpoint(deps, accountId, id);
  const which = { accountId, endpointId: id };
  // First, while a caller who got no answer can still ask again: no delivery may stay behind that nobody ends.
  await deps.deliveries.cancelAllOf(which);
  // Of two calls at once one comes too late.
  if (!(await deps.endpoints.remove(id))) throw endpointNotFound();
  await deps.accounts.bumpEndpointsVersion(accountId);
  // What was accepted meanwhile. Later ones, of a process that matched before, end at their first attempt.
  await deps.deliveries.cancelAllOf(which);
  await deps.signalStarter.start(which, 'cancel', (endpoint.version ?? 0) + 1);
}
