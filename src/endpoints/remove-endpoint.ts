import type { DeliveryStore } from '../deliveries/store';
import type { SignalStarter } from '../dispatch/start-signals';
import type { EndpointDeps } from './create-endpoint';
import { endpointNotFound, findEndpoint } from './find-endpoint';
import type { Removal, RemovalStore } from './removal-store';

/** What ending everything about a removed endpoint needs. */
export interface FinishRemovalDeps extends Pick<EndpointDeps, 'accounts'> {
  readonly removals: RemovalStore;
  readonly deliveries: Pick<DeliveryStore, 'cancelAllOf'>;
  readonly signalStarter: SignalStarter;
}

/** What removing an endpoint needs. */
export interface RemoveEndpointDeps extends Pick<EndpointDeps, 'endpoints'>, FinishRemovalDeps {}

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
  // First, while a caller who got no answer can still ask again: no delivery may stay behind that nobody ends.
  await deps.deliveries.cancelAllOf({ accountId, endpointId: id });
  const removal = await deps.removals.remove(endpoint);
  // Of two calls at once one comes too late.
  if (!removal) throw endpointNotFound();
  await finishRemoval(deps, removal);
}

/**
 * Tells the other processes that the endpoint is gone, cancels what was accepted for it meanwhile, and starts the job
 * that ends its executions; where that fails now, the sweeper of endpoints tries again.
 */
export async function finishRemoval(
  deps: FinishRemovalDeps,
  { _id, account_id: accountId, version }: Omit<Removal, 'removed_at'>,
): Promise<void> {
  const which = { accountId, endpointId: _id };
  await deps.accounts.bumpEndpointsVersion(accountId);
  // Later ones, of a process that matched before, end at their first attempt.
  await deps.deliveries.cancelAllOf(which);
  const isStarted = await deps.signalStarter.start(which, 'cancel', version);
  if (isStarted) await deps.removals.finish(_id);
}
