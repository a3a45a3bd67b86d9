/**
 * Limits how many pieces of work run at a time; the others wait, first come, first served.
 *
 * @param atOnce how many run at a time
 */
export function createTurns(atOnce: number) {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async take<T>(work: () => Promise<T>): Promise<T> {
      if (running >= atOnce) await new Promise<void>((resolve) => queue.push(resolve));
      else running += 1;
      try {
        return await work();
      } finally {
        // The place goes to the next one, or is freed.
        const next = queue.shift();
        if (next) next();
        else running -= 1;
      }
    },
    /** How many wait. */
    waiting: () => queue.length,
  };
}

/**
 * Does `work` for each item, at most `atOnce` at a time. A failure does not stop the others.
 *
 * @returns how many times `work` resolved to true
 */
export async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<boolean>,
): Promise<number> {
  const turns = createTurns(atOnce);
  const results = items.map((item) => turns.take(() => work(item)).catch(() => false));
  return (await Promise.all(results)).filter(Boolean).length;
}
