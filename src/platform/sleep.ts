import { setTimeout } from 'node:timers/promises';

/** Waits, or returns early when the signal aborts. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // The only way to be rejected is the abort.
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
