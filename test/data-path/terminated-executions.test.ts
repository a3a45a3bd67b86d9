import { createTerminationRecorder } from '../../src/engine/sweeper';
import { createExecutions } from '../../src/engine/executions';
import { startOf, type StartTask } from '../../src/engine/task';
import { retryDelivery } from '../../src/deliveries/retry-delivery';
import {
  deliveryId,
  deliveryOfWorkflowId,
  deliveryWorkflowId,
  type DeliveryRef,
} from '../../src/domain/delivery-contract';
import { createLogger } from '../../src/platform/logger';
import { useReceiver } from '../support/build-receiver';
import { buildEndpointId } from '../support/build-events';
import { ownType, useDataPath } from '../support/build-data-path';

// An execution is terminated in Temporal's Web UI while its next attempt is days away.

const path = useDataPath({ env: { RETRY_SCHEDULE: '0s,7d' } });
const receiver = useReceiver(503);

beforeAll(() => path.worker());

const recorder = () =>
  createTerminationRecorder(
    {
      ...path.parts.stores,
      gate: path.parts.gate,
      executions: path.parts.executions,
      temporal: path.temporal,
      logger: createLogger('silent'),
    },
    50,
  );

async function waitingForDays(): Promise<DeliveryRef> {
  const type = ownType();
  await path.endpoint(receiver.url, type);
  const { ref } = await path.send(type);
  await path.untilAttempts(ref, 1);
  return ref;
}

it('a terminated execution is recorded as cancelled early, and not sent again after Temporal has forgotten it', async () => {
  const ref = await waitingForDays();
  await path.handleOf(ref).terminate('by hand');

  const running = recorder();
  try {
    await path.untilState(ref, 'cancelled');
  } finally {
    await running.close();
  }
  await path.loseExecution(path.handleOf(ref));
  // Seven days later.
  const overdue = { 'destinations.0.next_attempt_at': new Date(Date.now() - 1_000) };
  await path.events.updateOne({ _id: ref.eventId, 'destinations.0.state': 'retrying' }, { $set: overdue });
  expect(await path.sweep()).toBe(0);

  expect(await path.destination(ref)).toMatchObject({ state: 'cancelled', attempt_count: 1 });
  expect(receiver.requests).toHaveLength(1);
});

it.each([
  ['a late start', false],
  ['a start by the gate, for a delivery that an execution gave back,', true],
])('%s records the cancel instead of sending again', async (_, isGivenBack) => {
  const ref = await waitingForDays();
  const start = await startAgain(ref, isGivenBack);
  await path.handleOf(ref).terminate('by hand');

  expect(await path.parts.executions.start(start)).toBe(false);

  expect(await path.destination(ref)).toMatchObject({ state: 'cancelled', attempt_count: 1 });
  expect((await path.handleOf(ref).describe()).status.name).toBe('TERMINATED');
});

it('a start leaves an execution that gave its delivery back alone until it has ended', async () => {
  const ref = await waitingForDays();
  const start = await startAgain(ref, true);
  const { runId } = await path.handleOf(ref).describe();
  await path.events.updateOne({ _id: ref.eventId }, { $set: { 'destinations.0.dispatch': 'due' } });

  expect(await path.parts.executions.start(start)).toBe(true);

  const { runId: now, status } = await path.handleOf(ref).describe();
  expect({ runId: now, status: status.name }).toEqual({ runId, status: 'RUNNING' });
  expect((await path.destination(ref)).dispatch).toBe('due');
});

it('of two starts of a delivery that was given back, the later one does not continue after an end by hand', async () => {
  const type = ownType();
  const endpointId = await path.endpoint(receiver.url, type);
  const { ref } = await path.send(type);
  await path.untilAttempts(ref, 1);
  const start = { ...(await startAgain(ref, true)), firstDelayMs: 60_000 };
  const slow = createExecutions({
    ...path.parts.stores,
    logger: createLogger('silent'),
    schedule: [0],
    eager: false,
    temporal: {
      ...path.temporal,
      // Between the later start's look and what it does then.
      async statusOf(id) {
        const status = await path.temporal.statusOf(id);
        expect(await path.parts.executions.start(start)).toBe(true);
        await path.handleOf(ref).terminate('by hand');
        return status;
      },
    },
  });
  await path.endpoints.updateOne({ _id: endpointId }, { $set: { status: 'paused' } });
  await path.parts.executions.retryNow(ref, 2);
  await path.handleOf(ref).result();
  await path.events.updateOne(
    { _id: ref.eventId },
    { $set: { 'destinations.0.dispatch': 'due', 'destinations.0.look_at': start.givenBack! } },
  );

  expect(await slow.start(start)).toBe(true);

  expect((await path.handleOf(ref).describe()).status.name).toBe('TERMINATED');
});

/** A start of the delivery from its record, at once. */
async function startAgain(ref: DeliveryRef, isGivenBack: boolean): Promise<StartTask> {
  const now = await path.parts.stores.dispatch.now();
  const waiting = { event: await path.event(ref.eventId), destination: await path.destination(ref) };
  return { ...startOf(waiting, now), firstDelayMs: 0, ...(isGivenBack && { givenBack: new Date() }) };
}

it('a retry of a delivery whose execution was terminated is refused, because it is cancelled', async () => {
  const ref = await waitingForDays();
  await path.handleOf(ref).terminate('by hand');
  const caller = { accountId: path.accountId, now: await path.parts.stores.dispatch.now() };

  await expect(retryDelivery({ ...path.parts, ...path.parts.stores }, caller, deliveryId(ref))).rejects.toMatchObject({
    message: 'This delivery is cancelled; a replay would send it again.',
    code: 'delivery_finished',
  });

  expect(await path.destination(ref)).toMatchObject({ state: 'cancelled', attempt_count: 1 });
});

it.each([1, 2, 17])('a workflow id names its delivery, including run %d', (run) => {
  const ref = { eventId: Number.MAX_SAFE_INTEGER, endpointId: buildEndpointId(), run };

  expect(deliveryOfWorkflowId(deliveryWorkflowId(ref))).toEqual(ref);
  expect(deliveryOfWorkflowId(`${deliveryWorkflowId(ref)}/x`)).toBeUndefined();
});
