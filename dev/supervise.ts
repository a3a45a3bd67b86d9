import { reasonOf } from './local-stack-error';
import type { Progress } from './progress';
import type { ServerProcess } from './server-process';

/** A server that is started again whenever it ends unasked. */
export interface Supervised<T> {
  /** As it was first started; ports stay the same for good. */
  readonly first: T;
  /** Ends it for good. */
  stop(): Promise<void>;
}

export interface SuperviseOptions<T> {
  /** What it is called in messages. */
  readonly name: string;
  readonly start: () => Promise<T>;
  /** As `start`, on the ports that the first start got. */
  readonly restart: (first: T) => Promise<T>;
  readonly onProgress: Progress;
  /** For tests. */
  readonly firstDelayMs?: number;
}

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;
/** A server that ran so long has recovered: the next failure begins with a short delay again. */
const RECOVERED_AFTER_MS = 60_000;

/**
 * Starts a server and keeps it running: deliveries wait while it is away and go on when it is back.
 *
 * @throws what `start` throws; later failures are reported and tried again
 */
export async function supervise<T extends { readonly process: ServerProcess }>(
  options: SuperviseOptions<T>,
): Promise<Supervised<T>> {
  const { name, onProgress, restart } = options;
  const firstDelayMs = options.firstDelayMs ?? FIRST_DELAY_MS;
  const first = await options.start();
  const stopped = new AbortController();
  let current: T | undefined = first;

  async function keepAlive() {
    let delayMs = firstDelayMs;
    while (!stopped.signal.aborted) {
      if (current) {
        const startedAt = Date.now();
        const end = await current.process.exited;
        current = undefined;
        if (stopped.signal.aborted) return;
        if (Date.now() - startedAt > RECOVERED_AFTER_MS) delayMs = firstDelayMs;
        onProgress(`${name} ended unexpectedly (${end}); starting it again. Deliveries wait meanwhile.`);
      }
      await sleep(delayMs, stopped.signal);
      delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS);
      if (stopped.signal.aborted) return;
      try {
        current = await restart(first);
        onProgress(`${name} runs again.`);
      } catch (error) {
        onProgress(`${name} did not start again: ${reasonOf(error)}. Trying on.`);
      }
    }
  }

  const keeping = keepAlive();
  return {
    first,
    async stop() {
      stopped.abort();
      await current?.process.stop();
      await keeping;
      // It may have been starting when we were asked.
      await current?.process.stop();
    },
  };
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
