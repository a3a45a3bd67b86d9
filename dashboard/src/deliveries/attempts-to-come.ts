import type { DeliveryWithAttempts } from '../api/answers';
import { timeInSentence } from '../elements/written-time';

/** An attempt that will be made if the earlier ones fail. */
export interface AttemptToCome {
  readonly number: number;
  /** When it will be made at the earliest, in Unix milliseconds; undefined while its delivery is held. */
  readonly at: number | undefined;
}

type Schedule = Pick<DeliveryWithAttempts, 'retry_schedule' | 'attempt_count' | 'next_attempt_at'>;

/**
 * The attempts that a delivery has left, each as soon as its schedule allows: a delay starts when the attempt before it
 * has failed.
 *
 * @param isOpen false for a finished delivery, which has none
 */
export function attemptsToCome(
  { retry_schedule: schedule, attempt_count: made, next_attempt_at: next }: Schedule,
  { isOpen, now }: { readonly isOpen: boolean; readonly now: number },
): AttemptToCome[] {
  if (!isOpen) return [];
  let at = next === null ? undefined : Math.max(now, Date.parse(next));
  return schedule.slice(made).map((seconds, index) => {
    if (index > 0 && at !== undefined) at += seconds * 1_000;
    return { number: made + 1 + index, at };
  });
}

/** The same as a sentence: `Attempt 6 at 10:19 PM, 7 at 12:19 AM; gives up after attempt 8 on Nov 23, 11:55 PM.` */
export function sentenceOf(attempts: readonly AttemptToCome[], now: number): string | undefined {
  const last = attempts.at(-1);
  if (last?.at === undefined) return undefined;
  const others = attempts.slice(0, -1).map(({ number, at }, index) => {
    const time = timeInSentence(at!, now);
    return index === 0 ? `Attempt ${number} ${time}` : `${number} ${time}`;
  });
  const end = `gives up if attempt ${last.number} ${timeInSentence(last.at, now)} fails`;
  return others.length === 0 ? `It ${end}.` : `${others.join(', ')}; ${end}.`;
}
