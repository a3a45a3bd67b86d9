import type { z } from 'zod';
import { MAX_COUNTED, type OverviewStore } from './overview-store';
import type { backlogView } from './overview-schema';
import { createSharedRead } from './share-read';

export type CountBacklog = ReturnType<typeof createCountBacklog>;

/**
 * The one count of an account's unfinished deliveries that the dashboard shows, wherever it shows it. The number that
 * the budget of pending deliveries keeps is an upper bound: it is counted again only when it gets near the budget.
 */
export function createCountBacklog(overview: Pick<OverviewStore, 'countBacklog'>) {
  const share = createSharedRead<z.output<typeof backlogView>>();
  return (accountId: string, now: Date) =>
    share(accountId, async () => {
      const deliveries = await overview.countBacklog(accountId);
      return { deliveries, at_least: deliveries >= MAX_COUNTED, counted_at: now.toISOString() };
    });
}
