import type { EndpointStore } from '../stores/endpoint-store';
import type { OutageStore } from '../stores/outage-store';

/**
 * How many endpoints of the installation fail, are paused, are disabled, or are neither. Reads only those that are not
 * fine: `other` is the rest, healthy, degraded or waiting, which only the counters of each endpoint tell apart.
 */
export async function countStates({
  endpoints,
  outages,
}: {
  readonly endpoints: Pick<EndpointStore, 'countByStatus'>;
  readonly outages: Pick<OutageStore, 'countFailing'>;
}): Promise<Readonly<Record<'failing' | 'paused' | 'disabled' | 'other', number>>> {
  const [{ all, paused, disabled }, failing] = await Promise.all([endpoints.countByStatus(), outages.countFailing()]);
  // The number of all is that of the collection's statistics, which are not exact after a crash of mongod.
  return { failing, paused, disabled, other: Math.max(0, all - paused - disabled - failing) };
}
