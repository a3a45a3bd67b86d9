import { LRUCache } from 'lru-cache';
import { TooManyRequestsError } from '../domain/errors';
import type { Clock } from '../platform/clock';

/** Far above what a person with several windows comes to; it stops a program that took a session over. */
const CALLS_PER_MINUTE = 600;
const WINDOW_MS = 60_000;
const MAX_SESSIONS = 10_000;

/**
 * Counts a session's calls, in this process's memory.
 *
 * @returns a function that throws TooManyRequestsError once a session had its share of the minute
 */
export function createSessionLimit(clock: Clock): (sessionId: string) => void {
  const windows = new LRUCache<string, { endsAt: number; calls: number }>({ max: MAX_SESSIONS });
  return (sessionId) => {
    const now = clock();
    let window = windows.get(sessionId);
    if (!window || window.endsAt <= now) {
      window = { endsAt: now + WINDOW_MS, calls: 0 };
      windows.set(sessionId, window);
    }
    window.calls += 1;
    if (window.calls <= CALLS_PER_MINUTE) return;
    const waitSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1_000));
    throw new TooManyRequestsError(
      `More than ${CALLS_PER_MINUTE} calls in a minute. Wait ${waitSeconds} s.`,
      'rate_limit_exceeded',
      waitSeconds,
      { retry_after: waitSeconds, remaining: 0 },
    );
  };
}
