/**
 * Makes the request that is part of an attempt. Only its silence is the endpoint's: the rest is ours.
 *
 * @param onSlow told when the answer takes longer than a second
 */
export type TimedRequest = <T>(send: () => Promise<T>, onSlow?: () => void) => Promise<T>;

/** What this process knows of how endpoints answer it: how many requests each may have, which are slow, and which hang. */
export interface EndpointLoad {
  /** Runs `work`, unless the endpoint has as many attempts under way in this process as it may. @returns undefined then */
  run<T>(endpointId: string, work: (request: TimedRequest) => Promise<T>): Promise<{ readonly value: T } | undefined>;
  /** How many more attempts may be under way to the endpoint from this process now; 0 or more. */
  roomFor(endpointId: string): number;
  /** Whether its attempts should keep out of the way of the fast ones. */
  isSlow(endpointId: string): boolean;
  /**
   * Whether it answers nothing at all. A slow one may be one that this machine is slow for; one that hangs has answered
   * nothing while more waited for it.
   */
  hangs(endpointId: string): boolean;
}
