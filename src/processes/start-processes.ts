import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AggregatorRegistry, Gauge, Registry } from 'prom-client';
import { ConfigError, type Config } from '../config';
import type { Logger } from '../platform/logger';
import { serveMetrics } from '../platform/metrics';
import { worstOf, type Readiness } from '../platform/readiness';
import { ASK_METRICS, ASK_READINESS, type Message } from './role-messages';
import { requireServers, startRole, type Role, type RunningRole } from './start-role';

/** A process that ends unexpectedly is replaced after this time. */
const RESTART_DELAY_MS = 1_000;
/** Longer than the checks of a process take, and shorter than a probe waits. */
const ANSWER_WITHIN_MS = 4_000;
const NOT_ALL_RUN: Readiness = { isReady: false, status: 'starting', states: {} };

/**
 * Runs a role in as many processes as `PROCESSES` says. They share the API's port; leases in MongoDB give each sweep
 * one owner, as between hosts. A process that ends unexpectedly is replaced. All end with this process, however it
 * ends.
 *
 * @param log where the processes' log lines go
 * @throws what `startRole` throws, in any of them
 */
export async function startProcesses(
  role: Role,
  config: Config,
  logger: Logger,
  log: NodeJS.WritableStream = process.stdout,
): Promise<RunningRole> {
  if (config.processes === 1) return startRole(role, config, logger);
  requireServers(config);
  const file = join(__dirname, 'role-process.js');
  cluster.setupPrimary({ exec: file, args: [role], serialization: 'advanced', silent: true });
  const running = new Set<Worker>();
  /** Those that have something to count. */
  const counting = new Set<Worker>();
  let isClosing = false;
  const own = new Registry();
  const startTime = new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start of the process that started last, in seconds since the Unix epoch.',
    registers: [own],
  });

  const fork = (): Child => {
    const child = startChild(config, log);
    startTime.setToCurrentTime();
    running.add(child.worker);
    let failure: string | undefined;
    // A replacement that can't run exits, and is replaced again.
    child.url.then(
      () => counting.add(child.worker),
      (error: unknown) => (failure = (error as Error).message),
    );
    child.worker.once('exit', (code, signal) => {
      running.delete(child.worker);
      counting.delete(child.worker);
      if (isClosing) return;
      logger.error({ code, signal, failure }, 'a process ended; starting another');
      setTimeout(() => isClosing || fork(), RESTART_DELAY_MS);
    });
    return child;
  };
  const close = async (): Promise<void> => {
    isClosing = true;
    await Promise.all([...running].map((worker) => stopChild(worker)));
  };

  const children = Array.from({ length: config.processes }, fork);
  const all = async (what: (child: Child) => Promise<unknown>): Promise<void> =>
    void (await Promise.all(children.map(what)));
  try {
    const urls = await Promise.all(children.map(({ url }) => url));
    const registry = {
      contentType: own.contentType,
      metrics: async () => `${await sumsOf([...counting])}${await own.metrics()}`,
    };
    // One that is being replaced has no readiness yet.
    const readiness = async (): Promise<Readiness> =>
      running.size < config.processes ? NOT_ALL_RUN : worstOf(await Promise.all([...running].map(readinessOf)));
    const metrics = await serveMetrics({ registry, readiness }, config, logger);
    return {
      url: urls[0],
      metricsUrl: metrics?.url,
      readiness,
      workerReady: all((child) => child.workerReady),
      indexesReady: all((child) => child.indexesReady),
      async close() {
        await close();
        metrics?.close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The sums of the processes' metrics, as text, without those that end meanwhile.
 *
 * @throws Error if one does not answer in time: sums without it would look as if it had started again
 */
async function sumsOf(workers: readonly Worker[]): Promise<string> {
  const answers = await Promise.all(workers.map((worker) => ask(worker, ASK_METRICS, 'metrics')));
  return AggregatorRegistry.aggregate(answers.flatMap((answer) => (answer ? [[...answer.metrics]] : []))).metrics();
}

/** One of the processes. */
interface Child {
  readonly worker: Worker;
  /** Address of the API once it listens; rejects when it can't run. */
  readonly url: Promise<string | undefined>;
  readonly workerReady: Promise<void>;
  readonly indexesReady: Promise<void>;
}

function startChild(config: Config, log: NodeJS.WritableStream): Child {
  const worker = cluster.fork();
  for (const stream of [worker.process.stdout, worker.process.stderr]) {
    createInterface({ input: stream! }).on('line', (line) => log.write(`${line}\n`));
  }
  worker.send(config);
  const told = (kind: Message['kind']): Promise<Message> =>
    new Promise((resolve) => {
      worker.on('message', (message: Message) => message.kind === kind && resolve(message));
    });
  const failed = Promise.race([
    told('failed').then((message) => Promise.reject(errorOf(message))),
    once(worker, 'exit').then(() => Promise.reject(new Error('a process ended before it was ready'))),
  ]);
  return {
    worker,
    url: Promise.race([told('runs').then((message) => (message as { url?: string }).url), failed]),
    workerReady: told('worker-ready').then(() => undefined),
    indexesReady: told('indexes-ready').then(() => undefined),
  };
}

function errorOf(message: Message): Error {
  const { text, code, isConfigError } = message as Extract<Message, { kind: 'failed' }>;
  return Object.assign(isConfigError ? new ConfigError(text) : new Error(text), { code });
}

/** The readiness of one process. One that does not answer in time, or ends meanwhile, is not ready. */
async function readinessOf(worker: Worker): Promise<Readiness> {
  const answer = await ask(worker, ASK_READINESS, 'readiness').catch(() => undefined);
  return answer?.readiness ?? NOT_ALL_RUN;
}

/**
 * Asks a process.
 *
 * @returns its next message of that kind; undefined if it ends meanwhile
 * @throws Error if it does not answer in time
 */
function ask<Kind extends Message['kind']>(
  worker: Worker,
  question: string,
  kind: Kind,
): Promise<Extract<Message, { kind: Kind }> | undefined> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      worker.off('message', hear).off('exit', miss);
    };
    const hear = (message: Message): void => {
      if (message.kind !== kind) return;
      end();
      resolve(message as Extract<Message, { kind: Kind }>);
    };
    const miss = (): void => {
      end();
      resolve(undefined);
    };
    const timer = setTimeout(() => {
      end();
      reject(new Error(`a process did not answer "${question}" within ${ANSWER_WITHIN_MS} ms`));
    }, ANSWER_WITHIN_MS);
    worker.on('message', hear).on('exit', miss);
    if (worker.isConnected()) worker.send(question);
  });
}

async function stopChild(worker: Worker): Promise<void> {
  const exited = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  await exited;
}
