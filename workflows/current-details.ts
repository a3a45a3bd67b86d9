import type { AttemptAnswer, HeldReason } from '../src/domain/delivery-contract';

/** The text for operators while a delivery waits: `attempt 3 of 8 failed: 503; attempt 4 at 2026-01-01T…`. */
export function waitingDetails(next: number, of: number, last: AttemptAnswer | undefined, atMs: number): string {
  const at = new Date(atMs).toISOString();
  return last
    ? `${attemptDetails(last.number, of, last)}; attempt ${next} at ${at}`
    : `attempt ${next} of ${of} at ${at}`;
}

/** The outcome of an attempt: `attempt 3 of 8 failed: 503`. */
export function attemptDetails(number: number, of: number, answer: AttemptAnswer | undefined): string {
  return `attempt ${number} of ${of} failed${answer ? `: ${answer.statusCode ?? answer.errorCode}` : ''}`;
}

const REASONS: Record<HeldReason, string> = {
  suspended: 'the account is suspended',
  paused: 'the endpoint is paused',
  disabled: 'the endpoint is disabled',
  unverified: 'the host of the endpoint has not answered its challenge',
  hanging: 'the endpoint answers nothing',
  at_cap: 'the endpoint has as many requests as it may',
  at_rate: 'it is not its turn in the rate of the endpoint',
  in_line: 'an earlier event of this ordered endpoint comes first',
};

/** Why an execution ends before its delivery does: `attempt 3 is held: the endpoint is paused; …`. */
export function heldDetails(number: number, reason: HeldReason): string {
  return `attempt ${number} is held: ${REASONS[reason]}; a new execution makes it`;
}
