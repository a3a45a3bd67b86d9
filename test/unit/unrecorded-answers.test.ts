import { createUnrecordedAnswers } from '../../activities/unrecorded-answers';
import type { AttemptAnswer } from '../../src/domain/delivery-contract';
import { createLogger } from '../../src/platform/logger';

// Rule 2: the process that got an answer goes on writing it down, whatever becomes of it in Temporal.

const away = (): Promise<void> => Promise.reject(new Error('MongoDB is away'));

beforeEach(() => jest.useFakeTimers());

afterEach(() => jest.useRealTimers());

function answer(number = 1): AttemptAnswer {
  return {
    kind: 'answered',
    number,
    succeeded: true,
    startedAtMs: 0,
    latencyMs: 1,
    statusCode: 200,
    errorCode: null,
    recorded: false,
  };
}

it('an answer is tried again until it is written down, and known meanwhile', async () => {
  const unrecorded = createUnrecordedAnswers(createLogger('silent'));
  let tries = 0;
  unrecorded.keep('one', answer(), () => ((tries += 1) < 3 ? away() : Promise.resolve()));
  expect(unrecorded.find('one')).toEqual(answer());

  // After 250, 500 and 1,000 ms.
  await jest.advanceTimersByTimeAsync(1_749);
  expect([tries, unrecorded.find('one')]).toEqual([2, answer()]);
  await jest.advanceTimersByTimeAsync(1);
  expect([tries, unrecorded.find('one')]).toEqual([3, undefined]);
});

it('a process that stops gives its answers a little time', async () => {
  const unrecorded = createUnrecordedAnswers(createLogger('silent'));
  let isIn = false;
  unrecorded.keep('one', answer(), () => Promise.resolve(void (isIn = true)));
  const closing = unrecorded.close();
  await jest.advanceTimersByTimeAsync(250);
  await closing;
  expect(isIn).toBe(true);
});

it('a process that stops waits 2 s for a MongoDB that stays away, and no longer', async () => {
  const unrecorded = createUnrecordedAnswers(createLogger('silent'));
  let tries = 0;
  unrecorded.keep('one', answer(), () => {
    tries += 1;
    return away();
  });
  unrecorded.keep('hanging', answer(), () => new Promise(() => undefined));

  const closing = unrecorded.close();
  await jest.advanceTimersByTimeAsync(2_000);
  await closing;

  expect(tries).toBe(3);
});

it('at most 10,000 are kept: the oldest is forgotten first', async () => {
  const unrecorded = createUnrecordedAnswers(createLogger('silent'));
  for (let number = 0; number <= 10_000; number += 1) unrecorded.keep(`attempt ${number}`, answer(number), away);
  expect(unrecorded.find('attempt 0')).toBeUndefined();
  expect(unrecorded.find('attempt 1')).toEqual(answer(1));
  expect(unrecorded.find('attempt 10000')).toEqual(answer(10_000));
});
