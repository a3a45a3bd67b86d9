import { deliveryWorkflowId, type DeliveryRef } from '../../src/domain/delivery-contract';
import { useReceiver } from '../support/build-receiver';
import { buildAttempt, holdAnswers, useDataPath } from '../support/build-data-path';

// Rule 5: a replay is a new run: run + 1 by compare-and-set, with its own id and attempts.

const path = useDataPath();
const receiver = useReceiver();

async function promised(): Promise<DeliveryRef> {
  return (await path.promiseTo(receiver.url)).ref;
}

/** What a replay does to the record. */
async function nextRun(ref: DeliveryRef): Promise<DeliveryRef> {
  const fresh = {
    state: 'pending',
    attempt_count: 0,
    next_attempt_at: new Date(),
    completed_at: null,
    dispatch: 'due',
  };
  const fields = { ...fresh, run: ref.run + 1 };
  const changes = Object.entries(fields).map(([name, value]) => [`destinations.0.${name}`, value]);
  await path.events.updateOne({ _id: ref.eventId }, { $set: { ...Object.fromEntries(changes), finished_at: null } });
  return { ...ref, run: ref.run + 1 };
}

it('an attempt of an old run is not sent when its workflow wakes up after the replay', async () => {
  const old = await promised();
  await nextRun(old);

  expect(await path.executor().attemptDelivery(buildAttempt(old))).toEqual({ kind: 'ended', state: 'cancelled' });
  expect(receiver.requests).toHaveLength(0);
});

it('attempt 1 of a new run is sent, although attempt 1 of the old run has an answer', async () => {
  const worker = path.executor();
  const old = await promised();
  await worker.attemptDelivery(buildAttempt(old));

  const fresh = await nextRun(old);
  await worker.attemptDelivery(buildAttempt(fresh));
  await worker.attemptDelivery(buildAttempt(fresh));

  expect(receiver.requests).toHaveLength(2);
  expect((await path.history(old.eventId)).map(({ run, number }) => ({ run, number }))).toEqual([
    { run: 1, number: 1 },
    { run: 2, number: 1 },
  ]);
});

it("a late answer of the old run doesn't change the new run", async () => {
  const answer = holdAnswers(receiver);
  const old = await promised();
  const outcome = path.executor().attemptDelivery(buildAttempt(old));
  await receiver.waitFor(1);

  await nextRun(old);
  answer();

  expect(await outcome).toMatchObject({ kind: 'answered', succeeded: true });
  expect(await path.destination(old)).toMatchObject({ run: 2, state: 'pending', attempt_count: 0 });
});

it("a cancel of the old run doesn't end the new one", async () => {
  const old = await promised();
  await nextRun(old);

  expect(await path.parts.stores.deliveries.cancel(old)).toBe(false);
  expect((await path.destination(old)).state).toBe('pending');
});

it('each run of a delivery has its own workflow id', () => {
  const ref = { eventId: 7, endpointId: 'ep_x' };

  expect(deliveryWorkflowId({ ...ref, run: 1 })).toBe('delivery/7/ep_x');
  expect(deliveryWorkflowId({ ...ref, run: 2 })).toBe('delivery/7/ep_x/2');
});

it('the sweeper starts a replay whose process died before the start, once', async () => {
  await path.worker();
  const { ref: old } = await path.sendTo(receiver.url);
  await path.untilState(old, 'delivered');

  const fresh = await nextRun(old);
  await path.sweepUntil(fresh, { state: 'delivered' }, { overdueMs: 60_000 });

  expect(receiver.requests).toHaveLength(2);
  expect(await path.handleOf(fresh).result()).toEqual({ state: 'delivered', attempts: 1 });
});
