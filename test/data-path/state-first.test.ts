import { CANCEL_SIGNAL, deliveryWorkflowId, WAKE_SIGNAL, type DeliveryRef } from '../../src/domain/delivery-contract';
import type { Endpoint } from '../../src/endpoints/store';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildAttempt, buildDataPath, type DataPath } from '../support/build-data-path';

// Rule 3: state first, signal second. A 2xx in flight wins over a cancel.

let path: DataPath;
let receiver: Receiver;

beforeAll(async () => {
  path = await buildDataPath({ env: { RETRY_SCHEDULE: '0s,100ms,1h,1h' } });
  await path.worker();
});

afterAll(() => path?.close());

beforeEach(async () => {
  receiver = await buildReceiver();
});

afterEach(() => receiver.close());

/** What POST …/cancel does: the state by compare-and-set, then the signal. */
async function cancel(ref: DeliveryRef): Promise<boolean> {
  const cancelled = await path.parts.stores.deliveries.cancel(ref);
  if (cancelled) await handleOf(ref).signal(CANCEL_SIGNAL);
  return cancelled;
}

function handleOf(ref: DeliveryRef) {
  return path.temporal.client()!.workflow.getHandle(deliveryWorkflowId(ref));
}

async function sent(): Promise<{ ref: DeliveryRef; endpointId: string }> {
  const type = `cancel.t${Math.random().toString(36).slice(2)}`;
  const endpointId = await path.endpoint(receiver.url, type);
  return { ref: (await path.send(type)).ref, endpointId };
}

/** A receiver that answers when it is told to. */
function heldAnswer(status: number): () => void {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  receiver.answerWith(() => answered.then(() => status));
  return answer;
}

function untilState(ref: DeliveryRef, state: string) {
  return eventually(
    () => path.destination(ref),
    (destination) => destination.state === state,
  );
}

test('a cancel while the request is under way, and then a 2xx: the receiver has it, so it is delivered', async () => {
  const answer = heldAnswer(200);
  const { ref } = await sent();
  await receiver.waitFor(1);

  expect(await cancel(ref)).toBe(true);
  expect((await path.destination(ref)).state).toBe('cancelled');
  answer();

  await untilState(ref, 'delivered');
  expect(await handleOf(ref).result()).toEqual({ state: 'delivered', attempts: 1 });
  expect(await path.history(ref.eventId)).toMatchObject([{ answer: { status_code: 200 } }]);
});

test('a cancel while the request is under way, and then a failure: it stays cancelled and nothing more is sent', async () => {
  const answer = heldAnswer(500);
  const { ref } = await sent();
  await receiver.waitFor(1);

  await cancel(ref);
  const { completed_at: cancelledAt } = await path.destination(ref);
  answer();

  expect(await handleOf(ref).result()).toEqual({ state: 'cancelled', attempts: 1 });
  expect(await path.destination(ref)).toMatchObject({ state: 'cancelled', attempt_count: 1, next_attempt_at: null });
  expect((await path.destination(ref)).completed_at).toEqual(cancelledAt);
  expect(await path.history(ref.eventId)).toMatchObject([{ answer: { status_code: 500 } }]);
  expect(receiver.requests).toHaveLength(1);
});

test('a cancel while it sleeps ends it at once, not at the next timer', async () => {
  receiver.answerWith(503);
  const { ref } = await sent();
  await receiver.waitFor(2);
  await eventually(
    () => path.destination(ref),
    ({ attempt_count: count }) => count === 2,
  );

  await cancel(ref);

  expect(await handleOf(ref).result()).toEqual({ state: 'cancelled', attempts: 2 });
  expect(receiver.requests).toHaveLength(2);
});

test('a cancel whose signal was lost is kept all the same: the next attempt reads the state', async () => {
  const { ref } = await promisedOnly();
  await path.parts.stores.deliveries.cancel(ref);

  expect(await path.executor().attemptDelivery(buildAttempt(ref))).toEqual({ kind: 'ended', state: 'cancelled' });
  expect(receiver.requests).toHaveLength(0);
});

