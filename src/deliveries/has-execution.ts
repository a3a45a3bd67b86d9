import { isFinished } from '../domain/delivery-state';
import type { AnsweredAttempt } from '../stores/attempt-store';
import type { Destination } from '../stores/event-store';

/**
 * Whether the current run of a delivery has an execution in Temporal, running or ended. Without one, processes made all
 * its attempts (express), or it waits in MongoDB for its first one.
 *
 * @param attempts the newest ones, of all runs, in order: all of the current run are among them
 * @param maxAttempts the length of the run's schedule
 */
export function hasExecution(
  { state, run, dispatch }: Destination,
  attempts: readonly AnsweredAttempt[],
  maxAttempts: number,
): boolean {
  const own = attempts.filter((attempt) => attempt.run === run);
  if (own.some(({ answer }) => !answer.express)) return true;
  if (!isFinished(state)) return dispatch === 'done';
  const last = own.at(-1);
  // Cancelled before the first answer, or after a failed attempt, when an execution had started.
  if (!last) return true;
  return !last.answer.succeeded && last.number < maxAttempts;
}
