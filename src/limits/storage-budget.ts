import { LRUCache } from 'lru-cache';
import type { AccountTiers } from '../accounts/account-tiers';
import { storageBudgetExceeded } from './refusals';
import type { StorageStore } from './storage-store';

const MAX_ACCOUNTS = 10_000;
const DAY_MS = 86_400_000;
/** A process reports its sum when it has this much, or after this time, with the next event of the account. */
const REPORT_BYTES = 1_048_576;
const REPORT_AFTER_MS = 2_000;

interface Entry {
  readonly day: string;
  /** By the last answer of the database. */
  known: number;
  unreported: number;
  reportedAtMs: number;
}

export type StorageBudget = ReturnType<typeof createStorageBudget>;

/**
 * How many bytes of `data` an account may store in a day in UTC: events, and test events. Counted in this process's
 * memory and reported to the database in sums, so an event costs no command; only the first one of an account and day
 * waits for the database. Tiers without such a limit cost nothing.
 */
export function createStorageBudget({
  stored,
  tiers,
}: {
  readonly stored: Pick<StorageStore, 'add'>;
  readonly tiers: Pick<AccountTiers, 'of'>;
}) {
  const entries = new LRUCache<string, Promise<Entry>>({ max: MAX_ACCOUNTS });
  const entryOf = async (accountId: string, day: string): Promise<Entry> => {
    const found = await entries.get(accountId);
    if (found?.day === day) return found;
    const reading = stored
      .add(accountId, day, 0)
      .then((known): Entry => ({ day, known, unreported: 0, reportedAtMs: performance.now() }));
    entries.set(accountId, reading);
    reading.catch(() => entries.delete(accountId));
    return reading;
  };
  const report = (accountId: string, entry: Entry): void => {
    const bytes = entry.unreported;
    entry.unreported = 0;
    entry.known += bytes;
    entry.reportedAtMs = performance.now();
    stored.add(accountId, entry.day, bytes).then(
      (sum) => (entry.known = sum),
      () => {
        entry.known -= bytes;
        entry.unreported += bytes;
      },
    );
  };
  return {
    /**
     * Counts the data of an event.
     *
     * @param now the database's clock
     * @throws TooManyRequestsError `storage_budget_exceeded` when the day would exceed its storage
     */
    async take(accountId: string, bytes: number, now: Date): Promise<void> {
      const { storedBytesPerDay: most } = await tiers.of(accountId);
      if (most === null) return;
      const entry = await entryOf(accountId, now.toISOString().slice(0, 10));
      if (entry.known + entry.unreported + bytes > most) {
        const resetsAt = new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS);
        throw storageBudgetExceeded(most, {
          retryAfterSeconds: Math.max(1, Math.ceil((resetsAt.getTime() - now.getTime()) / 1_000)),
          resetsAt,
        });
      }
      entry.unreported += bytes;
      const isLate = performance.now() - entry.reportedAtMs >= REPORT_AFTER_MS;
      if (entry.unreported >= REPORT_BYTES || isLate) report(accountId, entry);
    },
    /** The data of an event that was counted and then not stored. Never throws. */
    async giveBack(accountId: string, bytes: number): Promise<void> {
      const entry = await entries.get(accountId)?.catch(() => undefined);
      if (entry) entry.unreported -= bytes;
    },
  };
}

/** For events of Everpost itself. */
export const UNLIMITED_STORAGE: StorageBudget = {
  take: () => Promise.resolve(),
  giveBack: () => Promise.resolve(),
};
