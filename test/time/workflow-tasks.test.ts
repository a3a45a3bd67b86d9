import { availableParallelism } from 'node:os';
import { Worker } from '@temporalio/worker';
import { DELIVERY_TASK_QUEUE, type AttemptInput } from '../../src/domain/delivery-contract';
import { deliveryWorkerOptions, workflowCode } from '../../src/worker';
import { buildDataPath, ownType, useDataPath } from '../support/build-data-path';
import { useReceiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';

// ADR 53: what a worker has taken when it is killed waits until Temporal takes it back, ten seconds after it was
// taken.

const MOST = Math.min(64, 8 * availableParallelism());
const BACKLOG = MOST + 40;

const path = useDataPath();
/** Another process on the same servers: the SDK allows one worker for a task queue on one connection. */
const other = useFixture(
  'file',
  () => buildDataPath({ of: path, env: { TEMPORAL_NAMESPACE: path.temporal.namespace } }),
  (built) => built.close(),
);
const receiver = useReceiver();

it('a worker with a backlog takes at most eight workflow tasks for each processor, and leaves the rest to others', async () => {
  const type = ownType();
  await path.endpoint(receiver.url, type);
  await Promise.all(Array.from({ length: BACKLOG }, () => path.send(type)));
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const begun = new Set<number>();
  const executor = path.executor();
  // Each of its attempts holds the workflow task until it may continue.
  const attemptDelivery = async (input: AttemptInput) => {
    begun.add(input.eventId);
    await held;
    return executor.attemptDelivery(input);
  };
  const busy = await Worker.create({
    ...deliveryWorkerOptions(false),
    connection: await path.temporal.connected(),
    namespace: path.temporal.namespace,
    taskQueue: DELIVERY_TASK_QUEUE,
    workflowBundle: await workflowCode(),
    activities: { ...executor, attemptDelivery },
  });

  await busy.runUntil(async () => {
    await eventually(
      () => begun.size,
      (count) => count > MOST / 2,
    );
    await other.worker();
    await receiver.waitFor(BACKLOG - MOST);

    expect(begun.size).toBeLessThanOrEqual(MOST);
    goOn();
  });
});
