import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { transformFile } from '@swc/core';
import { loadConfig } from '../../../src/config';
import { findServer } from '../../../src/local/find-server';
import { startMongod } from '../../../src/local/mongod';
import { startTemporalServer } from '../../../src/local/temporal-server';
import { startThrowawayServers } from '../../../src/local/throwaway-servers';
import { createMongo, type Mongo } from '../../../src/platform/mongo';
import { buildAccount } from '../../support/build-stack';
import type { SweeperTiming } from '../../../src/dispatch/sweeper';

/** A role that runs as a process. */
export interface RoleProcess {
  /** Address of the API; undefined for a worker. */
  readonly url: string | undefined;
  readonly pid: number;
  /** `kill -9`. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** The product as it runs in production: every part a process of its own, each of which can be killed. */
export interface Cluster {
  readonly mongo: Mongo;
  readonly key: string;
  start(role: 'api' | 'worker'): Promise<RoleProcess>;
  /** `kill -9`, and the same data again on the same port. */
  readonly mongod: ServerSwitch;
  readonly temporal: ServerSwitch & {
    /** Starts it with nothing in it. */
    startEmpty(): Promise<void>;
    /** Lets it hang: connections are open and nobody answers. */
    freeze(): void;
    thaw(): void;
  };
  close(): Promise<void>;
}

export interface ServerSwitch {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** Minutes in production, seconds here. */
const TIMING: SweeperTiming = {
  intervalMs: 500,
  startGraceMs: 1_000,
  overdueMs: 3_000,
  recheckMs: 5_000,
  leaseMs: 5_000,
};
const ROOT = join(__dirname, '..', '..', '..');
const NAMESPACE = 'default';
const quiet = (): void => undefined;

/** @param env settings of the roles, beside what they need */
export async function buildCluster(env: Record<string, string> = {}): Promise<Cluster> {
  const config = loadConfig();
  const options = { cacheDir: config.cacheDir, onProgress: quiet };
  const [build, servers, mongodBinary, temporalBinary] = await Promise.all([
    ensureBuild(),
    startThrowawayServers({ config, durableTemporal: true, onProgress: quiet }),
    findServer('mongod', { configuredPath: config.mongodb.binary, ...options }),
    findServer('temporal', { configuredPath: config.temporal.binary, ...options }),
  ]);
  const { folder, reaper } = servers;
  let { mongod, temporal } = servers;
  const settings = {
    MONGODB_URI: mongod.uri,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: NAMESPACE,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
    METRICS_PORT: '0',
    DELIVERY_ALLOW_HTTP: '1',
    DELIVERY_ALLOW_CIDRS: '127.0.0.0/8',
    DELIVERY_ALLOW_PORTS: '1-65535',
    LOG_LEVEL: 'warn',
    ...env,
  };
  const script = join(folder, 'role-process.js');
  const module = { type: 'commonjs', ignoreDynamic: true } as const;
  const { code } = await transformFile(join(__dirname, 'role-process.ts'), { module, jsc: { target: 'es2022' } });
  await writeFile(script, code);
  const mongo = createMongo(mongod.uri);
  const { key } = await buildAccount(loadConfig(settings), mongo);
  const roles = new Set<RoleProcess>();
  const startTemporal = async (): Promise<void> => {
    const { port } = temporal;
    const dataDir = join(folder, 'temporal');
    const onSpawn = ({ pid }: { pid: number }): void => reaper.watch(pid);
    temporal = await startTemporalServer({
      binary: temporalBinary,
      dataDir,
      port,
      namespace: NAMESPACE,
      onProgress: quiet,
      onSpawn,
    });
  };

  return {
    mongo,
    key,
    async start(role) {
      const started = await startProcess(
        script,
        [build, role, JSON.stringify(TIMING)],
        settings,
        join(folder, `${role}.log`),
      );
      reaper.watch(started.pid);
      roles.add(started);
      return started;
    },
    mongod: {
      kill: () => mongod.kill(),
      async start() {
        const onSpawn = ({ pid }: { pid: number }): void => reaper.watch(pid);
        const dataDir = join(folder, 'mongodb');
        mongod = await startMongod({ binary: mongodBinary, dataDir, port: mongod.port, onProgress: quiet, onSpawn });
      },
    },
    temporal: {
      kill: () => temporal.kill(),
      start: startTemporal,
      async startEmpty() {
        await rm(join(folder, 'temporal'), { recursive: true, force: true });
        await startTemporal();
      },
      freeze: () => void process.kill(temporal.pid, 'SIGSTOP'),
      thaw: () => void process.kill(temporal.pid, 'SIGCONT'),
    },
    async close() {
      await Promise.all([...roles].map((role) => role.kill()));
      await mongo.close();
      // The first servers may have been replaced by others.
      await Promise.all([mongod.kill(), temporal.kill()]);
      await servers.close();
    },
  };
}

/** @returns the folder of a build of the present sources */
async function ensureBuild(): Promise<string> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'bootstrap', 'run.js'), 'build'], { cwd: ROOT });
  return realpathSync(join(ROOT, 'dist'));
}

async function startProcess(script: string, args: string[], settings: object, logFile: string): Promise<RoleProcess> {
  const log = openSync(logFile, 'a');
  const env = { PATH: '/usr/bin:/bin', HOME: '/tmp', ...settings };
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', log], env });
  closeSync(log);
  const gone = new Promise<void>((resolve) => void child.once('exit', () => resolve()));
  const url = await firstLine(child, gone).catch(() => {
    throw new Error(`${args[1]} ended before it was ready:\n${readFileSync(logFile, 'utf8').slice(-4_000)}`);
  });
  return {
    url,
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function firstLine(child: ChildProcess, gone: Promise<void>): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', (line) =>
      resolve((JSON.parse(line) as { url?: string }).url),
    );
    void gone.then(() => reject(new Error('it ended')));
  });
}
