import type { ApiKey } from '../domain/api-key-record';
import type { Logger } from '../platform/logger';
import type { UsageRecord, UsageStore } from './usage-store';

const FLUSH_MS = 500;

export type UsageLog = ReturnType<typeof createUsageLog>;

/**
 * Counts calls for the account of their key, in memory, and stores the sums: the cost for MongoDB does not grow with
 * the calls of a busy key.
 */
export function createUsageLog(deps: { usage: UsageStore; logger: Logger }) {
  let counts = new Map<string, UsageRecord>();
  const add = (record: UsageRecord): void => {
    const name = [record.key_id, record.day, record.operation].join('/');
    counts.set(name, { ...record, calls: record.calls + (counts.get(name)?.calls ?? 0) });
  };
  const flush = async (): Promise<void> => {
    if (counts.size === 0) return;
    const records = [...counts.values()];
    counts = new Map();
    await deps.usage.add(records).catch((error: unknown) => {
      // The next flush retries.
      records.forEach(add);
      deps.logger.debug({ err: error }, 'usage not stored yet');
    });
  };
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  return {
    /** Counts one call; it is stored within a second. @param at the database's clock */
    note({ _id: keyId, account_id: accountId, product }: ApiKey, operation: string, at: Date): void {
      const day = at.toISOString().slice(0, 10);
      add({ account_id: accountId, day, key_id: keyId, product, operation, calls: 1 });
    },
    /** Stores what was counted. */
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };
}
