/**
 * How long each phase of an attempt took, in whole milliseconds. A phase that was not reached, or was not needed, is
 * absent: a kept connection needs no look-up, no connect and no TLS handshake. Until the status, they add up to the
 * latency.
 */
export interface Timings {
  /** Until the name was resolved. */
  readonly dns?: number;
  /** Until the connection was there; through an egress proxy, until its tunnel was. */
  readonly connect?: number;
  /** Until the TLS handshake was finished. */
  readonly tls?: number;
  /** Until the status arrived. */
  readonly first?: number;
  /** From the status until headers and body were read, or given up. */
  readonly body?: number;
}
