import { randomBytes } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../src/config';
import { findServer } from './find-server';
import type { Progress } from './messages';
import { startMongod, type RunningMongod } from './mongod';
import { removeWithUs } from './reaper';
import { startTemporalServer, type RunningTemporal, type StartTemporalOptions } from './temporal-server';

export interface ServersOptions {
  /** The locations of the servers' programs, and Temporal's namespace. */
  readonly config: Pick<Config, 'cacheDir' | 'mongodb' | 'temporal'>;
  /** The folder with a subfolder for each server. */
  readonly folder: string;
  readonly onProgress: Progress;
}

/** Finds or downloads a mongod, and starts it. @param port 0 picks a free one */
export async function startOwnMongod(options: ServersOptions, port: number): Promise<RunningMongod> {
  const { config, folder, onProgress } = options;
  const { binary: configuredPath } = config.mongodb;
  const binary = await findServer('mongod', { configuredPath, cacheDir: config.cacheDir, onProgress });
  return startMongod({ binary, dataDir: join(folder, 'mongodb'), port, onProgress });
}

/** Finds or downloads a Temporal server, and starts it. */
export async function startOwnTemporal(
  options: ServersOptions,
  rest: Pick<StartTemporalOptions, 'port' | 'uiPort' | 'inMemory' | 'retentionMs'>,
): Promise<RunningTemporal> {
  const { config, folder, onProgress } = options;
  const { binary: configuredPath, namespace } = config.temporal;
  const binary = await findServer('temporal', { configuredPath, cacheDir: config.cacheDir, onProgress });
  return startTemporalServer({ ...rest, binary, dataDir: join(folder, 'temporal'), namespace, onProgress });
}

/** Real servers in a folder that is removed at the end. */
export type ThrowawayServers = Awaited<ReturnType<typeof startThrowawayServers>>;

export interface ThrowawayServersOptions extends Omit<ServersOptions, 'folder'> {
  /** True keeps Temporal's executions in a file, so that the server can be killed and restarted. */
  readonly durableTemporal?: boolean;
  /** How much room their data need besides the usual. */
  readonly extraBytes?: number;
}

/**
 * Starts a mongod and a Temporal server on free ports, both at once, for a demo, a benchmark or tests. They leave
 * nothing behind, even if this process is killed.
 */
export async function startThrowawayServers(options: ThrowawayServersOptions) {
  const folder = await makeThrowawayFolder(options.extraBytes);
  const all = { ...options, folder };
  const started = await Promise.allSettled([
    startOwnMongod(all, 0),
    startOwnTemporal(all, { port: 0, inMemory: options.durableTemporal !== true }),
  ]);
  const close = async (): Promise<void> => {
    // Killed, not stopped: a last checkpoint is useless.
    for (const result of started) if (result.status === 'fulfilled') await result.value.kill();
    await rm(folder, { recursive: true, force: true });
  };
  const [mongod, temporal] = started;
  if (mongod.status === 'fulfilled' && temporal.status === 'fulfilled') {
    return { folder, mongod: mongod.value, temporal: temporal.value, close };
  }
  await close();
  throw [mongod, temporal].find((result) => result.status === 'rejected')!.reason;
}

/** Enough for the databases, their journals and some thousands of events. */
const USUAL_BYTES = 3e9;

/**
 * Makes a folder for its owner only, which is removed with this process. It is on Linux's memory disk if there is room,
 * because temporary data needs no real disk. More than half of the memory stays on a real disk, because processes need
 * memory as well.
 *
 * @param extraBytes how much room it needs besides the usual
 */
export async function makeThrowawayFolder(extraBytes = 0): Promise<string> {
  const memory = '/dev/shm';
  const bytes = USUAL_BYTES + extraBytes;
  const hasCapacity = existsSync(memory) && bytes < Math.min(freeBytes(memory), totalmem() / 2);
  const folder = join(hasCapacity ? memory : tmpdir(), `everpost-${randomBytes(6).toString('hex')}`);
  await mkdir(folder, { mode: 0o700 });
  removeWithUs(folder);
  return folder;
}

function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
