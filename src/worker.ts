import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Runtime,
  Worker,
  type NativeConnection,
  type WorkerOptions,
} from '@temporalio/worker';
import { createActivities } from '../activities';
import type { Attempts } from './attempts';
import { DELIVERY_TASK_QUEUE, SLOW_TASK_QUEUE } from './domain/delivery-contract';
import type { Logger } from './platform/logger';
import { sleep } from './platform/sleep';
import type { TemporalLink } from './platform/temporal';

/** A worker that polls for deliveries. */
export interface DeliveryWorker {
  /** Resolves once it polls. */
  ready(): Promise<void>;
  /** Takes nothing more, and resolves when its tasks are through: at most 35 s later. */
  close(): Promise<void>;
}

/** A slow receiver holds a slot for up to 30 s: with 40 slots 150 such deliveries delayed others by 31 s, with 200 by 8 ms. */
const SLOTS = 256;
/**
 * Temporal takes back what is not through after 10 s, and a worker that is killed leaves all it has taken to that. With
 * 256 tasks at a time and a worker killed every nine seconds, three tasks were taken back for each that was completed.
 */
const WORKFLOW_TASKS = 64;
const SLOW_SLOTS = 512;
const POLLERS = { type: 'autoscaling', initial: 10, minimum: 2, maximum: 50 } as const;
/** Options of the worker that runs deliveries; the benchmark's bare run uses the same. */
export const WORKER_OPTIONS = {
  maxCachedWorkflows: 2_000,
  maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS,
  maxConcurrentLocalActivityExecutions: SLOTS,
  maxConcurrentActivityTaskExecutions: SLOTS,
  workflowTaskPollerBehavior: POLLERS,
  activityTaskPollerBehavior: POLLERS,
} as const;

const SHUTDOWN_GRACE = '35s';
const RESTART_DELAY_MS = 1_000;

/**
 * Runs the two workers of a process on one connection: deliveries with their inline attempts, and slow attempts.
 * Starts them when Temporal answers, and again should one of them fail.
 */
export function startWorker(deps: { temporal: TemporalLink; attempts: Attempts; logger: Logger }): DeliveryWorker {
  const stop = new AbortController();
  let workers: Worker[] = [];
  let becomeReady: () => void;
  const ready = new Promise<void>((resolve) => (becomeReady = resolve));
  const activities = createActivities(deps.attempts.deps, deps.attempts);

  const stopped = new Promise<undefined>((resolve) => stop.signal.addEventListener('abort', () => resolve(undefined)));
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        // Temporal may never come: a stop does not wait for it.
        const connection = await Promise.race([deps.temporal.connected(), stopped]);
        if (!connection) return;
        workers = await createWorkers(connection, deps.temporal.namespace, activities);
        const running = Promise.all(workers.map((worker) => worker.run()));
        becomeReady();
        if (stop.signal.aborted) shutDown(workers);
        await running;
      } catch (error) {
        if (stop.signal.aborted) return;
        deps.logger.error({ err: error }, 'the worker failed; it starts again');
        shutDown(workers);
        await sleep(RESTART_DELAY_MS, stop.signal);
      }
    }
  };
  const running = run();
  return {
    ready: () => ready,
    async close() {
      stop.abort();
      shutDown(workers);
      await running;
    },
  };
}

/** Sends the SDK's own log lines into ours. Once in a process, before anything of Temporal is used. */
export function installTemporalRuntime(logger: Logger): void {
  const log = logger.child({ part: 'temporal-sdk' });
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
  const write = (level: keyof typeof levels, message: string, meta?: object): void =>
    log[levels[level]]({ ...meta }, message);
  Runtime.install({
    // Ctrl-C is ours: main.ts ends things in order.
    shutdownSignals: [],
    logger: {
      log: (level, message, meta) => write(level, message, meta),
      trace: (message, meta) => write('TRACE', message, meta),
      debug: (message, meta) => write('DEBUG', message, meta),
      info: (message, meta) => write('INFO', message, meta),
      warn: (message, meta) => write('WARN', message, meta),
      error: (message, meta) => write('ERROR', message, meta),
    },
    telemetryOptions: { logging: { forward: {}, filter: { core: 'WARN', other: 'WARN' } } },
  });
}

async function createWorkers(connection: NativeConnection, namespace: string, activities: object): Promise<Worker[]> {
  const shared = { connection, namespace, activities, shutdownGraceTime: SHUTDOWN_GRACE } as const;
  const workflowBundle = await workflowCode();
  const deliveries = Worker.create({ ...shared, ...WORKER_OPTIONS, workflowBundle, taskQueue: DELIVERY_TASK_QUEUE });
  const slowAttempts = Worker.create({
    ...shared,
    taskQueue: SLOW_TASK_QUEUE,
    maxConcurrentActivityTaskExecutions: SLOW_SLOTS,
    activityTaskPollerBehavior: POLLERS,
  });
  return Promise.all([deliveries, slowAttempts]);
}

type WorkflowCode = NonNullable<WorkerOptions['workflowBundle']>;
let bundled: Promise<WorkflowCode> | undefined;

/** The bundle that the build made, or, running from sources, one that is made once in a process. */
export function workflowCode(): Promise<WorkflowCode> {
  const codePath = join(__dirname, '..', 'workflow-bundle.js');
  const workflowsPath = join(__dirname, '..', 'workflows', 'index.ts');
  bundled ??= existsSync(codePath)
    ? Promise.resolve({ codePath })
    : bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  return bundled;
}

function shutDown(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
