/** How patient a call is. */
export interface CallOptions extends Partial<Patience> {
  /** Ends the call, also while it waits for its next try: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** How long a call may take. */
export interface Patience {
  /** How long each request may take, with its whole answer; 30 s by default. */
  readonly timeoutMs: number;
  /** How long the call may take with its retries and the waits before them; 2 minutes by default. */
  readonly totalTimeoutMs: number;
  /** How many requests may follow the first one; 5 by default. */
  readonly maxRetries: number;
}

/** With `Retry-After: 3` on each answer, all retries fit into the total. */
export const DEFAULT_PATIENCE: Patience = { timeoutMs: 30_000, totalTimeoutMs: 120_000, maxRetries: 5 };

/** @throws RangeError for a number that can't be one */
export function patienceOf(given: Partial<Patience> | undefined, defaults = DEFAULT_PATIENCE): Patience {
  const patience: Patience = {
    timeoutMs: given?.timeoutMs ?? defaults.timeoutMs,
    totalTimeoutMs: given?.totalTimeoutMs ?? defaults.totalTimeoutMs,
    maxRetries: given?.maxRetries ?? defaults.maxRetries,
  };
  if (!(patience.timeoutMs > 0)) throw new RangeError('`timeoutMs` is a number of milliseconds above 0.');
  if (!(patience.totalTimeoutMs > 0)) throw new RangeError('`totalTimeoutMs` is a number of milliseconds above 0.');
  if (!(patience.maxRetries >= 0)) throw new RangeError('`maxRetries` is 0 or more.');
  return patience;
}
