import { LRUCache } from 'lru-cache';
import { isOwnAccountId } from '../domain/external-id';
import type { DeliveryReport } from './delivery-budget-store';
import type { DeliveryLedger } from './delivery-ledger';
import type { Usage } from './limit-store';

const MAX_ACCOUNTS = 10_000;

/** The update of an account's counters, which also reports deliveries. */
type CountingUpdate = (account: string, report?: DeliveryReport) => Promise<Usage | null>;

/**
 * Counts calls of accounts that callers name by their `external_id`, or by their id, in one command each.
 *
 * @param onCounted gets an account's counters after each update
 */
export function createCountByName(ledger: DeliveryLedger, onCounted: (accountId: string, usage: Usage) => void) {
  const idByName = new LRUCache<string, string>({ max: MAX_ACCOUNTS });
  const idOf = (account: string): string => idByName.get(account) ?? account;
  return {
    /** The id of an account, as far as this process knows it; otherwise its name. */
    idOf,
    /** @returns null for an unknown account */
    async count(account: string, update: CountingUpdate): Promise<Usage | null> {
      const id = idOf(account);
      if (isOwnAccountId(id)) {
        const usage = await ledger.flushWith(id, (report) => update(id, report));
        if (usage) onCounted(id, usage);
        if (usage || id === account) return usage;
        // It was deleted. There may be another one of that name since.
        idByName.delete(account);
      }
      // The update itself finds the account by its name.
      const usage = await update(account);
      if (!usage) return null;
      idByName.set(account, usage.accountId);
      ledger.learn(usage.accountId, usage.deliveries);
      onCounted(usage.accountId, usage);
      return usage;
    },
  };
}
