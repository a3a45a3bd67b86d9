/** After a second with more, this many seconds have to follow without one. */
const CALM_MS = 10_000;
const SECOND_MS = 1_000;

/**
 * Knows whether this process has ordinary load: no second of the last ten had more deliveries than `perSecond`.
 *
 * @param perf the clock: the process's own, unless a test passes one
 */
export function createOrdinaryLoad(perSecond: number, perf: { now(): number } = performance) {
  let second = 0;
  let count = 0;
  let busyUntilMs = Number.NEGATIVE_INFINITY;
  return {
    /** Counts a delivery. @returns whether the load is ordinary */
    note(): boolean {
      const now = perf.now();
      const current = Math.floor(now / SECOND_MS);
      if (current !== second) count = 0;
      second = current;
      count += 1;
      if (count > perSecond) busyUntilMs = now + CALM_MS;
      return now >= busyUntilMs;
    },
  };
}
