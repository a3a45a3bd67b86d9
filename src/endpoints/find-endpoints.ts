import { NotFoundError } from '../domain/errors';
import { readPage, type PageQuery } from '../platform/cursor';
import type { Endpoint, EndpointStore } from '../stores/endpoint-store';
import type { EndpointStats, EndpointStatsStore } from '../stores/endpoint-stats-store';
import { STATS_WINDOWS, type StatsWindow } from './state-schema';

/**
 * Finds an account's endpoint.
 *
 * @throws NotFoundError when there is none, or when it belongs to another account: the answers are the same
 */
export async function findEndpoint(
  deps: { endpoints: Pick<EndpointStore, 'find'> },
  accountId: string,
  id: string,
): Promise<Endpoint> {
  const endpoint = await deps.endpoints.find(id);
  if (!endpoint || endpoint.account_id !== accountId) throw endpointNotFound();
  return endpoint;
}

/**
 * One page of an account's endpoints, newest first.
 *
 * @returns the page, and the cursor of the next page, or null at the end
 * @throws InvalidRequestError for an invalid cursor
 */
export function listEndpoints(
  { endpoints }: { endpoints: Pick<EndpointStore, 'page'> },
  accountId: string,
  query: PageQuery,
) {
  return readPage('endpoints', query, (limit, after) => endpoints.page(accountId, limit, after));
}

/** What the statistics of an endpoint need. */
export interface StatsDeps {
  readonly endpoints: Pick<EndpointStore, 'find'>;
  readonly endpointDeliveries: Pick<EndpointStatsStore, 'statsOfEndpoint'>;
}

/** The most deliveries that are read, newest first: this bounds the cost of a call, however busy the endpoint is. */
const MAX_DELIVERIES = 10_000;

/**
 * Sums up the results of the deliveries to an endpoint, for events that were accepted in a window.
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
  return deps.endpointDeliveries.statsOfEndpoint({ accountId, endpointId: id, windowMs, most: MAX_DELIVERIES });
}

/** The error for an endpoint that does not exist or is not the caller's. */
export function endpointNotFound(): NotFoundError {
  return new NotFoundError('There is no endpoint with this id.', 'endpoint_not_found');
}
