import { sleep } from './sleep';

/**
 * Limits how many pieces of work run at a time; the others wait, first come, first served.
 *
 * @param atOnce how many run at a time
 * @param rests how many times as long as a piece of work took its place then rests, before the next one gets it
 */
export function createConcurrencyLimit(atOnce: number, rests = 0) {
  const queue: (() => void)[] = [];
  let running = 0;
  /** The place goes to the next one, or is freed. */
  const leave = (): void => {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  };
  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running >= atOnce) await new Promise<void>((resolve) => queue.push(resolve));
      else running += 1;
      const beganMs = performance.now();
      try {
        return await work();
      } finally {
        if (rests === 0) leave();
        else void sleep(rests * (performance.now() - beganMs)).then(leave);
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
  work: (item: T) => Promise<unknown>,
): Promise<number> {
  const slots = createConcurrencyLimit(atOnce);
  const results = items.map((item) => slots.run(() => work(item)).catch(() => false));
  return (await Promise.all(results)).filter((result) => result === true).length;
}
