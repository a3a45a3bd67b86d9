import { parentPort } from 'node:worker_threads';
import type { ThreadMessage } from './limited-thread';

/**
 * The other end of `createLimitedThread`: answers each question of the thread that started this one, in order.
 *
 * @param answer must not throw for a question, or the thread dies
 */
export function answerQuestions<Question, Answer>(answer: (question: Question) => Answer): void {
  const port = parentPort!;
  const post = (message: ThreadMessage<Answer>): void => port.postMessage(message);
  port.on('message', (question: Question) => post({ answer: answer(question) }));
  post({ ready: true });
}
