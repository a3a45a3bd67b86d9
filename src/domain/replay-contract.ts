import type { DeliveryState } from './delivery-state';

/** States of a bulk replay, as the API shows them. */
export const REPLAY_STATES = ['running', 'completed', 'cancelled'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

/** States of deliveries that can be replayed. */
export const REPLAYABLE_STATES = ['failed', 'cancelled', 'delivered'] as const satisfies readonly DeliveryState[];
export type ReplayableState = (typeof REPLAYABLE_STATES)[number];

/** Deliveries a second, where the caller names none, and the most that can be asked for. */
export const DEFAULT_REPLAY_RATE = 50;
export const MAX_REPLAY_RATE = 500;

/** A page of a replay is what it may send in this time: so long may deliveries be early or late. */
const PAGE_MS = 2_000;
/** And not more than this, so that a page is a matter of seconds, whatever the rate. */
const MAX_PAGE = 200;

/** How many deliveries a page has. */
export function replayPageSize(ratePerSecond: number): number {
  return Math.min(MAX_PAGE, Math.max(1, Math.ceil((ratePerSecond * PAGE_MS) / 1_000)));
}

/**
 * When the next page may begin, so that the job keeps its rate. What a slow page missed is made up for by one page, not by
 * a burst.
 *
 * @param begunAtMs when the last page was to begin, on the clock of `nowMs`
 * @param taken how many deliveries it had
 */
export function nextPageAt(begunAtMs: number, nowMs: number, taken: number, ratePerSecond: number): number {
  return Math.max(begunAtMs, nowMs - PAGE_MS) + (taken / ratePerSecond) * 1_000;
}
