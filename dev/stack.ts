import type { Config } from '../src/config';
import { startProcesses } from '../src/processes/start-processes';
import type { Logger } from '../src/platform/logger';
import { checkPorts, portTaken } from './check-ports';
import { encryptionKeys } from './encryption-key';
import { createFirstAccount, createOperatorLink, type FirstAccount } from './first-account';
import type { Inbox } from './inbox';
import { LocalStackError } from './local-stack-error';
import { withProgress, type Progress } from './progress';
import type { ServerProcess } from './server-process';
import { startStackInbox } from './stack-inbox';
import { reclaimServers, startStackServers } from './stack-servers';

/** A stack whose every part was seen to be healthy. */
export interface RunningStack {
  readonly apiUrl: string;
  readonly metricsUrl: string | undefined;
  readonly mongodbUri: string;
  readonly temporalAddress: string;
  readonly temporalUiUrl: string | undefined;
  readonly inbox: Inbox;
  /** Only at the first start on a data folder. */
  readonly firstAccount: FirstAccount | undefined;
  /** Where the operator claims the first account; undefined once somebody did. */
  readonly setupUrl: string | undefined;
}

/** A stack that is to be started once and stopped once. */
export interface LocalStack {
  start(): Promise<RunningStack>;
  /** Stops in order: API and worker, inbox, Temporal, MongoDB. Also in the middle of a start. */
  stop(): Promise<void>;
  /** Ends the servers at once; nothing that was accepted is lost, the next start goes on with it. */
  kill(): void;
}

export interface LocalStackOptions {
  readonly config: Config;
  /** Held by the caller. */
  readonly dataDir: string;
  readonly logger: Logger;
  /** Where its lines go. */
  readonly log: NodeJS.WritableStream;
  readonly onProgress: Progress;
}

const HEALTHY_TIMEOUT_MS = 60_000;

export function createLocalStack({ config, dataDir, logger, log, onProgress }: LocalStackOptions): LocalStack {
  const processes = new Set<ServerProcess>();
  const closers: { rank: number; what: string; close: () => Promise<void> }[] = [];
  let stopping: Promise<void> | undefined;

  function onSpawn(server: ServerProcess) {
    processes.add(server);
    void server.exited.then(() => processes.delete(server));
    if (stopping) void server.kill();
  }

  /** Lower ranks are closed first. */
  function closeLater(rank: number, what: string, close: () => Promise<void>) {
    closers.push({ rank, what, close });
    if (stopping) throw new LocalStackError('It was stopped while it was starting.');
  }

  async function start(): Promise<RunningStack> {
    await reclaimServers(dataDir, onProgress);
    await checkPorts(config);
    const keys = await encryptionKeys(dataDir, config.encryptionKeys);
    const servers = await startStackServers({
      ...{ config, dataDir, onProgress, onSpawn },
      onStarted: (name, stop) => closeLater(name === 'Temporal' ? 3 : 4, name, stop),
    });
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

  async function closeInOrder() {
    for (const { what, close } of closers.sort((a, b) => a.rank - b.rank)) {
      await withProgress(onProgress, () => `Stopping ${what}`, close);
    }
    await Promise.all([...processes].map((server) => server.stop()));
  }

  return {
    start,
    stop: () => (stopping ??= closeInOrder()),
    kill: () => processes.forEach((server) => void server.kill()),
  };
}

/** The settings with what the stack brings itself. */
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
      // That one port and nothing beside it: a key holder must not reach anything else on this machine.
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
  const deadline = Date.now() + HEALTHY_TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(`${apiUrl}/readyz`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (Date.now() > deadline)
      throw new LocalStackError(`The API is not ready after 60 s: ${apiUrl}/readyz; see the log.`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
