import type { DeliveryState } from './delivery-state';

/** States of a bulk replay, as in the API. */
export const REPLAY_STATES = ['running', 'completed', 'cancelled'] as const;
export type ReplayState = (typeof REPLAY_STATES)[number];

/**
 * States of deliveries that a bulk replay can select. Finished ones start a new run; those that are still `retrying` get
 * their next attempt now.
 */
export const REPLAYABLE_STATES = [
  'failed',
  'cancelled',
  'delivered',
  'retrying',
] as const satisfies readonly DeliveryState[];
export type ReplayableState = (typeof REPLAYABLE_STATES)[number];

/**
 * The most runs of a delivery: the first one, and its replays. A run is at most 20 attempts, so a delivery has at most
 * 2,000, and the history of an event has a bound. Who needs more sends the data as a new event.
 */
export const MAX_RUNS = 100;

/** The default number of deliveries a second, and the maximum. */
export const DEFAULT_REPLAY_RATE = 50;
export const MAX_REPLAY_RATE = 500;

/** A page of a replay is what it may send in this time, so deliveries may be this early or late. */
const PAGE_MS = 2_000;
/** The most in a page, so that a page takes seconds, whatever the rate. */
const MAX_PAGE = 200;

/** How many deliveries a page has. */
export function replayPageSize(ratePerSecond: number): number {
  return Math.min(MAX_PAGE, Math.max(1, Math.ceil((ratePerSecond * PAGE_MS) / 1_000)));
}

/**
 * When the next page may start, so that the job keeps its rate. After a slow page it catches up by one page, not by a
 * burst.
 *
 * @param begunAtMs when the last page was due to start, on the clock of `nowMs`
 * @param taken how many deliveries it had
 */
export function nextPageAt(begunAtMs: number, nowMs: number, taken: number, ratePerSecond: number): number {
  return Math.max(begunAtMs, nowMs - PAGE_MS) + (taken / ratePerSecond) * 1_000;
}
