"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createIsGuessable = createIsGuessable;
const node_worker_threads_1 = require("node:worker_threads");
/** Looked at no further: what is strong so far is strong, and the time to look grows with the length. */
const MAX_LENGTH = 64;
/** Of 0 to 4; 3 needs more than 10^8 guesses. */
const LEAST_SCORE = 3;
/** A source, since a thread loads JavaScript only, and tests run the TypeScript. */
const JUDGE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { ZxcvbnFactory } = require(workerData.core);
  const { adjacencyGraphs, dictionary } = require(workerData.common);
  const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: workerData.maxLength });
  parentPort.on('message', ({ password, known }) => parentPort.postMessage(estimator.check(password, known).score));
`;
/**
 * zxcvbn, with its lists of common passwords, in a thread of its own that starts at the first call: a password of 64
 * characters takes it up to half a second.
 */
function createIsGuessable() {
    const waiting = [];
    let judge;
    const start = () => {
        const worker = new node_worker_threads_1.Worker(JUDGE, {
            eval: true,
            workerData: {
                core: require.resolve('@zxcvbn-ts/core'),
                common: require.resolve('@zxcvbn-ts/language-common'),
                maxLength: MAX_LENGTH,
            },
        });
        // It answers in order.
        worker.on('message', (score) => {
            waiting.shift()?.resolve(score);
            // A process that has nothing else to do may end.
            if (waiting.length === 0)
                worker.unref();
        });
        worker.on('error', (error) => {
            judge = undefined;
            for (const { reject } of waiting.splice(0))
                reject(error);
        });
        return worker;
    };
    return async (password, known) => {
        judge ??= start();
        judge.ref();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        judge.postMessage({ password, known });
        return (await new Promise((resolve, reject) => waiting.push({ resolve, reject }))) < LEAST_SCORE;
    };
}
//# sourceMappingURL=password-strength.js.map