import { LRUCache } from 'lru-cache';
import type { AccountTiers } from '../accounts/account-tiers';
import { receiverOf } from '../domain/destination-url';

const WINDOW_MS = 60_000;
const MAX_RECEIVERS = 10_000;
/** What a gate releases is attempted within this time, or its place goes to others. */
const RESERVED_MS = 2_000;

interface Window {
  readonly startedAt: number;
  /** Attempts of all accounts. */
  attempts: number;
  /** Attempts of accounts whose tier bounds them. */
  counted: number;
  reserved: number;
  reservedUntil: number;
}

/** A receiver, and how many attempts it got. */
export interface ReceiverLoad {
  readonly receiver: string;
  readonly attempts: number;
}

export type ReceiverBudget = ReturnType<typeof createReceiverBudget>;

/**
 * Counts the attempts to each receiver over all accounts and endpoints, retries included, in windows of a minute in this
 * process's memory: a delivery costs no command. So each process may send as many.
 *
 * The tier of an account says how many its receivers may get; only attempts of such accounts count. One account, or many
 * with an endpoint each, can't make Everpost flood a host that belongs to none of them.
 *
 * @param perf the clock: the process's own, unless a test passes one
 */
export function createReceiverBudget(tiers: Pick<AccountTiers, 'of'>, perf: { now(): number } = performance) {
  const windows = new LRUCache<string, Window>({ max: MAX_RECEIVERS });
  const windowOf = (url: string): Window => {
    const receiver = receiverOf(url);
    const now = perf.now();
    let window = windows.get(receiver);
    if (!window || now - window.startedAt >= WINDOW_MS) {
      window = { startedAt: now, attempts: 0, counted: 0, reserved: 0, reservedUntil: 0 };
      windows.set(receiver, window);
    }
    if (now >= window.reservedUntil) window.reserved = 0;
    return window;
  };
  const mostOf = async (accountId: string): Promise<number | null> => (await tiers.of(accountId)).attemptsPerReceiver;
  return {
    /** Counts an attempt, if the receiver may get one more now. @returns false if it may not */
    async take(accountId: string, url: string): Promise<boolean> {
      const most = await mostOf(accountId);
      const window = windowOf(url);
      if (most !== null) {
        if (window.reserved > 0) window.reserved -= 1;
        else if (window.counted >= most) return false;
        window.counted += 1;
      }
      window.attempts += 1;
      return true;
    },
    /**
     * Sets attempts aside for deliveries that a gate releases, for a moment.
     *
     * @returns how many of the `wanted` ones; all of them for an account whose tier bounds none
     */
    async reserve(accountId: string, url: string, wanted: number): Promise<number> {
      const most = await mostOf(accountId);
      if (most === null) return wanted;
      const window = windowOf(url);
      const granted = Math.max(0, Math.min(wanted, most - window.counted - window.reserved));
      window.reserved += granted;
      if (granted > 0) window.reservedUntil = perf.now() + RESERVED_MS;
      return granted;
    },
    /** Milliseconds after which a receiver at its limit may get attempts again. */
    untilFreeMs(url: string): number {
      const { startedAt, reserved, reservedUntil } = windowOf(url);
      const now = perf.now();
      return reserved > 0 ? reservedUntil - now : startedAt + WINDOW_MS - now;
    },
    /** The receivers that get the most attempts in the current minute. */
    top(count: number): ReceiverLoad[] {
      const now = perf.now();
      return [...windows.entries()]
        .filter(([, { startedAt }]) => now - startedAt < WINDOW_MS)
        .map(([receiver, { attempts }]) => ({ receiver, attempts }))
        .sort((one, other) => other.attempts - one.attempts)
        .slice(0, count);
    },
  };
}