test('a cancel of a finished delivery changes nothing', async () => {
  const { ref } = await sent();
  await untilState(ref, 'delivered');

  expect(await cancel(ref)).toBe(false);
  expect((await path.destination(ref)).state).toBe('delivered');
});

test('two cancels at once: one of them did it', async () => {
  const { ref } = await promisedOnly();
  const { deliveries } = path.parts.stores;

  const results = await Promise.all([deliveries.cancel(ref), deliveries.cancel(ref), deliveries.cancel(ref)]);

  expect(results.filter(Boolean)).toHaveLength(1);
});

test("a cancel in Temporal's Web UI is recorded, and ends the delivery", async () => {
  receiver.answerWith(503);
  const { ref } = await sent();
  await receiver.waitFor(2);

  await handleOf(ref).cancel();

  await untilState(ref, 'cancelled');
  await eventually(
    () => handleOf(ref).describe(),
    ({ status }) => status.name === 'CANCELLED',
  );
  expect(receiver.requests).toHaveLength(2);
});

test.each([
  [200, 'delivered'],
  [500, 'cancelled'],
])(
  "a cancel in Temporal's Web UI while the request is under way, and then a %i: the record says %s",
  async (status, state) => {
    const answer = heldAnswer(status);
    const { ref } = await sent();
    await receiver.waitFor(1);

    await handleOf(ref).cancel();
    answer();

    await untilState(ref, state);
    await eventually(
      () => handleOf(ref).describe(),
      (described) => described.status.name !== 'RUNNING',
    );
    expect((await path.destination(ref)).state).toBe(state);
    expect(await path.history(ref.eventId)).toMatchObject([{ answer: { status_code: status } }]);
    expect(receiver.requests).toHaveLength(1);
  },
);

test('a paused endpoint gets nothing, no attempt is consumed, and a resume delivers at once', async () => {
  const { ref, endpointId } = await promisedOnly();
  const endpoints = path.mongo.db.collection<Endpoint>('endpoints');
  await endpoints.updateOne({ _id: endpointId }, { $set: { status: 'paused' } });
  await startOf(ref);
  const described = () => handleOf(ref).describe();
  await eventually(described, ({ historyLength }) => historyLength >= 5);
  expect(receiver.requests).toHaveLength(0);
  expect(await path.destination(ref)).toMatchObject({ state: 'pending', attempt_count: 0 });

  await endpoints.updateOne({ _id: endpointId }, { $set: { status: 'active' } });
  await handleOf(ref).signal(WAKE_SIGNAL);

  await untilState(ref, 'delivered');
  expect(await path.history(ref.eventId)).toMatchObject([{ number: 1 }]);
  expect(await handleOf(ref).result()).toEqual({ state: 'delivered', attempts: 1 });
});

test('an endpoint that is deleted in mid-schedule gets nothing more; its delivery is cancelled', async () => {
  receiver.answerWith(() => 503);
  const { ref, endpointId } = await promisedOnly();
  const worker = path.executor();
  await worker.attemptDelivery(buildAttempt(ref));

  await path.mongo.db.collection<Endpoint>('endpoints').deleteOne({ _id: endpointId });

  expect(await worker.attemptDelivery(buildAttempt(ref, { number: 2 }))).toEqual({ kind: 'ended', state: 'cancelled' });
  expect(await path.destination(ref)).toMatchObject({ state: 'cancelled', attempt_count: 1 });
  expect(receiver.requests).toHaveLength(1);
});

async function promisedOnly(): Promise<{ ref: DeliveryRef; endpointId: string }> {
  const type = `cancel.t${Math.random().toString(36).slice(2)}`;
  const endpointId = await path.endpoint(receiver.url, type);
  return { ref: (await path.promise(type)).ref, endpointId };
}

async function startOf(ref: DeliveryRef): Promise<void> {
  const event = await path.event(ref.eventId);
  await path.parts.starter.start({
    ref,
    accountId: path.accountId,
    eventType: event.type,
    url: receiver.url,
    firstAttempt: 1,
    firstDelayMs: 0,
    restart: false,
  });
}
