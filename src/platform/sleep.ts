import { setTimeout } from 'node:timers/promises';

/** Waits, or returns early when the signal aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  // Only the abort rejects it.
  await setTimeout(ms, undefined, signal && { signal }).catch(() => undefined);
}

/**
 * Does `work`, and repeats it until it succeeds.
 *
 * @param onFirstFailure gets the error of the first try; later ones are silent
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
