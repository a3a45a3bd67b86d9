import { join } from 'node:path';
import { setInterval } from 'node:timers/promises';
import { Worker } from '@temporalio/worker';
import { createExecutions } from '../src/engine/executions';
import { DELIVERY_TASK_QUEUE, type AttemptInput, type DeliveryActivities } from '../src/domain/delivery-contract';
import { createLogger } from '../src/platform/logger';
import { createTemporalLink } from '../src/platform/temporal';
import { deliveryWorkerOptions, deploymentOptions, installTemporalRuntime } from '../src/worker';
import { meterCpu } from './statistics';

/** Sent by the parent. */
interface Task {
  readonly address: string;
  /** Temporal's process. */
  readonly temporalPid: number;
  readonly namespace: string;
  readonly schedule: readonly number[];
  readonly deliveries: number;
  readonly startsInFlight: number;
  /** A steady load before that: 20 starts a second. */
  readonly steadySeconds: number;
}

export interface Bare {
  /** Of the steady load: milliseconds from each start to its activity. */
  readonly lags: number[];
  /** Of the burst: how many were done a second. */
  readonly perSecond: number;
  /** Of the burst: CPU seconds of both processes for 1,000 of them. */
  readonly cpu: Readonly<Record<string, number>>;
}

const STEADY_PER_SECOND = 20;
const WARM_UP = 200;

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

/** Runs bare deliveries: a steady load, and a burst. */
async function run(task: Task): Promise<Bare> {
  const { namespace, schedule, deliveries } = task;
  const logger = createLogger('warn');
  installTemporalRuntime(logger);
  const temporal = createTemporalLink({ address: task.address, namespace, connection: {} }, logger);
  const activityOf = new Map<number, () => void>();
  const workflowBundle = { codePath: join(__dirname, '..', 'workflow-bundle.js') };
  const worker = await Worker.create({
    ...deliveryWorkerOptions(true),
    // Temporal gives the tasks to the build that Everpost's worker made current.
    workerDeploymentOptions: deploymentOptions(workflowBundle),
    connection: await temporal.connected(),
    namespace,
    taskQueue: DELIVERY_TASK_QUEUE,
    activities: {
      ...emptyActivities,
      attemptDelivery: async (input: AttemptInput) => {
        activityOf.get(input.eventId)!();
        return emptyActivities.attemptDelivery(input);
      },
    },
    workflowBundle,
  });
  const executions = createExecutions({
    temporal,
    deliveries: { markStarted: async () => undefined, takeStart: async () => true, cancel: async () => false },
    logger,
    schedule,
    eager: true,
  });
  // Ids that an earlier run on the same server did not use.
  let id = (Date.now() % 1_000_000_000) * 10_000;
  const deliver = () => {
    const eventId = (id += 1);
    const startedAt = performance.now();
    const lagMs = new Promise<number>((resolve) =>
      activityOf.set(eventId, () => resolve(performance.now() - startedAt)),
    );
    const started = executions.start({
      ref: { eventId, endpointId: 'ep_bare', run: 1 },
      accountId: 'acc_bare',
      eventType: 'order.created',
      url: 'https://127.0.0.1/',
      firstAttempt: 1,
      firstDelayMs: 0,
    });
    return { started, lagMs };
  };
  const steady = async (count: number): Promise<number[]> => {
    const lags: Promise<number>[] = [];
    for await (const _ of setInterval(1_000 / STEADY_PER_SECOND)) {
      lags.push(deliver().lagMs);
      if (lags.length >= count) break;
    }
    return Promise.all(lags);
  };
  const burst = async (count: number): Promise<number> => {
    const lags: Promise<number>[] = [];
    const beganAt = performance.now();
    const lane = async (): Promise<void> => {
      while (lags.length < count) {
        const { started, lagMs } = deliver();
        lags.push(lagMs);
        await started;
      }
    };
    await Promise.all(Array.from({ length: task.startsInFlight }, lane));
    await Promise.all(lags);
    return count / ((performance.now() - beganAt) / 1_000);
  };
  return worker.runUntil(async () => {
    await burst(WARM_UP);
    const lags = await steady(task.steadySeconds * STEADY_PER_SECOND);
    const cpuPer1000 = meterCpu({ worker: process.pid, temporal: task.temporalPid });
    const perSecond = await burst(deliveries);
    return { lags, perSecond, cpu: cpuPer1000(deliveries) };
  });
}

process.once('message', (task: Task) => {
  void run(task).then((measured) => {
    process.send?.({ kind: 'done', ...measured });
    process.disconnect?.();
  });
});
