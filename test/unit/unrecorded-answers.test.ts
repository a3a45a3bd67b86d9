import { createUnrecordedAnswers } from '../../activities/unrecorded-answers';
import type { AttemptAnswer } from '../../src/domain/delivery-contract';
import { createLogger } from '../../src/platform/logger';
import { eventually } from '../support/eventually';

// Rule 2: the process that got an answer goes on writing it down, whatever becomes of it in Temporal.

const away = (): Promise<void> => Promise.reject(new Error('MongoDB is away'));

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

test('an answer is tried again until it is written down, and known meanwhile', async () => {
  const unrecorded = createUnrecordedAnswers(createLogger('silent'));
  let tries = 0;
  unrecorded.keep('one', answer(), () => ((tries += 1) < 3 ? away() : Promise.resolve()));
  expect(unrecorded.find('one')).toEqual(answer());

  await eventually(
    () => Promise.resolve(unrecorded.find('one')),
    (it) => it === undefined,
  );

  expect(tries).toBe(3);
  await unrecorded.close();
});

test('a process that stops gives its answers a little time', async () => {
  const unrecorded = createUnrecordedAnswers(createLogger('silent'));
  let isIn = false;
  unrecorded.keep('one', answer(), () => Promise.resolve(void (isIn = true)));

  await unrecorded.close();

  expect(isIn).toBe(true);
});

test('a process that stops does not wait for a MongoDB that stays away', async () => {
  const unrecorded = createUnrecordedAnswers(createLogger('silent'));
  let tries = 0;
  unrecorded.keep('one', answer(), () => {
    tries += 1;
    return away();
  });
  unrecorded.keep('hanging', answer(), () => new Promise(() => undefined));
  const startedAt = performance.now();

  await unrecorded.close();

  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(tries).toBeGreaterThan(0);
});

test('at most 10,000 are kept: the oldest is forgotten first', async () => {
  const unrecorded = createUnrecordedAnswers(createLogger('silent'));
  for (let number = 0; number <= 10_000; number += 1) unrecorded.keep(`attempt ${number}`, answer(number), away);

  expect(unrecorded.find('attempt 0')).toBeUndefined();
  expect(unrecorded.find('attempt 1')).toEqual(answer(1));
  expect(unrecorded.find('attempt 10000')).toEqual(answer(10_000));
  await unrecorded.close();
});
