import { deliveryWorkflowId, RETRY_NOW_SIGNAL, type DeliveryRef } from '../../src/domain/delivery-contract';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { currentDetailsOf } from '../support/current-details';
import { eventually } from '../support/eventually';
import { buildDataPath, type DataPath } from '../support/build-data-path';

// Rule 4: retryNow names its attempt number: neither lost between recording and waiting, nor one attempt too many.

let path: DataPath;
let receiver: Receiver;

beforeAll(async () => {
  path = await buildDataPath({ env: { RETRY_SCHEDULE: '0s,1h,1h,1h' } });
  await path.worker();
});

afterAll(() => path?.close());

beforeEach(async () => {
  receiver = await buildReceiver(503);
});

afterEach(() => receiver.close());

async function failedOnce(): Promise<DeliveryRef> {
  const type = `retry.t${Math.random().toString(36).slice(2)}`;
  await path.endpoint(receiver.url, type);
  const { ref } = await path.send(type);
  await untilCount(ref, 1);
  return ref;
}

function untilCount(ref: DeliveryRef, count: number) {
  return eventually(
    () => path.destination(ref),
    ({ attempt_count: made }) => made === count,
  );
}

function handleOf(ref: DeliveryRef) {
  return path.temporal.client()!.workflow.getHandle(deliveryWorkflowId(ref));
}

test('sent as soon as the record shows the failed attempt, it is not lost: the next attempt comes within seconds', async () => {
  // Twenty times: the signal falls before, while and after the wait begins.
  for (let round = 0; round < 20; round += 1) {
    receiver.answerWith((_request, count) => (count % 2 === 1 ? 503 : 200));
    const ref = await failedOnce();
    await handleOf(ref).signal(RETRY_NOW_SIGNAL, 2);

    await eventually(
      () => path.destination(ref),
      ({ state }) => state === 'delivered',
    );
    expect(receiver.requests).toHaveLength(2 * (round + 1));
    expect((await path.history(ref.eventId)).map(({ number, trigger }) => `${number} ${trigger}`)).toEqual([
      '1 scheduled',
      '2 manual',
    ]);
  }
}, 60_000);

test('sent five times at once, it makes one attempt', async () => {
  const ref = await failedOnce();

  await Promise.all(Array.from({ length: 5 }, () => handleOf(ref).signal(RETRY_NOW_SIGNAL, 2)));
  await untilCount(ref, 2);

  // The query is answered after the signals were processed.
  await currentDetailsOf(handleOf(ref));
  expect(receiver.requests).toHaveLength(2);
  expect(await path.destination(ref)).toMatchObject({ state: 'retrying', attempt_count: 2 });
});

test('for an attempt that was made already it makes none', async () => {
  const ref = await failedOnce();

  await handleOf(ref).signal(RETRY_NOW_SIGNAL, 1);

  // The query is answered after the signal was processed.
  expect(await currentDetailsOf(handleOf(ref))).toContain('attempt 1 of 4 failed: 503; attempt 2 at ');
  expect(receiver.requests).toHaveLength(1);
});

test('after it the schedule goes on: the next attempt is an hour away again', async () => {
  const ref = await failedOnce();
  await handleOf(ref).signal(RETRY_NOW_SIGNAL, 2);
  await untilCount(ref, 2);

  const { next_attempt_at: nextAttemptAt } = await path.destination(ref);

  const now = await path.parts.stores.dispatch.now();
  expect(nextAttemptAt!.getTime() - now.getTime()).toBeGreaterThan(59 * 60_000);
});
