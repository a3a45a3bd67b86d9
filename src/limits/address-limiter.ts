import { LRUCache } from 'lru-cache';
import { networksOf } from '../domain/client-networks';
import type { Clock } from '../platform/clock';
import type { LimitView } from './limiter';
import { isWindowOver, WINDOW_MS } from './windows';

const MAX_ADDRESSES = 50_000;

interface Window {
  readonly startedAt: Date;
  used: number;
}

/** Of an address, or of a network that it is in. */
interface Counter {
  readonly window: Window;
  readonly most: number;
}

export type AddressLimiter = ReturnType<typeof createAddressLimiter>;

/**
 * Counts calls by client address, or by session, in a fixed window for each, in this process's memory. Says when one has
 * used up its share of the minute. IPv6 clients are counted in their wider networks too.
 *
 * @param deps `quotaLimit` is the value of the quota headers, although addresses have no monthly quota: `null` is
 *   unlimited
 */
export function createAddressLimiter(deps: { perMinute: number; quotaLimit: number | null; clock: Clock }) {
  const windows = new LRUCache<string, Window>({ max: MAX_ADDRESSES });
  const windowOf = (address: string): Window => {
    const now = deps.clock();
    const window = windows.get(address);
    if (window && !isWindowOver(window.startedAt, now)) return window;
    const fresh = { startedAt: new Date(now), used: 0 };
    windows.set(address, fresh);
    return fresh;
  };
  const countersOf = (address: string): Counter[] =>
    networksOf(address).map(({ network, share }) => ({ window: windowOf(network), most: deps.perMinute * share }));
  const viewOf = (counters: readonly Counter[]): LimitView => {
    const tightest = counters.reduce((one, other) => (leftOf(other) < leftOf(one) ? other : one));
    return {
      perMinute: deps.perMinute,
      remaining: leftOf(tightest),
      resetAtSeconds: Math.ceil((tightest.window.startedAt.getTime() + WINDOW_MS) / 1_000),
      quotaUsed: 0,
      quotaLimit: deps.quotaLimit,
    };
  };
  return {
    /**
     * Counts once.
     *
     * @returns `limited`: the share was already used up, and this call was not counted; `retryAfterSeconds`: until the
     *   window ends, at least 1
     */
    count(address: string) {
      const counters = countersOf(address);
      const full = counters.find((counter) => leftOf(counter) <= 0);
      if (!full) for (const { window } of counters) window.used += 1;
      const { startedAt } = (full ?? counters[0]!).window;
      const waitMs = startedAt.getTime() + WINDOW_MS - deps.clock();
      const view = viewOf(counters);
      return { limited: full !== undefined, view, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
    },
    /** The counts of the address, without counting. */
    peek: (address: string) => viewOf(countersOf(address)),
  };
}

function leftOf({ window, most }: Counter): number {
  return most - window.used;
}
