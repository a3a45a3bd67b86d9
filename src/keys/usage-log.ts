import type { ApiKey } from '../domain/api-key-record';
import type { Logger } from '../platform/logger';
import { createTally } from '../platform/tally';
import type { UsageRecord, UsageStore } from './usage-store';

const FLUSH_MS = 500;

export type UsageLog = ReturnType<typeof createUsageLog>;

/**
 * Counts calls for the account of their key, in memory, and stores the sums: the cost for MongoDB does not grow with
 * the calls of a busy key.
 */
export function createUsageLog(deps: { usage: UsageStore; logger: Logger }) {
  const counts = createTally<UsageRecord>({
    flushMs: FLUSH_MS,
    merge: (one, other) => ({ ...one, calls: one.calls + other.calls }),
    write: (sums) => deps.usage.add([...sums.values()]),
    logger: deps.logger,
    failure: 'usage not stored yet',
  });
  return {
    /** Counts one call; it is stored within a second. @param at the database's clock */
    note({ _id: keyId, account_id: accountId, product }: ApiKey, operation: string, at: Date): void {
      const day = at.toISOString().slice(0, 10);
      const name = [keyId, day, operation].join('/');
      counts.add(name, { account_id: accountId, day, key_id: keyId, product, operation, calls: 1 });
    },
    /** Stores what was counted. */
    close: counts.close,
  };
}
