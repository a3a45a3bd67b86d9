import { Worker } from 'node:worker_threads';

/** A question that took longer than the limit of its thread. */
export class CutOffError extends Error {
  override readonly name = 'CutOffError';
}

/** A thread that answers questions one after the other, each within a time limit. */
export interface LimitedThread<Question, Answer> {
  /**
   * Rejects with CutOffError if the thread takes longer than the limit for this question; waiting for others does not
   * count. Rejects with the error of a thread that dies of it, for example for want of memory.
   */
  ask(question: Question): Promise<Answer>;
  /** Ends the thread. Questions without an answer are rejected. */
  close(): Promise<void>;
}

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** What a thread posts: that it has loaded, then an answer to each question, in order. */
export type ThreadMessage<Answer> = { readonly ready: true } | { readonly answer: Answer };

/**
 * Starts a thread at the first question, and another one in place of one that was over its limit or that died. The
 * others who wait are asked again there: a question must be answered by itself, without what the thread knew before.
 *
 * @param file the module of the thread, without its extension; it calls `answerQuestions`
 * @param limitMs for one question: time in which the process computes. On a machine that is too busy to run it, a question
 *   may take up to ten times as long
 * @param maxMemoryMb of the thread's heap
 */
export function createLimitedThread<Question, Answer>(
  file: string,
  limitMs: number,
  maxMemoryMb = 256,
): LimitedThread<Question, Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;

  const replace = async (error: unknown): Promise<void> => {
    const old = worker;
    worker = undefined;
    clearTimeout(timer);
    waiting.shift()?.reject(error);
    if (waiting.length > 0) start();
    await old?.terminate();
  };
  const look = (running: Waiting<Question, Answer>, began: Beginning): void => {
    // Its answer may have arrived while this thread was busy.
    setImmediate(() => {
      if (waiting[0] !== running) return;
      const leftMs = limitMs - spentMs(began);
      if (leftMs <= 0) void replace(new CutOffError(`no answer within ${limitMs} ms`));
      else timer = setTimeout(look, Math.ceil(leftMs), running, began);
    });
  };
  const watch = (): void => {
    clearTimeout(timer);
    const [running] = waiting;
    const began = { atMs: performance.now(), cpu: process.cpuUsage() };
    if (running) timer = setTimeout(look, limitMs, running, began);
    // A process with nothing else to do may end.
    else worker?.unref();
  };
  const start = (): void => {
    const started = new Worker(require.resolve(file), {
      execArgv: preloadsOf(process.execArgv),
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    });
    worker = started;
    started.on('message', (message: ThreadMessage<Answer>) => {
      if (worker !== started) return;
      if ('answer' in message) waiting.shift()?.resolve(message.answer);
      watch();
    });
    started.on('error', (error) => {
      if (worker === started) void replace(error);
    });
    for (const { question } of waiting) post(started, question);
  };
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        waiting.push({ question, resolve, reject });
        if (!worker) return start();
        worker.ref();
        post(worker, question);
        if (waiting.length === 1) watch();
      }),
    async close() {
      clearTimeout(timer);
      for (const { reject } of waiting.splice(0)) reject(new Error('the thread was closed'));
      await worker?.terminate();
      worker = undefined;
    },
  };
}

/** When the thread began with a question. */
interface Beginning {
  readonly atMs: number;
  readonly cpu: NodeJS.CpuUsage;
}

/** The share of the time that counts in any case. */
const MIN_SHARE = 0.1;

/** How long the thread may have computed since then: no longer than the whole process did. */
function spentMs({ atMs, cpu }: Beginning): number {
  const { user, system } = process.cpuUsage(cpu);
  const passedMs = performance.now() - atMs;
  return Math.min(passedMs, Math.max((user + system) / 1_000, passedMs * MIN_SHARE));
}

/** Tests load TypeScript with one. A thread takes no options of V8. */
function preloadsOf(options: readonly string[]): string[] {
  return options.filter((option, index) => option === '--require' || options[index - 1] === '--require');
}

function post(worker: Worker, question: unknown): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(question);
}
