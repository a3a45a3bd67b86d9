/** Lets so many pieces of work run at a time; the others wait, first come, first served. */
export interface Turns {
  take<T>(work: () => Promise<T>): Promise<T>;
  /** How many wait. */
  waiting(): number;
}

/** @param atOnce how many run at a time */
export function createTurns(atOnce: number): Turns {
  const queue: (() => void)[] = [];
  let running = 0;
  return {
    async take(work) {
      if (running >= atOnce) await new Promise<void>((resolve) => queue.push(resolve));
      else running += 1;
      try {
        return await work();
      } finally {
        // The place is handed on, or given up.
        const next = queue.shift();
        if (next) next();
        else running -= 1;
      }
    },
    waiting: () => queue.length,
  };
}
