import { LRUCache } from 'lru-cache';
import type { Tier } from '../domain/tiers';
import type { AccountStore } from './account-store';

const MAX_ACCOUNTS = 10_000;
/** A changed tier applies to budgets in memory after this time at the latest. */
const KNOWN_MS = 60_000;

export type AccountTiers = ReturnType<typeof createAccountTiers>;

/** The tiers of accounts, read once a minute, so that a delivery costs no query. */
export function createAccountTiers(accounts: Pick<AccountStore, 'find'>, tiers: ReadonlyMap<string, Tier>) {
  const known = new LRUCache<string, Promise<Tier>>({ max: MAX_ACCOUNTS, ttl: KNOWN_MS });
  return {
    /** The tier; `free` for an account that is gone or whose tier is not configured. Rejects when MongoDB is away. */
    of(accountId: string): Promise<Tier> {
      const found = known.get(accountId);
      if (found) return found;
      const reading = accounts.find(accountId).then((account) => tiers.get(account?.tier ?? '') ?? tiers.get('free')!);
      known.set(accountId, reading);
      reading.catch(() => known.delete(accountId));
      return reading;
    },
  };
}
