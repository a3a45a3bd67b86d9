import type { AttemptAnswer } from '../src/domain/delivery-contract';

/** What an operator reads while a delivery waits: `attempt 3 of 8 failed: 503; attempt 4 at 2026-01-01T…`. */
export function waitingDetails(next: number, of: number, last: AttemptAnswer | undefined, atMs: number): string {
  const at = new Date(atMs).toISOString();
  return last
    ? `${attemptDetails(last.number, of, last)}; attempt ${next} at ${at}`
    : `attempt ${next} of ${of} at ${at}`;
}

/** What came of an attempt: `attempt 3 of 8 failed: 503`. */
export function attemptDetails(number: number, of: number, answer: AttemptAnswer | undefined): string {
  return `attempt ${number} of ${of} failed${answer ? `: ${answer.statusCode ?? answer.errorCode}` : ''}`;
}

/** While the endpoint is paused or disabled. */
export function heldDetails(number: number): string {
  return `attempt ${number} waits: the endpoint is paused or disabled`;
}
