import { join } from 'node:path';
import type { Config } from '../src/config';
import { findServer } from './find-server';
import { startMongod } from './mongod';
import { endOrphans, type Signature } from './orphans';
import type { Progress } from './progress';
import type { ServerProcess } from './server-process';
import { supervise } from './supervise';
import { startTemporalServer, TEMPORAL_DATABASE } from './temporal-server';

/** Where the stack's servers are, be they ours or configured ones. */
export interface StackServers {
  readonly mongodbUri: string;
  readonly temporalAddress: string;
  /** Undefined when a configured Temporal is used: its Web UI is its operator's. */
  readonly temporalUiUrl: string | undefined;
}

export interface StackServersOptions {
  readonly config: Config;
  readonly dataDir: string;
  readonly onProgress: Progress;
  /** Told every process, so that it can be ended whatever happens. */
  readonly onSpawn: (server: ServerProcess) => void;
  /** Told how to stop each server once it runs. */
  readonly onStarted: (name: 'mongod' | 'Temporal', stop: () => Promise<void>) => void;
}

/** How servers of this data folder are recognised after their parent was killed. */
function signatures(dataDir: string): Signature[] {
  return [
    {
      name: 'Temporal',
      pairs: [
        ['server', 'start-dev'],
        ['--db-filename', join(dataDir, 'temporal', TEMPORAL_DATABASE)],
      ],
    },
    {
      name: 'mongod',
      pairs: [
        ['--replSet', 'everpost'],
        ['--dbpath', join(dataDir, 'mongodb')],
      ],
    },
  ];
}

/** Ends what a killed stack left running on this data folder. The caller holds the folder. */
export async function reclaimServers(dataDir: string, onProgress: Progress): Promise<void> {
  await endOrphans(signatures(dataDir), ({ name, pid }) =>
    onProgress(`Stopping ${name} (process ${pid}), which a killed stack left behind on this data folder …`),
  );
}

/** Starts the servers that are not configured elsewhere, both at once, and keeps them running. */
export async function startStackServers(options: StackServersOptions): Promise<StackServers> {
  const { mongodb, temporal } = options.config;
  const [mongodbUri, server] = await Promise.all([
    mongodb.uri ?? startOwnMongod(options),
    temporal.address === undefined ? startOwnTemporal(options) : { address: temporal.address, uiUrl: undefined },
  ]);
  return { mongodbUri, temporalAddress: server.address, temporalUiUrl: server.uiUrl };
}

async function startOwnMongod({
  config,
  dataDir,
  onProgress,
  onSpawn,
  onStarted,
}: StackServersOptions): Promise<string> {
  const { binary: configuredPath, port } = config.mongodb;
  const binary = await findServer('mongod', { configuredPath, cacheDir: config.cacheDir, onProgress });
  const shared = { binary, dataDir: join(dataDir, 'mongodb'), onProgress, onSpawn };
  const { first, stop } = await supervise({
    name: 'mongod',
    start: () => startMongod({ ...shared, port }),
    restart: (before) => startMongod({ ...shared, port: before.port }),
    onProgress,
  });
  onStarted('mongod', stop);
  return first.uri;
}

async function startOwnTemporal({ config, dataDir, onProgress, onSpawn, onStarted }: StackServersOptions) {
  const { binary: configuredPath, namespace, port, uiPort, retentionMs } = config.temporal;
  const binary = await findServer('temporal', { configuredPath, cacheDir: config.cacheDir, onProgress });
  const shared = { binary, dataDir: join(dataDir, 'temporal'), namespace, retentionMs, onProgress, onSpawn };
  const { first, stop } = await supervise({
    name: 'Temporal',
    start: () => startTemporalServer({ ...shared, port, uiPort }),
    restart: (before) => startTemporalServer({ ...shared, port: before.port, uiPort: before.uiPort }),
    onProgress,
  });
  onStarted('Temporal', stop);
  return first;
}
