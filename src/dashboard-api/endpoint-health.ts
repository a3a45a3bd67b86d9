import type { z } from 'zod';
import { createHourRows } from './hour-rows';
import type { EndpointHourCount, OverviewStore } from './overview-store';
import type { endpointHealthView } from './schema';

type Health = z.output<typeof endpointHealthView>['endpoints'][number];
type Hour = { from: string; delivered: number; failed: number; open: number };

const HOURS = 24;

/** How each endpoint of an account did in each of the last 24 hours. One that had no deliveries is left out. */
export async function getEndpointHealth(
  { overview }: { readonly overview: OverviewStore },
  accountId: string,
  now: Date,
): Promise<Health[]> {
  const rows = createHourRows(now, HOURS, () => ({ delivered: 0, failed: 0, open: 0 }));
  const counts = await overview.countByEndpoint(accountId, rows.from);
  const byEndpoint = new Map<string, Hour[]>();
  for (const count of counts) {
    const hours = byEndpoint.get(count.endpointId) ?? rows.fill();
    byEndpoint.set(count.endpointId, hours);
    const hour = rows.rowAt(hours, count.from);
    const field = fieldOf(count);
    if (hour && field) hour[field] += count.deliveries;
  }
  return [...byEndpoint].map(([endpointId, hours]) => ({
    endpoint_id: endpointId,
    hours,
    failure_rate: failureRate(hours),
  }));
}

/** A cancelled delivery says nothing about its receiver. */
function fieldOf({ state }: EndpointHourCount): 'delivered' | 'failed' | 'open' | undefined {
  if (state === 'cancelled') return undefined;
  return state === 'delivered' || state === 'failed' ? state : 'open';
}

/** Failed of failed and delivered; null while there are none. */
function failureRate(hours: readonly Hour[]): number | null {
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  const delivered = hours.reduce((sum, hour) => sum + hour.delivered, 0);
  return failed + delivered === 0 ? null : failed / (failed + delivered);
}
