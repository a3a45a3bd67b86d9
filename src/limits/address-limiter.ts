import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/clock';
import type { LimitView } from './limiter';
import { isWindowOver, WINDOW_MS } from './windows';

const MAX_ADDRESSES = 50_000;

interface Window {
  readonly startedAt: Date;
  used: number;
}

export type AddressLimiter = ReturnType<typeof createAddressLimiter>;

/**
 * Counts calls by client address, or by session, in a fixed window for each, in this process's memory. Says when one has
 * used up its share of the minute.
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
  const viewOf = ({ startedAt, used }: Window): LimitView => ({
    perMinute: deps.perMinute,
    remaining: deps.perMinute - used,
    resetAtSeconds: Math.ceil((startedAt.getTime() + WINDOW_MS) / 1_000),
    quotaUsed: 0,
    quotaLimit: deps.quotaLimit,
  });
  return {
    /**
     * Counts once.
     *
     * @returns `limited`: the share was already used up, and this call was not counted; `retryAfterSeconds`: until the
     *   window ends, at least 1
     */
    count(address: string) {
      const window = windowOf(address);
      const limited = window.used >= deps.perMinute;
      if (!limited) window.used += 1;
      const waitMs = window.startedAt.getTime() + WINDOW_MS - deps.clock();
      return { limited, view: viewOf(window), retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
    },
    /** The counts of the address, without counting. */
    peek: (address: string) => viewOf(windowOf(address)),
  };
}
