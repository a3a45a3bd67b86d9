import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Runtime,
  Worker,
  type NativeConnection,
  type WorkerDeploymentOptions,
  type WorkerOptions,
} from '@temporalio/worker';
import { createActivities } from '../activities';
import type { Attempts } from './engine/attempt';
import { DELIVERY_TASK_QUEUE, SLOW_TASK_QUEUE } from './domain/delivery-contract';
import { keepBuildCurrent, routesByBuild, WORKER_DEPLOYMENT } from './platform/current-build';
import type { Logger } from './platform/logger';
import type { Leases } from './platform/mongo-lease';
import { sleep, tryUntilDone } from './platform/sleep';
import type { TemporalLink } from './platform/temporal';

/**
 * A slow receiver holds a slot for up to 30 s: with 40 slots, 150 such deliveries delayed others by 31 s; with 200, by
 * 8 ms.
 */
const SLOTS = 256;
const SLOW_SLOTS = 512;
const POLLERS = { type: 'autoscaling', initial: 10, minimum: 2, maximum: 50 } as const;
/**
 * Temporal takes back tasks that are not completed after 10 s, and that includes the tasks of a killed worker. With 256
 * tasks at a time and a worker killed every nine seconds, three tasks were taken back for each that was completed.
 */
const MAX_WORKFLOW_TASKS = 64;
/** Of a worker without an API (ADR 53). */
const TASKS_PER_PROCESSOR = 8;
const TASKS_PER_POLLER = 4;

/**
 * Options of a worker that runs deliveries; the benchmark's bare run uses the same.
 *
 * @param eager whether the process also starts deliveries: a start takes a free place at once, without a poller
 */
export function deliveryWorkerOptions(eager: boolean) {
  const common = {
    maxCachedWorkflows: 2_000,
    maxConcurrentWorkflowTaskExecutions: MAX_WORKFLOW_TASKS,
    maxConcurrentLocalActivityExecutions: SLOTS,
    maxConcurrentActivityTaskExecutions: SLOTS,
    workflowTaskPollerBehavior: POLLERS,
    activityTaskPollerBehavior: POLLERS,
  };
  if (eager) return common;
  const tasks = Math.min(MAX_WORKFLOW_TASKS, TASKS_PER_PROCESSOR * availableParallelism());
  const pollers = tasks / TASKS_PER_POLLER;
  return {
    ...common,
    maxConcurrentWorkflowTaskExecutions: tasks,
    workflowTaskPollerBehavior: { ...POLLERS, initial: pollers, maximum: pollers },
  };
}

const SHUTDOWN_GRACE = '35s';
const RESTART_DELAY_MS = 1_000;

export type DeliveryWorker = ReturnType<typeof startWorker>;

/**
 * Runs the two workers of a process on one connection: deliveries with their inline attempts, and slow attempts. Starts
 * them when Temporal answers, and restarts them if one fails.
 *
 * @param code only tests change it: the workflows of another build
 */
export function startWorker(
  deps: {
    readonly attempts: Attempts;
    readonly temporal: TemporalLink;
    readonly dispatch: Leases;
    readonly logger: Logger;
    /** Whether this process also starts deliveries. */
    readonly eager: boolean;
  },
  code: () => Promise<WorkflowCode> = workflowCode,
) {
  const stop = new AbortController();
  let workers: Worker[] = [];
  let becomeReady: () => void;
  const ready = new Promise<void>((resolve) => (becomeReady = resolve));
  const { temporal, dispatch: leases, logger, eager } = deps;
  const activities = createActivities(deps);
  let keeping: Promise<void> | undefined;

  const stopped = new Promise<undefined>((resolve) => stop.signal.addEventListener('abort', () => resolve(undefined)));
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        // Temporal may never become available: a stop does not wait for it.
        const connection = await Promise.race([temporal.connected(), stopped]);
        if (!connection) return;
        const { namespace } = temporal;
        await untilNamespaceExists(temporal, logger, stop.signal);
        const workflowBundle = await code();
        const build = (await routesByBuild(temporal)) ? deploymentOptions(workflowBundle) : undefined;
        if (!build) logger.info('this Temporal does not route by build: a worker of any build gets any delivery');
        workers = await createWorkers({ connection, namespace, activities, workflowBundle, build, eager });
        const running = Promise.all(workers.map((worker) => worker.run()));
        if (build) keeping ??= keepBuildCurrent({ temporal, leases, logger }, build.version.buildId, stop.signal);
        becomeReady();
        if (stop.signal.aborted) shutDown(workers);
        await running;
      } catch (error) {
        if (stop.signal.aborted) return;
        logger.error({ err: error }, 'the worker failed; it starts again');
        shutDown(workers);
        await sleep(RESTART_DELAY_MS, stop.signal);
      }
    }
  };
  const running = run();
  return {
    /** Resolves once it polls. */
    ready: () => ready,
    /** Accepts nothing more, and resolves when its tasks have ended: at most 35 s later. */
    async close(): Promise<void> {
      stop.abort();
      shutDown(workers);
      await running;
      await keeping;
    },
  };
}

