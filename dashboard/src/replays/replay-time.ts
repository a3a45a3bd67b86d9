import type { Replay, ReplayPreview } from '../api/answers';

/** Above this many, and for deliveries that a receiver has already, the number is typed before they are sent. */
const MAX_UNCONFIRMED = 1_000;
/** An observed pace says nothing before. */
const MIN_OBSERVED_MS = 30_000;

/** How long a replay of so many deliveries takes at most of its rate, in milliseconds. */
export function durationMs(deliveries: number, ratePerSecond: number): number {
  return (deliveries / ratePerSecond) * 1_000;
}

/** How many deliveries a replay has still to send; undefined while they are not counted. */
export function leftOf({ matched, replayed, skipped }: Replay): number | undefined {
  return matched === null ? undefined : Math.max(0, matched - replayed - skipped);
}

/**
 * How long a running replay still takes, in milliseconds: at its rate, or at the pace that it has had, if that is slower
 * because the account's limit of deliveries holds it back. A job whose rate was changed, or that was paused, has had no pace
 * that says anything. Undefined while its deliveries are not counted.
 */
export function remainingMs(replay: Replay, nowMs: number): number | undefined {
  const { replayed, skipped, rate_per_second: rate, created_at: createdAt, changed_at: changedAt } = replay;
  const left = leftOf(replay);
  if (left === undefined) return undefined;
  const done = replayed + skipped;
  const elapsedMs = nowMs - new Date(createdAt).getTime();
  const atRate = durationMs(left, rate);
  if (done === 0 || changedAt !== null || elapsedMs < MIN_OBSERVED_MS) return atRate;
  return Math.max(atRate, (left / done) * elapsedMs);
}

/** What a person types before a replay starts; undefined if a click is enough. */
export type Confirmation = { readonly word: string; readonly accepted: readonly string[] } | undefined;

/** @param preview undefined if the deliveries could not be counted */
export function confirmationOf(state: string, preview: ReplayPreview | undefined): Confirmation {
  if (!preview || preview.at_least) return { word: 'all', accepted: ['all'] };
  const { matched } = preview;
  if (matched === 0 || (state !== 'delivered' && matched <= MAX_UNCONFIRMED)) return undefined;
  const word = matched.toLocaleString('en');
  return { word, accepted: [word, String(matched), 'all'] };
}

/** Whether a text confirms. */
export function isConfirmed(confirmation: Confirmation, typed: string): boolean {
  return !confirmation || confirmation.accepted.includes(typed.trim().toLowerCase());
}
