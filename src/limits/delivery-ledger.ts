import { LRUCache } from 'lru-cache';
import type { DeliveryReport, DeliveryStanding } from './delivery-budget-store';
import { WINDOW_MS } from './windows';

interface Entry {
  windowStartedAt: Date;
  perMinute: number;
  /** Counted in the window, as the database said last. */
  used: number;
  pendingLimit: number | null;
  /** As the database said last. */
  pendingAtMost: number;
  untold: number;
  /** Told in updates that are under way. */
  beingTold: number;
}

const MAX_ACCOUNTS = 10_000;
const UNKNOWN: Readonly<Entry> = {
  windowStartedAt: new Date(0),
  perMinute: 0,
  used: 0,
  pendingLimit: null,
  pendingAtMost: 0,
  untold: 0,
  beingTold: 0,
};

export type DeliveryLedger = ReturnType<typeof createDeliveryLedger>;

/**
 * What this process knows of the deliveries that accounts created in their minutes, and what it has not told of yet.
 *
 * Ingest counts here, in memory, and the next update of the account's limits takes it along: counting costs no command.
 * So a process is exact about its own deliveries, and learns of another's with the first call that follows them there.
 */
export function createDeliveryLedger() {
  const entries = new LRUCache<string, Entry>({ max: MAX_ACCOUNTS });
  const entryOf = (accountId: string): Entry => {
    const entry = entries.get(accountId) ?? { ...UNKNOWN };
    entries.set(accountId, entry);
    return entry;
  };
  return {
    /** Counts deliveries if anything of the budget is left, as far as is known. @returns false when it is not */
    take(accountId: string, count: number): boolean {
      const entry = entryOf(accountId);
      const { pendingLimit, pendingAtMost } = pendingOf(entry);
      const isFull = pendingLimit !== null && pendingAtMost >= pendingLimit;
      const isLeft = !isFull && entry.used + entry.beingTold + entry.untold < entry.perMinute;
      if (isLeft) entry.untold += count;
      return isLeft;
    },
    /** Where the account stands with unfinished deliveries, as far as is known. */
    pending: (accountId: string) => pendingOf(entryOf(accountId)),
    /** Deliveries that were counted, and then were not created. */
    giveBack(accountId: string, count: number): void {
      entryOf(accountId).untold -= count;
    },
    /** Tells of what was not told yet in an update that is made anyway; should that fail, in the next one. */
    async tellWith<T extends { readonly deliveries: DeliveryStanding } | null>(
      accountId: string,
      update: (report: DeliveryReport | undefined) => Promise<T>,
    ): Promise<T> {
      const entry = entryOf(accountId);
      const { windowStartedAt, untold } = entry;
      entry.untold = 0;
      entry.beingTold += untold;
      try {
        const usage = await update(untold === 0 ? undefined : { windowStartedAt, count: untold });
        if (usage) learn(entry, usage.deliveries);
        return usage;
      } catch (error) {
        entry.untold += untold;
        throw error;
      } finally {
        entry.beingTold -= untold;
      }
    },
  };
}

function pendingOf({ pendingLimit, pendingAtMost, untold, beingTold }: Entry) {
  return { pendingLimit, pendingAtMost: pendingAtMost + untold + beingTold };
}

/** Answers may come in another order than the updates were made in. Where this is too high, the database is asked. */
function learn(entry: Entry, standing: DeliveryStanding): void {
  const { perMinute, now, windowStartedAt, used, pendingLimit, pendingAtMost } = standing;
  Object.assign(entry, { perMinute, pendingLimit, pendingAtMost });
  const begins = windowStartedAt ?? now;
  const age = begins.getTime() - entry.windowStartedAt.getTime();
  if (age === 0) entry.used = Math.max(entry.used, used);
  else if (windowStartedAt ? age > 0 : age >= WINDOW_MS) Object.assign(entry, { windowStartedAt: begins, used });
}
