import { Worker } from 'node:worker_threads';
import { signInBusy } from './password-hash';

/**
 * Whether a password is easy to guess: a common one, a keyboard pattern, a repetition, or made of `known`. Rejects when
 * it can't be judged, and with UnavailableError when too many wait already.
 */
export type IsGuessable = (password: string, known: readonly string[]) => Promise<boolean>;

/** Only this many characters are judged: a prefix that is strong is enough, and the time grows with the length. */
const MAX_LENGTH = 64;

/** A few seconds of waiting. A user who changes the password is asked for the old one, but may try any number of new ones. */
const MAX_WAITING = 20;

/** From 0 to 4; 3 needs more than 10^8 guesses. */
const MIN_SCORE = 3;

/** As source text, because a thread loads only JavaScript, and tests run the TypeScript. */
const JUDGE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { ZxcvbnFactory } = require(workerData.core);
  const { adjacencyGraphs, dictionary } = require(workerData.common);
  const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: workerData.maxLength });
  parentPort.on('message', ({ password, known }) => parentPort.postMessage(estimator.check(password, known).score));
`;

interface Waiting {
  readonly resolve: (score: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * zxcvbn, with its lists of common passwords, in its own thread, which starts at the first call: a password of 64
 * characters takes it up to half a second.
 */
export function createIsGuessable(): IsGuessable {
  const waiting: Waiting[] = [];
  let judge: Worker | undefined;

  const start = (): Worker => {
    const worker = new Worker(JUDGE, {
      eval: true,
      workerData: {
        core: require.resolve('@zxcvbn-ts/core'),
        common: require.resolve('@zxcvbn-ts/language-common'),
        maxLength: MAX_LENGTH,
      },
    });
    // It answers in order.
    worker.on('message', (score: number) => {
      waiting.shift()?.resolve(score);
      // A process with nothing else to do may end.
      if (waiting.length === 0) worker.unref();
    });
    worker.on('error', (error) => {
      judge = undefined;
      for (const { reject } of waiting.splice(0)) reject(error);
    });
    return worker;
  };
  return async (password, known) => {
    if (waiting.length >= MAX_WAITING) throw signInBusy();
    judge ??= start();
    judge.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    judge.postMessage({ password, known });
    return (await new Promise<number>((resolve, reject) => waiting.push({ resolve, reject }))) < MIN_SCORE;
  };
}
