import { randomBytes } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../src/config';
import { findServer } from './find-server';
import { startMongod, type RunningMongod } from './mongod';
import type { Progress } from './progress';
import { startReaper, type Reaper } from './reaper';
import type { ServerProcess } from './server-process';
import { startTemporalServer, type RunningTemporal } from './temporal-server';

/** Real servers in a folder that is removed at the end. */
export interface ThrowawayServers {
  readonly folder: string;
  readonly mongod: RunningMongod;
  readonly temporal: RunningTemporal;
  /** Ends processes that the caller started beside them, however this process ends. */
  readonly reaper: Reaper;
  close(): Promise<void>;
}

export interface ThrowawayServersOptions {
  readonly config: Pick<Config, 'cacheDir' | 'mongodb' | 'temporal'>;
  /** True starts a Web UI too. */
  readonly webUi?: boolean;
  /** True keeps Temporal's executions in a file, so that the server can be killed and started again. */
  readonly durableTemporal?: boolean;
  readonly onProgress: Progress;
}

/** Enough memory for a database, its journal and some thousands of events. */
const WANTED_MEMORY_BYTES = 3e9;

/**
 * Starts a mongod and a Temporal server on free ports, both at once.
 * Nothing of them stays behind, also when this process is killed.
 */
export async function startThrowawayServers(options: ThrowawayServersOptions): Promise<ThrowawayServers> {
  const folder = join(fastFolder(), `everpost-${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  const reaper = startReaper(folder);
  const onSpawn = (server: ServerProcess) => {
    reaper.watch(server.pid);
    void server.exited.then(() => reaper.forget(server.pid));
  };
  const started = await Promise.allSettled([
    startThrowawayMongod(folder, options, onSpawn),
    startThrowawayTemporal(folder, options, onSpawn),
  ]);
  const close = async () => {
    // Killed, not stopped: nobody needs their last checkpoint.
    for (const result of started) if (result.status === 'fulfilled') await result.value.kill();
    await rm(folder, { recursive: true, force: true });
    reaper.dismiss();
  };
  const [mongod, temporal] = started;
  if (mongod.status === 'fulfilled' && temporal.status === 'fulfilled') {
    return { folder, mongod: mongod.value, temporal: temporal.value, reaper, close };
  }
  await close();
  throw [mongod, temporal].find((result) => result.status === 'rejected')!.reason;
}

type OnSpawn = (server: ServerProcess) => void;

async function startThrowawayMongod(folder: string, options: ThrowawayServersOptions, onSpawn: OnSpawn) {
  const { config, onProgress } = options;
  const { binary: configuredPath } = config.mongodb;
  const binary = await findServer('mongod', { configuredPath, cacheDir: config.cacheDir, onProgress });
  return startMongod({ binary, dataDir: join(folder, 'mongodb'), port: 0, onProgress, onSpawn });
}

async function startThrowawayTemporal(folder: string, options: ThrowawayServersOptions, onSpawn: OnSpawn) {
  const { config, onProgress } = options;
  const { binary: configuredPath, namespace } = config.temporal;
  const binary = await findServer('temporal', { configuredPath, cacheDir: config.cacheDir, onProgress });
  return startTemporalServer({
    binary,
    dataDir: join(folder, 'temporal'),
    inMemory: options.durableTemporal !== true,
    port: 0,
    uiPort: options.webUi ? 0 : undefined,
    namespace,
    onProgress,
    onSpawn,
  });
}

/** Linux's memory disk when there is room: throw-away data needs no real one. */
function fastFolder(): string {
  const memory = '/dev/shm';
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize > WANTED_MEMORY_BYTES ? memory : tmpdir();
}
