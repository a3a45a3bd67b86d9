import { attemptsToCome, sentenceOf } from '../../dashboard/src/deliveries/attempts-to-come';
import { timeInSentence } from '../../dashboard/src/elements/written-time';

const NOW = new Date(2026, 10, 22, 21, 49).getTime();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SCHEDULE = [0, 1, 5, 30, 300, 1_800, 7_200, 86_400];
const isoAt = (ms: number): string => new Date(ms).toISOString();

it('lists the attempts that are left, each as early as its schedule allows', () => {
  const delivery = { retry_schedule: SCHEDULE, attempt_count: 5, next_attempt_at: isoAt(NOW + 30 * MINUTE) };

  expect(attemptsToCome(delivery, { isOpen: true, now: NOW })).toEqual([
    { number: 6, at: NOW + 30 * MINUTE },
    { number: 7, at: NOW + 150 * MINUTE },
    { number: 8, at: NOW + 150 * MINUTE + 24 * HOUR },
  ]);
});

it('says it in a sentence, with the day where it is not today', () => {
  const delivery = { retry_schedule: SCHEDULE, attempt_count: 5, next_attempt_at: isoAt(NOW + 30 * MINUTE) };

  expect(sentenceOf(attemptsToCome(delivery, { isOpen: true, now: NOW }), NOW)).toBe(
    `Attempt 6 at 10:19 PM, 7 on Nov 23, 12:19 AM; gives up if attempt 8 on Nov 24, 12:19 AM fails.`.replaceAll(
      / (?=[AP]M)/g,
      // The formatter of Node writes a narrow space there.
      timeInSentence(NOW, NOW).at(-3)!,
    ),
  );
});

it('an attempt that is overdue moves those after it', () => {
  const delivery = { retry_schedule: [0, 60, 60], attempt_count: 1, next_attempt_at: isoAt(NOW - HOUR) };

  expect(attemptsToCome(delivery, { isOpen: true, now: NOW }).map(({ at }) => at)).toEqual([NOW, NOW + MINUTE]);
});

it('of a held delivery, no time is known', () => {
  const delivery = { retry_schedule: [0, 60, 600], attempt_count: 0, next_attempt_at: null };
  const left = attemptsToCome(delivery, { isOpen: true, now: NOW });

  expect(left.map(({ number, at }) => [number, at])).toEqual([1, 2, 3].map((number) => [number, undefined]));
  expect(sentenceOf(left, NOW)).toBeUndefined();
});

it('a finished delivery has none', () => {
  const delivery = { retry_schedule: [0, 60], attempt_count: 1, next_attempt_at: null };

  expect(attemptsToCome(delivery, { isOpen: false, now: NOW })).toEqual([]);
});
