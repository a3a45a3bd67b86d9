import { LRUCache } from 'lru-cache';
import { quotaLevel, type QuotaLevel } from '../domain/quota-level';
import type { Logger } from '../platform/logger';
import type { Usage } from './limit-store';
import type { ReachedQuotaStore } from './reached-quota-store';

const MAX_ACCOUNTS = 10_000;

/**
 * Notes the accounts that reached 80 or 100 percent of their monthly quota. Gets the counters that the limiter has anyway.
 *
 * It compares the count with the level, not with the count before. So a level is also noted if the process that counted
 * the call died before it noted it, or if the tier changed. A process remembers what it has noted, so below a level and
 * after it no call costs a command.
 */
export function createQuotaWatch({
  reachedQuotas,
  logger,
}: {
  readonly reachedQuotas: Pick<ReachedQuotaStore, 'note'>;
  readonly logger: Logger;
}) {
  /** By account, end of the month and limit. An account that is forgotten is noted again, which changes nothing. */
  const noted = new LRUCache<string, QuotaLevel>({ max: MAX_ACCOUNTS });
  /** Doesn't wait for the write, so the call is not delayed. */
  return (accountId: string, { tier, quotaUsed: used, quotaResetsAt: resetsAt, now, isSuspended }: Usage): void => {
    const { monthlyQuota: limit } = tier;
    const level = quotaLevel(used, limit);
    if (limit === null || level === null || isSuspended) return;
    const key = `${accountId}/${resetsAt.getTime()}/${limit}`;
    if ((noted.get(key) ?? 0) >= level) return;
    noted.set(key, level);
    reachedQuotas
      .note({ account_id: accountId, level, used, limit, reached_at: now, resets_at: resetsAt })
      .catch((error: unknown) => {
        // The next call notes it.
        noted.delete(key);
        logger.debug({ err: error }, 'could not record that a quota was reached; retrying');
      });
  };
}
