import { randomBytes } from 'node:crypto';
import { loadConfig, type Config } from '../src/config';
import type { RunningMongod } from './mongod';
import type { Progress } from './progress';
import type { Reaper } from './reaper';
import { startThrowawayServers, type ThrowawayServersOptions } from './throwaway-servers';
import type { RunningTemporal } from './temporal-server';

/** Servers that are gone afterwards, and the settings to run the product on them. */
export interface ThrowawayStack {
  /** For `startRole`: free ports, an encryption key of its own, the servers' addresses. */
  readonly config: Config;
  readonly mongod: RunningMongod;
  readonly temporal: RunningTemporal;
  /** Ends processes that the caller starts beside them, should this process be killed. */
  readonly reaper: Reaper;
  close(): Promise<void>;
}

export interface ThrowawayStackOptions extends Pick<ThrowawayServersOptions, 'webUi' | 'durableTemporal'> {
  /** Changes the settings: another schedule, the receiver's address and authority. */
  readonly adjust?: (config: Config) => Config;
  readonly onProgress?: Progress;
}

/**
 * Starts a stack's servers on free ports in a folder of its own, for a demo, a benchmark or an end-to-end test.
 * Nothing of it stays behind, also when this process is killed. The user's own settings for deliveries, ports and
 * servers have no influence; only where binaries are found does.
 */
export async function startThrowawayStack(options: ThrowawayStackOptions = {}): Promise<ThrowawayStack> {
  const users = loadConfig();
  const defaults = loadConfig({ NODE_ENV: 'development' });
  const found = {
    cacheDir: users.cacheDir,
    mongodb: { ...defaults.mongodb, binary: users.mongodb.binary },
    temporal: { ...defaults.temporal, namespace: 'default', binary: users.temporal.binary },
  };
  const { folder, mongod, temporal, reaper, close } = await startThrowawayServers({
    config: found,
    webUi: options.webUi ?? false,
    durableTemporal: options.durableTemporal ?? false,
    onProgress: options.onProgress ?? (() => undefined),
  });
  const config: Config = {
    ...defaults,
    ...found,
    host: '127.0.0.1',
    port: 0,
    metricsPort: 0,
    dataDir: folder,
    mongodb: { ...found.mongodb, uri: mongod.uri, port: mongod.port },
    temporal: { ...found.temporal, address: temporal.address, connection: {}, port: temporal.port },
    encryptionKeys: [randomBytes(32).toString('base64')],
  };
  return { config: options.adjust?.(config) ?? config, mongod, temporal, reaper, close };
}
