import type { Config } from '../src/config';
import { startProcesses } from '../src/processes/start-processes';
import type { Logger } from '../src/platform/logger';
import { encryptionKeys } from './data-dir';
import { createFirstAccount, createOperatorLink, type FirstAccount } from './first-account';
import type { Inbox } from './inbox';
import { LocalStackError, withProgress, type Progress } from './messages';
import type { RunningMongod } from './mongod';
import { checkPorts, portTaken } from './ports';
import { supervise, waitUntilHealthy, type ServerProcess } from './server-process';
import { startOwnMongod, startOwnTemporal } from './servers';
import { startStackInbox } from './stack-inbox';
import type { RunningTemporal } from './temporal-server';

/** A stack whose parts are all healthy. */
export interface RunningStack {
  readonly apiUrl: string;
  readonly metricsUrl: string | undefined;
  readonly mongodbUri: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | undefined;
  readonly inbox: Inbox;
  /** Only at the first start on a data folder. */
  readonly firstAccount: FirstAccount | undefined;
  /** The URL where the operator claims the first account; undefined once it is claimed. */
  readonly setupUrl: string | undefined;
}

export type LocalStack = ReturnType<typeof createLocalStack>;

export interface LocalStackOptions {
  readonly config: Config;
  /** Held by the caller. */
  readonly dataDir: string;
  readonly logger: Logger;
  /** The log of the role. */
  readonly log: NodeJS.WritableStream;
  readonly onProgress: Progress;
}

const HEALTHY_TIMEOUT_MS = 60_000;

/** A stack that is started once and stopped once. */
export function createLocalStack({ config, dataDir, logger, log, onProgress }: LocalStackOptions) {
  const closers: { rank: number; what: string; close: () => Promise<void> }[] = [];
  let stopping: Promise<void> | undefined;
  const serversOptions = { config, folder: dataDir, onProgress };

  /** Lower ranks are closed first. */
  function closeLater(rank: number, what: string, close: () => Promise<void>) {
    closers.push({ rank, what, close });
    if (stopping) throw new LocalStackError('It was stopped while it was starting.');
  }

  async function start(): Promise<RunningStack> {
    await checkPorts(config);
    const keys = await encryptionKeys(dataDir, config.encryptionKeys);
    const servers = await startServers();
    const stackInbox = await startStackInbox({
      dataDir,
      mongodbUri: servers.mongodbUri,
      encryptionKeys: keys,
      onProgress,
    });
    closeLater(2, 'the inbox', stackInbox.close);
    const { inbox, caPem } = stackInbox;
    const role = await startAll(roleConfig(config, servers, keys, { caPem, port: inbox.port }), logger, log);
    closeLater(1, 'the API and the worker', role.close);
    const healthy = () => untilHealthy(role.url, role.workerReady);
    await withProgress(onProgress, () => 'Waiting for the API and the worker', healthy);
    const firstAccount = await createFirstAccount(servers.mongodbUri, config.limits.tiers);
    const setupUrl = await createOperatorLink(servers.mongodbUri, role.url);
    return { ...servers, apiUrl: role.url, metricsUrl: role.metricsUrl, inbox, firstAccount, setupUrl };
  }

  /** Starts the servers that are not configured elsewhere, both at once, and keeps them running. */
  async function startServers() {
    const [{ uri: mongodbUri }, { address, uiUrl }] = await Promise.all([startMongodb(), startTemporal()]);
    return { mongodbUri, temporalAddress: address, temporalUiUrl: uiUrl };
  }

  async function startMongodb(): Promise<{ uri: string }> {
    const { uri, port } = config.mongodb;
    if (uri !== undefined) return { uri };
    return keep(4, 'mongod', (first?: RunningMongod) => startOwnMongod(serversOptions, first?.port ?? port));
  }

  async function startTemporal(): Promise<{ address: string; uiUrl: string | undefined }> {
    const { address, port, uiPort, retentionMs } = config.temporal;
    if (address !== undefined) return { address, uiUrl: undefined };
    return keep(3, 'Temporal', (first?: RunningTemporal) =>
      startOwnTemporal(serversOptions, { port: first?.port ?? port, uiPort: first?.uiPort ?? uiPort, retentionMs }),
    );
  }

  async function keep<T extends ServerProcess>(rank: number, name: string, startOne: (first?: T) => Promise<T>) {
    const { first, stop } = await supervise({ name, start: startOne, onProgress });
    closeLater(rank, name, stop);
    return first;
  }

  async function closeInOrder() {
    for (const { what, close } of closers.sort((a, b) => a.rank - b.rank)) {
      await withProgress(onProgress, () => `Stopping ${what}`, close);
    }
  }

  return {
    start,
    /**
     * Stops in order: API and worker, inbox, Temporal, MongoDB. During a start, parts that are not up yet end with this
     * process.
     */
    stop: (): Promise<void> => (stopping ??= closeInOrder()),
  };
}

/** The settings, with those that the stack provides itself. */
function roleConfig(
  config: Config,
  servers: { mongodbUri: string; temporalAddress: string; temporalUiUrl: string | undefined },
  encryptionKeysNow: readonly string[],
  inbox: { caPem: string; port: number },
): Config {
  const { mongodb, temporal, delivery, dashboard } = config;
  return {
    ...config,
    mongodb: { ...mongodb, uri: servers.mongodbUri },
    temporal: {
      ...temporal,
      address: servers.temporalAddress,
      // TLS and API keys are for the configured server; ours has none.
      connection: temporal.address === undefined ? {} : temporal.connection,
    },
    delivery: {
      ...delivery,
      // Only that one port: a key holder must not reach anything else on this machine.
      policy: { ...delivery.policy, allowTargets: [...delivery.policy.allowTargets, `127.0.0.1:${inbox.port}`] },
      extraCaPem: [...delivery.extraCaPem, inbox.caPem],
    },
    dashboard: { ...dashboard, temporalUiUrl: dashboard.temporalUiUrl ?? servers.temporalUiUrl },
    encryptionKeys: encryptionKeysNow,
  };
}

async function startAll(config: Config, logger: Logger, log: NodeJS.WritableStream) {
  try {
    const role = await startProcesses('all', config, logger, log);
    return { ...role, url: role.url! };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw portTaken(config.port, 'the API', 'PORT');
    throw error;
  }
}

async function untilHealthy(apiUrl: string, workerReady: Promise<void>): Promise<void> {
  const timeout = new Promise<never>((_resolve, reject) => {
    setTimeout(
      () => reject(new LocalStackError('The worker is not ready after 60 s; see the log.')),
      HEALTHY_TIMEOUT_MS,
    ).unref();
  });
  await Promise.race([workerReady, timeout]);
  // It runs in this process, or in a child that is replaced if it ends.
  await waitUntilHealthy({ ended: () => undefined }, 'The API', async () => {
    const answer = await fetch(`${apiUrl}/readyz`);
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`${apiUrl}/readyz answers ${answer.status}; see the log`);
  });
}
