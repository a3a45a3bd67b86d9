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

/** While it is not allowed to be made. */
export function heldDetails(number: number, reason: 'in_line' | undefined): string {
  return reason === 'in_line'
    ? `attempt ${number} waits: an earlier event of this ordered endpoint comes first`
    : `attempt ${number} waits: the endpoint is paused or disabled`;
}

/** While it is not its turn: the destination is at its cap or its rate, or the attempt is under way elsewhere. */
export function busyDetails(number: number, untilMs: number): string {
  return `attempt ${number} waits for its turn, or for its answer; next look at ${new Date(untilMs).toISOString()}`;
}
