import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { MAX_COUNTED, type OverviewStore } from './overview-store';
import type { backlogView } from './schema';

/** Counting takes at most a tenth of a core for an account with very many deliveries, however often it is requested. */
const AGE_PER_COUNTING = 10;

/** Counts, unless this was counted a moment ago. */
export type SharedCount<Counted> = (key: string, count: () => Promise<Counted>) => Promise<Counted>;

/** Browsers of a team share a count, which is at most ten times as old as counting takes. */
export function createSharedCount<Counted>(): SharedCount<Counted> {
  const counted = new LRUCache<string, Promise<Counted>>({ max: 1_000 });
  return (key, count) => {
    const known = counted.get(key);
    if (known) return known;
    const startedAt = performance.now();
    const counting = count();
    counted.set(key, counting);
    counting.then(
      () => counted.set(key, counting, { ttl: AGE_PER_COUNTING * (performance.now() - startedAt) }),
      () => counted.delete(key),
    );
    return counting;
  };
}

export type CountBacklog = ReturnType<typeof createCountBacklog>;

/**
 * The one count of an account's unfinished deliveries that the dashboard shows, wherever it shows it. The number that
 * the budget of pending deliveries keeps is an upper bound: it is counted again only when it gets near the budget.
 */
export function createCountBacklog(overview: Pick<OverviewStore, 'countBacklog'>) {
  const share = createSharedCount<z.output<typeof backlogView>>();
  return (accountId: string, now: Date) =>
    share(accountId, async () => {
      const deliveries = await overview.countBacklog(accountId);
      return { deliveries, at_least: deliveries >= MAX_COUNTED, counted_at: now.toISOString() };
    });
}
