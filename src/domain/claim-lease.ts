/** The margin for recording an answer, beyond the longest time that the receiver may take. */
const WRITE_DOWN_MS = 10_000;

/** How long a claim blocks other processes: longer than any attempt that may take `timeoutMs`. */
export function claimLeaseMs(timeoutMs: number): number {
  return timeoutMs + WRITE_DOWN_MS;
}

/** The longest `DELIVERY_TIMEOUT` that a process may have. */
const MAX_TIMEOUT_MS = 30_000;

/** How long any process's claim lasts at most: what an attempt under way writes, it writes within this time. */
export const MAX_CLAIM_MS = claimLeaseMs(MAX_TIMEOUT_MS);
