import type { EndpointDeliveryStore, EndpointStats } from '../record/endpoint-deliveries-store';
import type { EndpointDeps } from './create-endpoint';
import { findEndpoint } from './find-endpoint';
import { STATS_WINDOWS, type StatsWindow } from './schema';

/** What the statistics of an endpoint need. */
export interface StatsDeps extends Pick<EndpointDeps, 'endpoints'> {
  readonly endpointDeliveries: Pick<EndpointDeliveryStore, 'statsOfEndpoint'>;
}

/** Deliveries that are looked at, the newest first: what a call may cost, however busy the endpoint is. */
const MOST_DELIVERIES = 10_000;

/**
 * Sums up how the deliveries to an endpoint went, of events that were accepted in a window.
 *
 * @throws NotFoundError when the account has no such endpoint
 */
export async function getStats(
  deps: StatsDeps,
  { accountId, id }: { accountId: string; id: string },
  window: StatsWindow,
): Promise<EndpointStats> {
  await findEndpoint(deps, accountId, id);
  const windowMs = STATS_WINDOWS[window];
  return deps.endpointDeliveries.statsOfEndpoint({ accountId, endpointId: id, windowMs, most: MOST_DELIVERIES });
}
