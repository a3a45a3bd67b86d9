import { join } from 'node:path';
import { Worker } from '@temporalio/worker';
import { createDeliveryStarter } from '../src/dispatch/start-delivery';
import { DELIVERY_TASK_QUEUE, type AttemptInput, type DeliveryActivities } from '../src/domain/delivery-contract';
import { createLogger } from '../src/platform/logger';
import { createTemporalLink } from '../src/platform/temporal';
import { installTemporalRuntime, WORKER_OPTIONS } from '../src/worker';

/** Sent by the parent. */
interface Task {
  readonly address: string;
  readonly namespace: string;
  readonly schedule: readonly number[];
  readonly deliveries: number;
  readonly startsInFlight: number;
}

/** The same workflow, started the same way on the same server, and an activity that does nothing. */
const emptyActivities: DeliveryActivities = {
  attemptDelivery: async ({ number }: AttemptInput) => ({
    kind: 'answered',
    number,
    succeeded: true,
    startedAtMs: 0,
    latencyMs: 0,
    statusCode: 200,
    errorCode: null,
  }),
  recordCancelled: async () => undefined,
};

/** Runs a number of bare deliveries. @returns how many a second were done, completion included */
async function run(task: Task): Promise<number> {
  const { namespace, schedule, deliveries } = task;
  const logger = createLogger('warn');
  installTemporalRuntime(logger);
  const temporal = createTemporalLink({ address: task.address, namespace, connection: {} }, logger);
  let done = 0;
  let finish: () => void;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const worker = await Worker.create({
    ...WORKER_OPTIONS,
    connection: await temporal.connected(),
    namespace,
    taskQueue: DELIVERY_TASK_QUEUE,
    activities: {
      ...emptyActivities,
      attemptDelivery: async (input: AttemptInput) => {
        done += 1;
        if (done === deliveries) finish();
        return emptyActivities.attemptDelivery(input);
      },
    },
    workflowBundle: { codePath: join(__dirname, '..', 'workflow-bundle.js') },
  });
  const starter = createDeliveryStarter({
    temporal,
    deliveries: { markStarted: async () => undefined },
    schedule,
    eager: true,
  });
  // Ids that an earlier run on the same server did not have.
  const firstId = (Date.now() % 1_000_000_000) * 10_000;
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let id = next++; id < deliveries; id = next++) {
      await starter.start({
        ref: { eventId: firstId + id, endpointId: 'ep_bare', run: 1 },
        accountId: 'acc_bare',
        eventType: 'order.created',
        url: 'https://127.0.0.1/',
        firstAttempt: 1,
        firstDelayMs: 0,
      });
    }
  };
  return worker.runUntil(async () => {
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: task.startsInFlight }, lane));
    await finished;
    return deliveries / ((performance.now() - startedAt) / 1_000);
  });
}

process.once('message', (task: Task) => {
  void run(task).then((perSecond) => {
    process.send?.({ kind: 'done', perSecond });
    process.disconnect?.();
  });
});
