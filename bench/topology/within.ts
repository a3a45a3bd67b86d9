import { setTimeout as pass } from 'node:timers/promises';

/**
 * Repeats a query until the answer is yes.
 *
 * @returns whether it ever was
 */
export async function within(
  timeoutMs: number,
  ask: () => boolean | Promise<boolean>,
  everyMs = 100,
): Promise<boolean> {
  const giveUpAt = Date.now() + timeoutMs;
  for (;;) {
    if (await ask()) return true;
    if (Date.now() > giveUpAt) return false;
    await pass(everyMs);
  }
}
