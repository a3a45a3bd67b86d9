import type { ApiKey } from '../domain/api-key-record';
import type { Logger } from '../platform/logger';
import type { UsageRecord, UsageStore } from './usage-store';

/** Notes calls against the account of their key. */
export interface UsageLog {
  /** Counts one call; it is stored within a second. @param at the database's clock */
  note(key: Pick<ApiKey, '_id' | 'account_id' | 'product'>, operation: string, at: Date): void;
  /** Stores what was counted. */
  close(): Promise<void>;
}

const FLUSH_MS = 500;

/** Counts in memory and stores the sums: what a busy key costs MongoDB does not grow with its calls. */
export function createUsageLog(deps: { usage: UsageStore; logger: Logger }): UsageLog {
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
      // The next flush tries again.
      records.forEach(add);
      deps.logger.debug({ err: error }, 'usage not stored yet');
    });
  };
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  return {
    note({ _id: keyId, account_id: accountId, product }, operation, at) {
      const day = at.toISOString().slice(0, 10);
      add({ account_id: accountId, day, key_id: keyId, product, operation, calls: 1 });
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
