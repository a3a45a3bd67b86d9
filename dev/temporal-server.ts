import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../src/domain/delivery-contract';
import { dropUnusedIndexes } from './execution-indexes';
import { LocalStackError, withProgress, type Progress } from './messages';
import { onFreePorts, PortTakenError, usablePort } from './ports';
import { spawnServer, waitUntilHealthy, type ServerProcess } from './server-process';

export interface StartTemporalOptions {
  readonly binary: string;
  /** The folder of the database and the log; created if missing. */
  readonly dataDir: string;
  /** True keeps nothing: no database file. */
  readonly inMemory?: boolean;
  /** 0 picks a free one. */
  readonly port: number;
  /** Port of the Web UI; 0 picks a free one, `undefined` starts none. */
  readonly uiPort?: number | undefined;
  readonly namespace: string;
  /**
   * How long finished deliveries stay visible in the Web UI; if absent, the namespace's setting applies: a day at
   * first.
   */
  readonly retentionMs?: number;
  readonly onProgress: Progress;
}

/** A running Temporal server with its namespace and search attributes. */
export interface RunningTemporal extends ServerProcess {
  readonly address: string;
  readonly port: number;
  readonly uiPort: number | undefined;
  readonly uiUrl: string | undefined;
}

const STOP_TIMEOUT_MS = 15_000;

/**
 * Starts Temporal's dev server on 127.0.0.1 and waits until it answers, its namespace exists and our search attributes
 * can be used. Can be repeated on the same data folder: every execution continues.
 *
 * @throws LocalStackError with one line that says what to do
 */
export async function startTemporalServer(options: StartTemporalOptions): Promise<RunningTemporal> {
  // Also for the ports that it picks itself for its inner services: if one of them is taken, it panics.
  const start = (progress: string): Promise<RunningTemporal> => onFreePorts(() => startOnce(options, progress));
  if (!options.inMemory && !existsSync(databaseIn(options))) {
    // Only the server can create its database. Killed, not stopped: nothing runs in it yet.
    await (await start("Creating Temporal's database")).kill();
    dropUnusedIndexes(databaseIn(options));
  }
  return start('Starting Temporal');
}

function databaseIn({ dataDir }: StartTemporalOptions): string {
  return join(dataDir, 'temporal.sqlite');
}

async function startOnce(options: StartTemporalOptions, progress: string): Promise<RunningTemporal> {
  const port = await usablePort(options.port, 'Temporal', 'TEMPORAL_PORT');
  const uiPort =
    options.uiPort === undefined
      ? undefined
      : await usablePort(options.uiPort, "Temporal's Web UI", 'TEMPORAL_UI_PORT');
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const logFile = join(options.dataDir, 'temporal.log');
  const server = await spawnServer({
    binary: options.binary,
    args: temporalArguments(options, port, uiPort),
    logFile,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  const address = `127.0.0.1:${port}`;
  try {
    const ready = () =>
      waitUntilHealthy(server, 'Temporal', () => prepareNamespace(address, options.namespace, options.retentionMs));
    await withProgress(options.onProgress, () => progress, ready);
  } catch (error) {
    await server.kill();
    const log = server.logTail();
    const said = /^Error: (.*)$/m.exec(log)?.[1];
    const StartError = log.includes('address already in use') ? PortTakenError : LocalStackError;
    throw new StartError(`${(error as Error).message}${said ? `: ${said}` : ''}. Log: ${logFile}`);
  }
  const uiUrl = uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`;
  return { ...server, address, port, uiPort, uiUrl };
}

function temporalArguments(options: StartTemporalOptions, port: number, uiPort: number | undefined): string[] {
  return [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'warn'],
    ...(options.inMemory ? [] : ['--db-filename', databaseIn(options)]),
    ...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort), '--ui-disable-news-fetch']),
    ...['--namespace', options.namespace],
    // Measured: 31 → 52 deliveries a second. A crash of the process loses nothing. A crash of the machine loses its
    // last second, which the reconciler repairs.
    ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
    // A noisy tenant must not delay the others.
    ...['--dynamic-config-value', 'matching.enableFairness=true'],
    // One server on one machine. With the usual four partitions, a queue's few pollers leave a partition without one while
    // they are busy: beside a neighbour whose endpoints hang, every fourth task of a healthy account waited four seconds
    // and longer. 99 % of its deliveries arrived within 8.8 to 13.6 s with four, and within 7.7 to 8.5 s with one (`npm run
    // chaos`, shared-host by workflow).
    ...['--dynamic-config-value', 'matching.numTaskqueueReadPartitions=1'],
    ...['--dynamic-config-value', 'matching.numTaskqueueWritePartitions=1'],
    // Its HTTP API is unused here, and a page of another site could reach it under its own name (DNS rebinding).
    ...['--dynamic-config-value', 'frontend.httpAllowedHosts=["127.0.0.1:*","localhost:*"]'],
    // Like every other server. By default the dev server reads all search attributes from its database again for each
    // call: ten queries a delivery (measured in one hour: 50 → 62 deliveries a second, 17.7 → 12.9 CPU seconds for
    // 1,000).
    ...['--dynamic-config-value', 'system.forceSearchAttributesCacheRefreshOnRead=false'],
    ...SEARCH_ATTRIBUTES.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
  ];
}

const ANSWER_TIMEOUT_MS = 3_000;

/**
 * Makes sure that the namespace is usable: it exists, keeps finished deliveries as long as configured, and has our
 * search attributes (also those that a newer version of Everpost adds). Safe to repeat.
 *
 * @throws Error while the server does not answer or the namespace does not exist yet
 */
async function prepareNamespace(address: string, namespace: string, retentionMs?: number): Promise<void> {
  const retentionSeconds = retentionMs && Math.ceil(retentionMs / 1_000);
  const connection = await Connection.connect({ address, connectTimeout: ANSWER_TIMEOUT_MS });
  try {
    await connection.withDeadline(Date.now() + 2 * ANSWER_TIMEOUT_MS, async () => {
      const { config } = await connection.workflowService.describeNamespace({ namespace });
      if (retentionSeconds && Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) !== retentionSeconds) {
        const workflowExecutionRetentionTtl = { seconds: retentionSeconds as never };
        await connection.workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl } });
      }
      await registerSearchAttributes(connection, namespace);
    });
  } finally {
    await connection.close();
  }
}

/** Adds our search attributes that a namespace lacks. */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTES.filter((name) => !(name in (customAttributes ?? {})));
  if (missing.length === 0) return;
  const keyword = temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
  const searchAttributes = Object.fromEntries(missing.map((name) => [name, keyword]));
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
}
