import { readHistory, type AnsweredAttempt } from '../../src/deliveries/read-history';
import type { Destination } from '../../src/record/event-store';

const destination = { endpoint_id: 'ep_a', run: 2, attempt_count: 1, state: 'delivered' } as Destination;
const attempt = (run: number): AnsweredAttempt => ({ endpoint_id: 'ep_a', run, number: 1 }) as AnsweredAttempt;

/** Answers of the store, one after the other; the last one stays. */
function storeThatAnswers(...answers: AnsweredAttempt[][]) {
  let asked = 0;
  return {
    deliveries: { listAttempts: () => Promise.resolve(answers[Math.min(asked++, answers.length - 1)]!) },
    asked: () => asked,
  };
}

it('a state that is there before its attempt is not shown without it', async () => {
  const store = storeThatAnswers([attempt(1)], [attempt(1)], [attempt(1), attempt(2)]);
  expect(await readHistory(store, { _id: 1, destinations: [destination] })).toHaveLength(2);
  expect(store.asked()).toBe(3);
});

it('an attempt that never comes is not waited for long', async () => {
  const store = storeThatAnswers([attempt(1)]);
  expect(await readHistory(store, { _id: 1, destinations: [destination] })).toEqual([attempt(1)]);
  expect(store.asked()).toBe(5);
});

it('a delivery that was not attempted yet is shown at once', async () => {
  const store = storeThatAnswers([]);
  expect(await readHistory(store, { _id: 1, destinations: [{ ...destination, attempt_count: 0 }] })).toEqual([]);
  expect(store.asked()).toBe(1);
});
