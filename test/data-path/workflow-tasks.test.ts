import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { Worker } from '@temporalio/worker';
import { DELIVERY_TASK_QUEUE, type AttemptInput } from '../../src/domain/delivery-contract';
import { WORKER_OPTIONS } from '../../src/worker';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { eventually } from '../support/eventually';
import { buildDataPath, type DataPath } from '../support/build-data-path';

// ADR 29: what a worker has taken when it is killed waits until Temporal takes it back, ten seconds after it was taken.

const BACKLOG = 120;
/** Half of the time after which Temporal takes tasks back, and others are begun for them. */
const LOOK_AFTER_MS = 5_000;

let path: DataPath;
let receiver: Receiver;

beforeAll(async () => {
  path = await buildDataPath();
  receiver = await buildReceiver();
});

afterAll(async () => {
  await path?.close();
  await receiver?.close();
});

test('a worker that finds a backlog takes 64 workflow tasks at a time, and leaves the rest to others', async () => {
  await path.endpoint(receiver.url, 'backlog.made');
  for (let sent = 0; sent < BACKLOG; sent += 8) {
    await Promise.all(Array.from({ length: 8 }, () => path.send('backlog.made')));
  }
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let begun = 0;
  const executor = path.executor();
  const activities = {
    ...executor,
    // Holds its task for as long as nothing is said.
    async attemptDelivery(input: AttemptInput) {
      begun += 1;
      await held;
      return executor.attemptDelivery(input);
    },
  };
  const worker = await Worker.create({
    ...WORKER_OPTIONS,
    connection: await path.temporal.connected(),
    namespace: path.temporal.namespace,
    taskQueue: DELIVERY_TASK_QUEUE,
    workflowsPath: join(__dirname, '..', '..', 'workflows', 'index.ts'),
    activities,
  });

  await worker.runUntil(async () => {
    await eventually(
      () => Promise.resolve(begun),
      (count) => count > 0,
      30_000,
    );
    await pass(LOOK_AFTER_MS);
    const atOnce = begun;
    goOn();

    expect(atOnce).toBeGreaterThan(8);
    expect(atOnce).toBeLessThanOrEqual(64);
    await receiver.waitFor(BACKLOG, 40_000);
  });
}, 120_000);
