import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { DELIVERY_WORKFLOW, type AttemptInput, type DeliveryActivities } from '../src/domain/delivery-contract';
import { WORKER_OPTIONS } from '../src/worker';

/** Sent by the parent. */
interface Task {
  readonly address: string;
  readonly namespace: string;
  readonly schedule: readonly number[];
  readonly deliveries: number;
  readonly startsInFlight: number;
}

/** The same workflow on the same server with the same options, and an activity that does nothing. */
const emptyActivities: DeliveryActivities = {
  attemptDelivery: async ({ number }: AttemptInput) => ({
    kind: 'answered',
    number,
    succeeded: true,
    startedAtMs: 0,
    latencyMs: 0,
    statusCode: 200,
    errorCode: null,
    recorded: true,
  }),
  recordAttempt: async () => undefined,
  recordCancelled: async () => undefined,
};

async function run(task: Task): Promise<number> {
  const { address, namespace, deliveries } = task;
  const connection = await NativeConnection.connect({ address });
  const taskQueue = 'bare';
  const worker = await Worker.create({
    ...WORKER_OPTIONS,
    connection,
    namespace,
    taskQueue,
    activities: emptyActivities,
    workflowBundle: { codePath: join(__dirname, '..', 'workflow-bundle.js') },
  });
  const client = new Client({ connection, namespace });
  const stamp = Date.now();
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let id = next++; id < deliveries; id = next++) {
      const ref = { eventId: id, endpointId: 'ep_bare', run: 1 };
      const input = { ...ref, schedule: task.schedule, firstAttempt: 1, firstDelayMs: 0, route: 'inline' };
      const handle = await client.workflow.start(DELIVERY_WORKFLOW, {
        taskQueue,
        workflowId: `bare/${stamp}/${id}`,
        args: [input],
        requestEagerStart: true,
      });
      results.push(handle.result());
    }
  };
  const results: Promise<unknown>[] = [];
  return worker.runUntil(async () => {
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: task.startsInFlight }, lane));
    await Promise.all(results);
    return deliveries / ((performance.now() - startedAt) / 1_000);
  });
}

process.once('message', (task: Task) => {
  void run(task).then((perSecond) => {
    process.send?.({ kind: 'done', perSecond });
    process.disconnect?.();
  });
});
