import type { WorkflowFailedError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import {
  DELIVERY_TASK_QUEUE,
  DELIVERY_WORKFLOW,
  deliveryWorkflowId,
  SLOW_TASK_QUEUE,
  type DeliverEventInput,
  type DeliveryActivities,
} from '../../src/domain/delivery-contract';
import { workflowCode } from '../../src/worker';
import { eventually } from '../support/eventually';
import { buildAnswer } from './build-testbed';
import { createTimeSkipping } from './time-skipping-worker';

it('a cancel in the Web UI is recorded even if the attempt has just given the delivery back to the gate', async () => {
  const environment = await createTimeSkipping();
  let give = (): void => undefined;
  const isGiven = new Promise<void>((resolve) => (give = resolve));
  const calls: string[] = [];
  const activities: DeliveryActivities = {
    async attemptDelivery({ number }) {
      calls.push(`attempt ${number}`);
      // A slow answer sends the next attempt to the other worker, which stays.
      if (number === 1) return buildAnswer(number, 503, { latencyMs: 5_000 });
      await isGiven;
      return { kind: 'held', reason: 'at_cap' };
    },
    async recordCancelled() {
      calls.push('record');
    },
  };
  const run = async (taskQueue: string, options: object = {}): Promise<() => Promise<void>> => {
    const worker = await Worker.create({ connection: environment.nativeConnection, taskQueue, activities, ...options });
    const running = worker.run();
    return () => {
      worker.shutdown();
      return running;
    };
  };
  const workflows = { workflowBundle: await workflowCode(), maxCachedWorkflows: 0 };
  const stopSlow = await run(SLOW_TASK_QUEUE);
  let stopWorkflows = await run(DELIVERY_TASK_QUEUE, workflows);
  try {
    const input = { eventId: 1, endpointId: 'ep_test', run: 1, schedule: [0, 0, 0], firstAttempt: 1, firstDelayMs: 0 };
    const args: [DeliverEventInput] = [input];
    const handle = await environment.client.workflow.start(DELIVERY_WORKFLOW, {
      taskQueue: DELIVERY_TASK_QUEUE,
      workflowId: deliveryWorkflowId(input),
      args,
    });
    await eventually(
      () => calls,
      (made) => made.includes('attempt 2'),
    );
    await stopWorkflows();

    give();
    await eventually(
      () => handle.fetchHistory(),
      ({ events }) => events!.some((event) => event.activityTaskCompletedEventAttributes),
    );
    await handle.cancel();
    stopWorkflows = await run(DELIVERY_TASK_QUEUE, workflows);

    const error = await handle.result().catch((reason: unknown) => reason);
    expect((error as WorkflowFailedError).cause?.name).toBe('CancelledFailure');
    expect(calls).toEqual(['attempt 1', 'attempt 2', 'record']);
  } finally {
    give();
    await Promise.all([stopWorkflows(), stopSlow()]);
    await environment.teardown();
  }
});
