/** The time between two queries. */
const ASK_EVERY_MS = 20;

/**
 * How long a test waits for what must come. It is longer than a claim lasts (40 s): if MongoDB halts at the wrong
 * moment, the sweeper makes the attempt after that. It is less than the minute after which a delivery that got no
 * signal looks by itself.
 */
export const PATIENCE_MS = 55_000;

/**
 * Repeats a query until the answer is right.
 *
 * @param ask the query; it may also return a value synchronously
 * @returns the first right answer
 * @throws Error with the last answer if none was right
 */
export async function eventually<T>(
  ask: () => T | Promise<T>,
  isRight: (value: T) => boolean,
  timeoutMs = PATIENCE_MS,
): Promise<T> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const value = await ask();
    if (isRight(value)) return value;
    if (performance.now() > giveUpAt) throw new Error(`never right; last: ${JSON.stringify(value)?.slice(0, 2_000)}`);
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
}
