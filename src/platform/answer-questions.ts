import { parentPort } from 'node:worker_threads';
import type { ThreadMessage } from './limited-thread';

/**
 * The other end of `createLimitedThread`: answers each question of the thread that started this one, in order.
 *
 * @param answer must not throw for a question, or the thread dies
 */
export function answerQuestions(answer: (question: never) => unknown): void {
  const port = parentPort!;
  const post = (message: ThreadMessage<unknown>): void => port.postMessage(message);
  port.on('message', (question) => post({ answer: answer(question as never) }));
  post({ ready: true });
}
