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
  /** Until the status and its headers arrived. */
  readonly first?: number;
  /** Until the body was read. */
  readonly body?: number;
}
