import { setTimeout } from 'node:timers/promises';

/** Waits, or returns early when the signal aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  // The only way to be rejected is the abort.
  await setTimeout(ms, undefined, signal && { signal }).catch(() => undefined);
}

/**
 * Does `work`, and again until it succeeds.
 *
 * @param onFirstFailure is told why the first try failed; the others are silent
 * @throws the last error, once the signal has aborted and one more try has failed
 */
export async function tryUntilDone<T>(
  work: () => Promise<T>,
  {
    everyMs,
    signal,
    onFirstFailure,
  }: { everyMs: number; signal: AbortSignal; onFirstFailure?: (error: unknown) => void },
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted) throw error;
      if (tries === 1) onFirstFailure?.(error);
      await sleep(everyMs, signal);
    }
  }
}
