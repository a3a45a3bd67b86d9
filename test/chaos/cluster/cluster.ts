import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config';
import type { SweeperTiming } from '../../../src/engine/sweeper';
import type { FirstAttemptWay } from '../../../src/domain/delivery-contract';
import { makeThrowawayFolder } from '../../../dev/servers';
import { startTemporalServer } from '../../../dev/temporal-server';
import { createMongo } from '../../../src/platform/mongo';
import type { Certificate } from '../../sender/certificates';
import { serverBinary } from '../../support/server-binary';
import { startChild, type Child } from './child';
import { lastingPort } from '../../../bench/topology/lasting-port';
import { mountLimitedDisk, type LimitedDisk } from './limited-disk';
import { startReplicaSet, type ReplicaSet } from '../../../bench/topology/replica-set';
import { createRoleSlot, type RoleSlot } from './role';
import { rowSettings } from './row-settings';
import type { Stack, TemporalSwitch } from './stack';

/** The product as it runs in production, each part a process that can be killed. */
export interface Cluster extends Stack {
  readonly build: string;
  readonly apis: readonly [RoleSlot, RoleSlot];
  readonly workers: readonly [RoleSlot, RoleSlot];
  /** Addresses of the two APIs; a restarted one keeps its own. */
  readonly urls: readonly [string, string];
  readonly replicaSet: ReplicaSet;
  readonly disks: { readonly mongodb: LimitedDisk; readonly temporal: LimitedDisk };
  /** Has first attempts go this way from now on: all roles start again, unless they do already. */
  goWay(way: FirstAttemptWay): Promise<void>;
  /** The keys of `ENCRYPTION_KEY`. */
  encryptionKeys(): readonly string[];
  /** Gives these keys to every process that starts from now on. */
  setEncryptionKeys(keys: readonly string[]): void;
}

export interface ClusterOptions {
  /** A build of the product. */
  readonly build: string;
  readonly authority: Certificate;
  readonly sweeperTiming: SweeperTiming;
  readonly receiverTimeoutMs: number;
  readonly way: FirstAttemptWay;
  /** Whether `express` is `auto`. */
  readonly auto: boolean;
  readonly say: (line: string) => void;
}

/** Minutes in production, seconds here: for rows that wait for the sweeper. */
export const HURRIED_SWEEPER: SweeperTiming = {
  intervalMs: 500,
  startGraceMs: 2_000,
  overdueMs: 10_000,
  // Each search asks Temporal about 500 executions: every second, that is half of what a Temporal on two cores can do.
  repairIntervalMs: 5_000,
  leaseMs: 5_000,
};

const quiet = (): void => undefined;

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { build, authority, sweeperTiming, receiverTimeoutMs, auto, say } = options;
  const folder = await makeThrowawayFolder();
  const disks = {
    mongodb: await mountLimitedDisk(join(folder, 'mongodb')),
    temporal: await mountLimitedDisk(join(folder, 'temporal')),
  };
  say('starting three mongods, Temporal, a name server, two APIs and two workers');
  const [replicaSet, temporal, names] = await Promise.all([
    serverBinary('mongod').then((binary) => startReplicaSet(binary, join(folder, 'mongodb'))),
    serverBinary('temporal').then((binary) => startTemporal(binary, join(folder, 'temporal'))),
    startNameServer(),
  ]);
  const ports = [await lastingPort(), await lastingPort()] as const;
  const urls = ports.map((port) => `http://127.0.0.1:${port}`) as unknown as readonly [string, string];
  const env = await settingsOf({
    folder,
    mongoUri: replicaSet.uri,
    temporal,
    authority,
    names: names.address,
    receiverTimeoutMs,
  });
  let { way } = options;
  let encryptionKeys: readonly string[] = [randomBytes(32).toString('base64')];
  const slot = (role: 'api' | 'worker', index: number): RoleSlot =>
    createRoleSlot({
      role,
      name: `${role}-${index + 1}`,
      build,
      script: join(__dirname, 'role-process.js'),
      preload: join(__dirname, 'own-name-server.js'),
      timing: sweeperTiming,
      env: () => ({
        ...env,
        ENCRYPTION_KEY: encryptionKeys.join(','),
        FIRST_ATTEMPT: auto && way === 'express' ? 'auto' : way,
        PORT: role === 'api' ? String(ports[index]) : '0',
      }),
      logFile: join(folder, `${role}-${index + 1}.log`),
    });
  const apis = [slot('api', 0), slot('api', 1)] as const;
  const workers = [slot('worker', 0), slot('worker', 1)] as const;
  const roles = [...apis, ...workers];
  await Promise.all(roles.map((role) => role.start()));
  const mongo = createMongo(replicaSet.uri);

  return {
    folder,
    build,
    config: loadConfig(env),
    apis,
    workers,
    roles,
    urls,
    replicaSet,
    temporal,
    disks,
    mongo,
    async goWay(wanted) {
      if (wanted === way) return;
      way = wanted;
      say(`first attempts go by ${way}`);
      await Promise.all(roles.map((role) => role.restart()));
    },
    encryptionKeys: () => encryptionKeys,
    setEncryptionKeys: (keys) => void (encryptionKeys = keys),
    heal: () => heal({ replicaSet, temporal, roles }),
    async close() {
      await Promise.all(roles.map((role) => role.kill()));
      await mongo.close();
      await Promise.all([names.child.kill(), replicaSet.killAll(), temporal.kill()]);
      await Promise.all([disks.mongodb.close(), disks.temporal.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function settingsOf(parts: {
  folder: string;
  mongoUri: string;
  temporal: TemporalSwitch;
  authority: Certificate;
  names: string;
  receiverTimeoutMs: number;
}): Promise<Record<string, string>> {
  return {
    ...(await rowSettings(parts)),
    MONGODB_URI: parts.mongoUri,
    TEMPORAL_ADDRESS: parts.temporal.address,
    TEMPORAL_NAMESPACE: 'default',
    METRICS_PORT: '0',
    CHAOS_NAME_SERVER: parts.names,
  };
}

async function startTemporal(binary: string, dataDir: string): Promise<TemporalSwitch> {
  const start = (port: number) =>
    startTemporalServer({ binary, dataDir, port, namespace: 'default', onProgress: quiet });
  let running = await start(await lastingPort());
  const { port, address } = running;
  return {
    address,
    pid: () => running.pid,
    kill: () => running.kill(),
    async start() {
      if (running.ended() !== undefined) running = await start(port);
    },
    async wipe() {
      // Not the folder itself, which may be a separate disk.
      for (const name of await readdir(dataDir)) await rm(join(dataDir, name), { recursive: true });
    },
  };
}

async function startNameServer(): Promise<{ child: Child; address: string }> {
  const child = await startChild(join(__dirname, '..', 'receivers', 'name-server-process.js'));
  const { address } = await child.ask<{ address: string }>({ kind: 'address' });
  return { child, address };
}

async function heal(parts: { replicaSet: ReplicaSet; temporal: TemporalSwitch; roles: readonly RoleSlot[] }) {
  await Promise.all([parts.replicaSet.startAll(), parts.temporal.start()]);
  await Promise.all(parts.roles.filter((role) => !role.running()).map((role) => role.start()));
}
