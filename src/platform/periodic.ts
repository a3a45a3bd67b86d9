import type { Logger } from './logger';
import { sleep } from './sleep';

/** Periodic work in the background. */
export interface Periodic {
  /** Starts no new round, and resolves when the one under way has ended. */
  close(): Promise<void>;
}

interface PeriodicOptions {
  /** From the end of a round to the next one. */
  readonly intervalMs: number;
  readonly logger: Logger;
  /** Log line for a round that throws. Of several in a row, the first is logged. */
  readonly failure: string;
}

/** Does `work` at once, and periodically until it is closed. A round that throws does not stop it. */
export function runPeriodically(
  { intervalMs, logger, failure }: PeriodicOptions,
  work: (stop: AbortSignal) => Promise<void>,
): Periodic {
  const stop = new AbortController();
  let isFailing = false;
  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await work(stop.signal);
        isFailing = false;
      } catch (error) {
        if (!isFailing && !stop.signal.aborted) logger.warn({ err: error }, failure);
        isFailing = true;
      }
      await sleep(intervalMs, stop.signal);
    }
  };
  const running = loop();
  return {
    async close() {
      stop.abort();
      await running;
    },
  };
}
