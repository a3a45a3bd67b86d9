import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findServer } from '../../dev/find-server';
import { makeThrowawayFolder } from '../../dev/servers';
import { loadConfig, type Config } from '../../src/config';
import { createMongo, type Mongo } from '../../src/platform/mongo';
import { readComposeFile } from './compose-file';
import { lastingPort } from './lasting-port';
import { startPostgresql, type Postgresql } from './postgresql';
import { startReplicaSet, type ReplicaSet } from './replica-set';
import { startRoleProcess, type RoleProcess } from './role';
import { startTemporalOnPostgresql, type TemporalOnPostgresql } from './temporal-on-postgresql';

/**
 * The services of docker-compose.yml as processes of this machine, with the environments that the file gives them.
 * Unlike in the file, MongoDB is a set of three and asks for no password, and there are several APIs and workers.
 */
export interface Topology {
  /** Of the logs. */
  readonly folder: string;
  readonly config: Config;
  readonly urls: readonly string[];
  readonly apis: readonly RoleProcess[];
  readonly workers: readonly RoleProcess[];
  readonly replicaSet: ReplicaSet;
  readonly postgresql: Postgresql;
  readonly temporal: TemporalOnPostgresql;
  /** For accounts, which an operator makes by command, and for sizes. */
  readonly mongo: Mongo;
  /** Starts one more worker. */
  addWorker(): Promise<void>;
  close(): Promise<void>;
}

export interface TopologyOptions {
  /** Of the repository, with a built `dist/`. */
  readonly root: string;
  /** What `.ci/temporal-tools` printed. */
  readonly tools: string;
  readonly apis: number;
  readonly workers: number;
  /** What an operator's `.env` would have. */
  readonly dotEnv: Readonly<Record<string, string>>;
  /** Settings that docker-compose.yml doesn't pass on. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How much room the data of MongoDB need besides the usual, and those of PostgreSQL too. */
  readonly extraBytes?: number;
  readonly say: (line: string) => void;
}

export async function startTopology(options: TopologyOptions): Promise<Topology> {
  const { root, say, apis, workers } = options;
  const folder = await makeThrowawayFolder(options.extraBytes);
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const environmentOf = readComposeFile(join(root, 'docker-compose.yml'), {
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      // The servers here get other passwords, or none.
      MONGO_EVERPOST_PASSWORD: 'none',
      POSTGRES_PASSWORD: 'none',
      ...options.dotEnv,
    });
    say('starting three mongods, PostgreSQL and Temporal');
    const servers = await startServers(options, folder, environmentOf, ends);
    say(`starting ${apis} APIs and ${workers} workers`);
    const addresses = {
      HOST: '127.0.0.1',
      METRICS_PORT: '0',
      MONGODB_URI: servers.replicaSet.uri,
      TEMPORAL_ADDRESS: servers.temporal.address,
    };
    const roles = { api: [] as RoleProcess[], worker: [] as RoleProcess[] };
    const urls: string[] = [];
    ends.push(() => Promise.all([...roles.api, ...roles.worker].map((role) => role.kill())));
    const add = async (role: 'api' | 'worker'): Promise<void> => {
      const port = role === 'api' ? await lastingPort() : 0;
      if (role === 'api') urls.push(`http://127.0.0.1:${port}`);
      const [name, main] = [`${role}-${roles[role].length + 1}`, join(root, 'dist', 'src', 'main.js')];
      const env = { ...environmentOf(role), ...addresses, PORT: String(port), ...options.settings };
      roles[role].push(await startRoleProcess({ role, name, main, env, folder }));
    };
    for (let count = 0; count < apis; count += 1) await add('api');
    for (let count = 0; count < workers; count += 1) await add('worker');
    const mongo = createMongo(servers.replicaSet.uri);
    ends.push(() => mongo.close());
    const config = loadConfig({ ...environmentOf('api'), ...addresses, ...options.settings });
    const addWorker = () => add('worker');
    return { folder, config, urls, apis: roles.api, workers: roles.worker, ...servers, mongo, addWorker, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param ends gets what ends each server, in the order of the starts */
async function startServers(
  { root, tools, extraBytes, say }: TopologyOptions,
  folder: string,
  environmentOf: (service: string) => Record<string, string>,
  ends: (() => Promise<unknown>)[],
): Promise<Pick<Topology, 'replicaSet' | 'postgresql' | 'temporal'>> {
  const { cacheDir, mongodb, temporal: ours } = loadConfig();
  const find = (name: 'mongod' | 'temporal', configuredPath: string | undefined) =>
    findServer(name, { configuredPath, cacheDir, onProgress: say });
  const replicaSet = await startReplicaSet(await find('mongod', mongodb.binary), join(folder, 'mongodb'));
  ends.push(() => replicaSet.killAll());
  const postgresql = await startPostgresql(join(tools, 'postgresql'), extraBytes);
  ends.push(() => postgresql.close());
  const cli = await find('temporal', ours.binary);
  const scripts = join(root, 'deploy', 'temporal');
  const temporal = await startTemporalOnPostgresql({ tools, cli, postgresql, folder, scripts, environmentOf });
  // PostgreSQL waits for its clients.
  ends.push(() => temporal.kill());
  return { replicaSet, postgresql, temporal };
}