/**
 * Sends the SDK's own log lines to our log. Call once in a process, before anything of Temporal is used.
 *
 * @param metricsAddress where the SDK serves its metrics (`chooseTemporalMetrics`); nowhere by default
 */
export function installTemporalRuntime(logger: Logger, metricsAddress?: string): void {
  const log = logger.child({ part: 'temporal-sdk' });
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'debug', WARN: 'warn', ERROR: 'error' } as const;
  Runtime.install({
    // We handle Ctrl-C: main.ts stops the parts in order.
    shutdownSignals: [],
    logger: new DefaultLogger('TRACE', ({ level, message, meta }) => log[levels[level]]({ ...meta }, message)),
    telemetryOptions: {
      logging: { forward: {}, filter: { core: 'WARN', other: 'WARN' } },
      ...(metricsAddress !== undefined && {
        metrics: {
          prometheus: {
            bindAddress: metricsAddress,
            countersTotalSuffix: true,
            useSecondsForDurations: true,
            unitSuffix: true,
          },
        },
      }),
    },
  });
}

/**
 * Resolves when Temporal has the namespace. The SDK would notice only when it has made a worker: it keeps its threads,
 * and holds the queue for a while.
 *
 * @throws Temporal's error, once the signal has aborted
 */
async function untilNamespaceExists(
  { namespace, call }: TemporalLink,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  let hasWaited = false;
  await tryUntilDone(() => call(({ workflowService }) => workflowService.describeNamespace({ namespace })), {
    everyMs: RESTART_DELAY_MS,
    signal,
    onFirstFailure(error) {
      hasWaited = true;
      logger.warn({ err: error }, `the worker waits for Temporal's namespace ${namespace}`);
    },
  });
  if (hasWaited) logger.info(`Temporal's namespace ${namespace} is there; the worker starts`);
}

interface Workers {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly activities: object;
  readonly workflowBundle: WorkflowCode;
  /** Undefined if Temporal does not route by build. */
  readonly build: WorkerDeploymentOptions | undefined;
  readonly eager: boolean;
}

async function createWorkers({ build, workflowBundle, eager, ...rest }: Workers): Promise<Worker[]> {
  const shared = {
    ...rest,
    ...(build && { workerDeploymentOptions: build }),
    shutdownGraceTime: SHUTDOWN_GRACE,
  } as const;
  const deliveries = Worker.create({
    ...shared,
    ...deliveryWorkerOptions(eager),
    workflowBundle,
    taskQueue: DELIVERY_TASK_QUEUE,
  });
  const slowAttempts = Worker.create({
    ...shared,
    taskQueue: SLOW_TASK_QUEUE,
    maxConcurrentActivityTaskExecutions: SLOW_SLOTS,
    activityTaskPollerBehavior: POLLERS,
  });
  const made = await Promise.allSettled([deliveries, slowAttempts]);
  const workers = made.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = made.find((result) => result.status === 'rejected');
  if (!failed) return workers;
  // A worker gives its queue back only after a run: if it kept the queue, no later one could be made.
  await Promise.all(
    workers.map((worker) => {
      const ended = worker.run();
      worker.shutdown();
      return ended;
    }),
  );
  throw failed.reason;
}

/**
 * Names the build of a worker with these workflows. Executions continue in the current build, whichever started them,
 * so no old build has to run for a day (ADR 33).
 */
export function deploymentOptions(bundle: WorkflowCode): WorkerDeploymentOptions & { version: { buildId: string } } {
  return {
    version: { deploymentName: WORKER_DEPLOYMENT, buildId: buildIdOf(bundle) },
    useWorkerVersioning: true,
    defaultVersioningBehavior: 'AUTO_UPGRADE',
  };
}

/** Bundled workflows: their code, or its path. */
export type WorkflowCode = NonNullable<WorkerOptions['workflowBundle']>;
let bundled: Promise<WorkflowCode> | undefined;

/**
 * The bundle from the build, or, when running from sources, one that is made now. A process reads it once, because its
 * activities match no later build.
 */
export function workflowCode(): Promise<WorkflowCode> {
  const codePath = join(__dirname, '..', 'workflow-bundle.js');
  const workflowsPath = join(__dirname, '..', 'workflows', 'index.ts');
  bundled ??= existsSync(codePath)
    ? readFile(codePath, 'utf8').then((code) => ({ code }))
    : bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  return bundled;
}

/**
 * A hash of the workflows and of the Temporal SDK in them: two releases with the same workflows are one build to
 * Temporal.
 */
function buildIdOf(bundle: WorkflowCode): string {
  const code = 'code' in bundle ? bundle.code : readFileSync(bundle.codePath, 'utf8');
  // The source map names the folder in which the bundle was made.
  const withoutSourceMap = code.replace(/^\/\/# sourceMappingURL=.*$/m, '');
  return createHash('sha256').update(withoutSourceMap).digest('hex').slice(0, 16);
}

function shutDown(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}
