import { LRUCache } from 'lru-cache';
import type { DeliveryReport, DeliveryStanding } from './delivery-budget-store';
import { isWindowOver } from './windows';

interface Entry {
  windowStartedAt: Date;
  perMinute: number;
  /** Counted in the window, by the database's last answer. */
  used: number;
  pendingLimit: number | null;
  /** By the database's last answer. */
  pendingAtMost: number;
  /** Counted here, and in no update yet. */
  unreported: number;
  /** Reported in updates that are under way. */
  inFlight: number;
}

const MAX_ACCOUNTS = 10_000;
const UNKNOWN: Readonly<Entry> = {
  windowStartedAt: new Date(0),
  perMinute: 0,
  used: 0,
  pendingLimit: null,
  pendingAtMost: 0,
  unreported: 0,
  inFlight: 0,
};

export type DeliveryLedger = ReturnType<typeof createDeliveryLedger>;

/**
 * The deliveries that accounts created in the current minute, as far as this process knows, and those it has not
 * reported yet.
 *
 * Ingest counts here, in memory, and the next update of the account's limits includes the count, so counting costs no
 * command. A process is therefore exact about its own deliveries, and learns about another's with the next call there.
 */
export function createDeliveryLedger() {
  const entries = new LRUCache<string, Entry>({ max: MAX_ACCOUNTS, memoMethod: () => ({ ...UNKNOWN }) });
  const entryOf = (accountId: string): Entry => entries.memo(accountId);
  return {
    /** Counts deliveries if any budget is left, as far as is known. @returns false if none is left */
    take(accountId: string, count: number): boolean {
      const entry = entryOf(accountId);
      const { pendingLimit, pendingAtMost } = pendingOf(entry);
      const isFull = pendingLimit !== null && pendingAtMost >= pendingLimit;
      const isLeft = !isFull && entry.used + entry.inFlight + entry.unreported < entry.perMinute;
      if (isLeft) entry.unreported += count;
      return isLeft;
    },
    /** The account's unfinished deliveries, as far as is known. */
    pending: (accountId: string) => pendingOf(entryOf(accountId)),
    /** Deliveries that were counted and then not created. */
    giveBack(accountId: string, count: number): void {
      entryOf(accountId).unreported -= count;
    },
    /** Notes the counters of an account, from an update that reported nothing. */
    learn: (accountId: string, standing: DeliveryStanding): void => learn(entryOf(accountId), standing),
    /** Reports unreported deliveries in an update that runs anyway; if it fails, the next one reports them. */
    async flushWith<T extends { readonly deliveries: DeliveryStanding } | null>(
      accountId: string,
      update: (report: DeliveryReport | undefined) => Promise<T>,
    ): Promise<T> {
      const entry = entryOf(accountId);
      const { windowStartedAt, unreported } = entry;
      entry.unreported = 0;
      entry.inFlight += unreported;
      try {
        const usage = await update(unreported === 0 ? undefined : { windowStartedAt, count: unreported });
        if (usage) learn(entry, usage.deliveries);
        return usage;
      } catch (error) {
        entry.unreported += unreported;
        throw error;
      } finally {
        entry.inFlight -= unreported;
      }
    },
  };
}

function pendingOf({ pendingLimit, pendingAtMost, unreported, inFlight }: Entry) {
  return { pendingLimit, pendingAtMost: pendingAtMost + unreported + inFlight };
}

/** Answers may arrive in another order than their updates ran. If the number is too high, the database is asked. */
function learn(entry: Entry, standing: DeliveryStanding): void {
  const { perMinute, now, windowStartedAt, used, pendingLimit, pendingAtMost } = standing;
  Object.assign(entry, { perMinute, pendingLimit, pendingAtMost });
  const begins = windowStartedAt ?? now;
  const age = begins.getTime() - entry.windowStartedAt.getTime();
  if (age === 0) entry.used = Math.max(entry.used, used);
  else if ((windowStartedAt && age > 0) || isWindowOver(entry.windowStartedAt, now.getTime()))
    Object.assign(entry, { windowStartedAt: begins, used });
}
