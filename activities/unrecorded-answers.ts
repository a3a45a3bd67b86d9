import { setTimeout as wait } from 'node:timers/promises';
import type { AttemptAnswer } from '../src/domain/delivery-contract';
import type { Logger } from '../src/platform/logger';

/** The answers that MongoDB did not take yet. One for each process. */
export interface UnrecordedAnswers {
  /** The answer of an attempt that is not written down yet. */
  find(attempt: string): AttemptAnswer | undefined;
  /** Goes on with `write` in the background until it succeeds: no matter what becomes of the answer in Temporal. */
  keep(attempt: string, answer: AttemptAnswer, write: () => Promise<void>): void;
  /** Gives what is left some 2 s more, and ends. */
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 250;
/** Shorter than the time between two looks at a claim whose lease is over: the answer comes first. */
const MOST_RETRY_MS = 1_500;
const LAST_PATIENCE_MS = 2_000;
/** Some 3 KiB each. Beyond this the oldest is forgotten here; its workflow may still write it down. */
const MAX_KEPT = 10_000;

interface Kept {
  readonly answer: AttemptAnswer;
  readonly written: Promise<void>;
}

/**
 * Keeps on writing what could not be written. The workflow writes it down as well, but only if the outcome reaches it:
 * the outcome of a workflow task that timed out meanwhile is lost, and another process is asked for the attempt.
 */
export function createUnrecordedAnswers(logger: Logger): UnrecordedAnswers {
  const kept = new Map<string, Kept>();
  let isStopped = false;

  const writeUntilIn = async (attempt: string, write: () => Promise<void>): Promise<void> => {
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(delayMs * 2, MOST_RETRY_MS)) {
      await wait(delayMs, undefined, { ref: false });
      if (isStopped || !kept.has(attempt)) return;
      const isIn = await write().then(
        () => true,
        () => false,
      );
      if (!isIn) continue;
      kept.delete(attempt);
      return;
    }
  };

  return {
    find: (attempt) => kept.get(attempt)?.answer,
    keep(attempt, answer, write) {
      if (kept.has(attempt)) return;
      const [oldest] = kept.keys();
      if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      // The first pause comes before the first look into `kept`.
      kept.set(attempt, { answer, written: writeUntilIn(attempt, write) });
    },
    async close() {
      if (kept.size > 0) {
        const all = Promise.all([...kept.values()].map(({ written }) => written));
        await Promise.race([all, wait(LAST_PATIENCE_MS)]);
      }
      isStopped = true;
      if (kept.size > 0) logger.warn({ answers: kept.size }, 'stopped before all answers could be written down');
    },
  };
}
