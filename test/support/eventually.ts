/** How often it asks. */
const ASK_EVERY_MS = 20;

/**
 * Asks until the answer is right. The patience is longer than a claim lasts (40 s): where MongoDB halts at the wrong
 * moment, the sweeper makes the attempt after that. It is less than the minute after which a delivery that nobody woke
 * looks by itself.
 *
 * @param ask what is asked for again and again; it may also return a value at once
 * @returns the first answer that is right
 * @throws Error with the last answer when it never was
 */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  isRight: (value: T) => boolean,
  timeoutMs = 55_000,
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const value = await ask();
    if (isRight(value)) return value;
    if (performance.now() > giveUpAt) throw new Error(`never right; last: ${JSON.stringify(value)?.slice(0, 2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
