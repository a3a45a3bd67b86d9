import { CANCEL_SIGNAL, type DeliveryRef } from '../../src/domain/delivery-contract';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, holdAnswers, useDataPath } from '../support/build-data-path';

// Rule 3: state first, signal second. A 2xx in flight wins over a cancel.

const path = useDataPath({ env: { RETRY_SCHEDULE: '0s,1h,1h' } });
const receiver = useReceiver();

beforeAll(() => path.worker());

/** What POST …/cancel does: the state by compare-and-set, then the signal. */
async function cancel(ref: DeliveryRef): Promise<boolean> {
  const cancelled = await path.parts.stores.deliveries.cancel(ref);
  if (cancelled) await path.handleOf(ref).signal(CANCEL_SIGNAL);
  return cancelled;
}

it('a cancel during a request that succeeds: the delivery counts as delivered', async () => {
  const answer = holdAnswers(receiver, 200);
  const { ref } = await path.sendTo(receiver.url);
  await receiver.waitFor(1);

  expect(await cancel(ref)).toBe(true);
  expect((await path.destination(ref)).state).toBe('cancelled');
  answer();

  await path.untilState(ref, 'delivered');
  expect(await path.handleOf(ref).result()).toEqual({ state: 'delivered', attempts: 1 });
  expect(await path.history(ref.eventId)).toMatchObject([{ answer: { status_code: 200 } }]);
});

it('a cancel during a request that fails: the delivery stays cancelled, and nothing more is sent', async () => {
  const answer = holdAnswers(receiver, 500);
  const { ref } = await path.sendTo(receiver.url);
  await receiver.waitFor(1);

  await cancel(ref);
  const { completed_at: cancelledAt } = await path.destination(ref);
  answer();

  expect(await path.handleOf(ref).result()).toEqual({ state: 'cancelled', attempts: 1 });
  expect(await path.destination(ref)).toMatchObject({ state: 'cancelled', attempt_count: 1, next_attempt_at: null });
  expect((await path.destination(ref)).completed_at).toEqual(cancelledAt);
  expect(await path.history(ref.eventId)).toMatchObject([{ answer: { status_code: 500 } }]);
  expect(receiver.requests).toHaveLength(1);
});

it.each([
  ['a cancel', async (ref: DeliveryRef) => void (await path.parts.stores.deliveries.cancel(ref)), { kind: 'ended' }],
  [
    'a pause',
    async ({ endpointId }: DeliveryRef) =>
      void (await path.endpoints.updateOne({ _id: endpointId }, { $set: { status: 'paused' } })),
    { kind: 'held', reason: 'paused' },
  ],
])('%s before the claim of an attempt is obeyed, even if its signal was lost', async (_, change, outcome) => {
  const { ref } = await path.promiseTo(receiver.url);
  await change(ref);

  expect(await path.executor().attemptDelivery(buildAttempt(ref))).toMatchObject(outcome);
  expect(receiver.requests).toHaveLength(0);
});

it('a cancel of a finished delivery changes nothing', async () => {
  const { ref } = await path.sendTo(receiver.url);
  await path.untilState(ref, 'delivered');

  expect(await cancel(ref)).toBe(false);
  expect((await path.destination(ref)).state).toBe('delivered');
});

it('of two concurrent cancels, one takes effect', async () => {
  const { ref } = await path.promiseTo(receiver.url);
  const { deliveries } = path.parts.stores;

  const results = await Promise.all([deliveries.cancel(ref), deliveries.cancel(ref), deliveries.cancel(ref)]);

  expect(results.filter(Boolean)).toHaveLength(1);
});

it.each([
  [200, 'delivered'],
  [500, 'cancelled'],
] as const)(
  "a cancel in Temporal's Web UI during a request that gets %i: the record says %s",
  async (status, state) => {
    const answer = holdAnswers(receiver, status);
    const { ref } = await path.sendTo(receiver.url);
    await receiver.waitFor(1);

    await path.handleOf(ref).cancel();
    answer();

    await path.untilState(ref, state);
    await eventually(
      () => path.handleOf(ref).describe(),
      (described) => described.status.name !== 'RUNNING',
    );
    expect((await path.destination(ref)).state).toBe(state);
    expect(await path.history(ref.eventId)).toMatchObject([{ answer: { status_code: status } }]);
    expect(receiver.requests).toHaveLength(1);
  },
);

it('a paused endpoint gets nothing, no attempt is used up, and a new execution delivers after the resume', async () => {
  const { ref, endpointId, starts } = await path.promiseTo(receiver.url);
  await path.endpoints.updateOne({ _id: endpointId }, { $set: { status: 'paused' } });
  await path.parts.executions.start(starts[0]!);
  expect(await path.handleOf(ref).result()).toEqual({ state: 'held', reason: 'paused', attempts: 0 });
  expect(receiver.requests).toHaveLength(0);
  expect(await path.destination(ref)).toMatchObject({ dispatch: 'held', state: 'pending', attempt_count: 0 });

  await path.endpoints.updateOne({ _id: endpointId }, { $set: { status: 'active' } });
  await path.lookUntil(ref, 'delivered');

  expect(await path.history(ref.eventId)).toMatchObject([{ number: 1 }]);
  expect(await path.handleOf(ref).result()).toEqual({ state: 'delivered', attempts: 1 });
});

it('an endpoint deleted between attempts gets nothing more; its delivery is cancelled', async () => {
  receiver.answerWith(() => 503);
  const { ref, endpointId } = await path.promiseTo(receiver.url);
  const worker = path.executor();
  await worker.attemptDelivery(buildAttempt(ref));

  await path.endpoints.deleteOne({ _id: endpointId });

  expect(await worker.attemptDelivery(buildAttempt(ref, { number: 2 }))).toEqual({ kind: 'ended', state: 'cancelled' });
  expect(await path.destination(ref)).toMatchObject({ state: 'cancelled', attempt_count: 1 });
  expect(receiver.requests).toHaveLength(1);
});
