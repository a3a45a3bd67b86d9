import type { Logger } from './logger';

interface TallyOptions<Sum> {
  /** From the first addition after a flush to the next flush. */
  readonly flushMs: number;
  /** Sums two of one name. @param one the earlier one */
  readonly merge: (one: Sum, other: Sum) => Sum;
  /** Writes the sums, by name, in one go. */
  readonly write: (sums: ReadonlyMap<string, Sum>) => Promise<unknown>;
  readonly logger: Logger;
  /** Log line for sums that were not written; they are written with the next flush. */
  readonly failure: string;
}

/**
 * Sums up increments by name, in memory, and writes the sums now and then: what it costs does not grow with the number
 * of increments. While there is nothing to write it does nothing. A process that is killed loses what it added since the
 * last flush.
 */
export function createTally<Sum>({ flushMs, merge, write, logger, failure }: TallyOptions<Sum>) {
  let sums = new Map<string, Sum>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const add = (name: string, sum: Sum): void => {
    const earlier = sums.get(name);
    sums.set(name, earlier === undefined ? sum : merge(earlier, sum));
    timer ??= setTimeout(() => void flush(), flushMs).unref();
  };
  const writeAll = async (): Promise<void> => {
    if (sums.size === 0) return;
    const taken = sums;
    sums = new Map();
    try {
      await write(taken);
    } catch (error) {
      logger.debug({ err: error }, failure);
      const later = sums;
      sums = new Map();
      for (const some of [taken, later]) for (const [name, sum] of some) add(name, sum);
    }
  };
  /** Writes what was added before. One write at a time, so that sums are written in the order of their additions. */
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll);
    return writing;
  };
  return {
    add,
    flush,
    /** Writes what was added, once. */
    async close(): Promise<void> {
      await flush();
      clearTimeout(timer);
    },
  };
}
