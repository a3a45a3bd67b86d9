import { RETRY_NOW_SIGNAL } from '../../src/domain/delivery-contract';
import { useDataPath, type OwnPromise } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';

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
