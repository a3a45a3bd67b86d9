import type { HeldReason } from './delivery-contract';

/**
 * Makes the request that is part of an attempt. Only the time of this request counts as the endpoint's; the rest is
 * ours.
 *
 * @param onSlow called when the answer takes longer than a second
 */
export type TimedRequest = <T>(send: () => Promise<T>, onSlow?: () => void) => Promise<T>;

/**
 * What this process has learned about endpoints from their answers: how many requests each may have, which are slow,
 * and which hang.
 */
export interface EndpointLoad {
  /**
   * Runs `work`, which gets the way to make its request, or why the endpoint, which has as many attempts under way in
   * this process as it may, has no room for one.
   */
  run<T>(endpointId: string, work: (room: TimedRequest | HeldReason) => Promise<T>): Promise<T>;
  /** How many more attempts may be under way to the endpoint from this process now; 0 or more. */
  roomFor(endpointId: string): number;
  /** Whether its attempts should stay out of the way of fast ones. */
  isSlow(endpointId: string): boolean;
  /**
   * Whether it answers nothing at all. A slow endpoint may only look slow because of this machine; a hanging one has
   * answered nothing while more deliveries waited for it.
   */
  hangs(endpointId: string): boolean;
}
