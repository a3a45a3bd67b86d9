import { RETRY_NOW_SIGNAL } from '../../src/domain/delivery-contract';
import { useDataPath, type OwnPromise } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { currentDetailsOf } from '../support/current-details';

// Rule 4: retryNow names its attempt number, so it is neither lost between recording and waiting, nor adds an attempt.

// What comes within the hour was made to come.
const path = useDataPath({ env: { RETRY_SCHEDULE: '0s,1h,1h,1h' } });
const receiver = useReceiver(503);

beforeAll(() => path.worker());

async function failedOnce(): Promise<OwnPromise> {
  const sent = await path.sendTo(receiver.url);
  await path.untilAttempts(sent.ref, 1);
  return sent;
}

it('sent as soon as the record shows a failed attempt, it makes the next attempt at once', async () => {
  const seen = new Set<unknown>();
  receiver.answerWith(({ headers: { 'x-webhook-id': id } }) => {
    const status = seen.has(id) ? 200 : 503;
    seen.add(id);
    return status;
  });
  const retried = async (): Promise<void> => {
    const { ref } = await failedOnce();
    await path.handleOf(ref).signal(RETRY_NOW_SIGNAL, 2);
    await path.untilState(ref, 'delivered');
    const history = await path.history(ref.eventId);
    expect(history.map(({ number, trigger }) => `${number} ${trigger}`)).toEqual(['1 scheduled', '2 manual']);
  };

  // Twenty of them: the signal falls before, while and after the wait begins.
  for (let round = 0; round < 5; round += 1) await Promise.all([retried(), retried(), retried(), retried()]);

  expect(receiver.requests).toHaveLength(2 * 20);
});

it('sent five times at once, it makes one attempt', async () => {
  const { ref } = await failedOnce();

  await Promise.all(Array.from({ length: 5 }, () => path.handleOf(ref).signal(RETRY_NOW_SIGNAL, 2)));
  await path.untilAttempts(ref, 2);

  // The query is answered after the signals were processed.
  await currentDetailsOf(path.handleOf(ref));
  expect(receiver.requests).toHaveLength(2);
  expect(await path.destination(ref)).toMatchObject({ state: 'retrying', attempt_count: 2 });
});

it('for an attempt that was already made, it makes none', async () => {
  const { ref } = await failedOnce();

  await path.handleOf(ref).signal(RETRY_NOW_SIGNAL, 1);

  // The query is answered after the signal was processed.
  expect(await currentDetailsOf(path.handleOf(ref))).toContain('attempt 1 of 4 failed: 503; attempt 2 at ');
  expect(receiver.requests).toHaveLength(1);
});

it('after it the schedule continues: the next attempt is an hour away again', async () => {
  const { ref } = await failedOnce();
  await path.handleOf(ref).signal(RETRY_NOW_SIGNAL, 2);

  const { next_attempt_at: nextAttemptAt } = await path.untilAttempts(ref, 2);

  const [, second] = await path.history(ref.eventId);
  expect(nextAttemptAt!.getTime() - second!.answer.started_at.getTime()).toBeGreaterThanOrEqual(3_600_000);
});
