import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { AggregatorRegistry, Gauge, type RegistryContentType } from 'prom-client';
import { ConfigError, type Config } from '../config';
import type { Logger } from '../platform/logger';
import { serveMetrics } from '../platform/metrics';
import type { Message } from './role-process';
import { requireServers, startRole, type Role, type RunningRole } from './start-role';

/** A process that ends unexpectedly is replaced after this time. */
const RESTART_DELAY_MS = 1_000;

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
  let isClosing = false;
  // The sums of their counters.
  const counts = new AggregatorRegistry();
  const startTime = new Gauge({
    name: 'process_start_time_seconds',
    help: 'Start of the process that started last, in seconds since the Unix epoch.',
    registers: [counts],
  });

  const fork = (): Child => {
    const child = startChild(config, log);
    startTime.setToCurrentTime();
    running.add(child.worker);
    let failure: string | undefined;
    // A replacement that can't run exits, and is replaced again.
    child.url.catch((error: unknown) => (failure = (error as Error).message));
    child.worker.once('exit', (code, signal) => {
      running.delete(child.worker);
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
    const source = {
      contentType: counts.contentType,
      metrics: async () => `${await sumsOf(counts)}${await counts.metrics()}`,
    };
    const metrics = await serveMetrics(source, config, logger);
    return {
      url: urls[0],
      metricsUrl: metrics?.url,
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
 * The sums of the processes' metrics, as text. If a process ends meanwhile, the others are asked again: its answer would
 * be awaited for 5 s, and in vain.
 */
async function sumsOf(counts: AggregatorRegistry<RegistryContentType>): Promise<string> {
  const done = new AbortController();
  const ended = once(cluster, 'disconnect', done).then(
    () => undefined,
    () => undefined,
  );
  const sums = await Promise.race([counts.clusterMetrics(), ended]).finally(() => done.abort());
  return sums ?? sumsOf(counts);
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

async function stopChild(worker: Worker): Promise<void> {
  const exited = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  await exited;
}
