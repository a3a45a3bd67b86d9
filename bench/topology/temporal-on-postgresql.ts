import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Connection } from '@temporalio/client';
import { spawnServer, waitUntilHealthy, type ServerProcess } from '../../dev/server-process';
import { lastingPort } from './lasting-port';
import type { Postgresql } from './postgresql';

const run = promisify(execFile);

/** Temporal's own server, in one process, with its databases in PostgreSQL. */
export interface TemporalOnPostgresql {
  readonly address: string;
  pid(): number;
  start(): Promise<void>;
  /** SIGTERM, like `docker compose stop`. */
  stop(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
}

export interface TemporalOptions {
  /** What `.ci/temporal-tools` printed. */
  readonly tools: string;
  /** Path of the `temporal` CLI. */
  readonly cli: string;
  readonly postgresql: Postgresql;
  /** Of the logs. */
  readonly folder: string;
  /** deploy/temporal. */
  readonly scripts: string;
  /** The environment of each service in docker-compose.yml. */
  readonly environmentOf: (service: string) => Record<string, string>;
}

/** What each of its four services listens on: all of them share one address here, and in the image too. */
const PORTS = [
  ...['FRONTEND_GRPC_PORT', 'FRONTEND_MEMBERSHIP_PORT', 'FRONTEND_HTTP_PORT'],
  ...['MATCHING_GRPC_PORT', 'MATCHING_MEMBERSHIP_PORT', 'HISTORY_GRPC_PORT', 'HISTORY_MEMBERSHIP_PORT'],
  ...['WORKER_GRPC_PORT', 'WORKER_MEMBERSHIP_PORT'],
];
const LOOPBACK = '127.0.0.1';
/** Compose's `stop_grace_period`. */
const STOP_MS = 30_000;
const ANSWER_MS = 3_000;

/**
 * Does what docker-compose.yml does: creates the schema, starts the server, and makes the namespace, with the scripts
 * of deploy/temporal and the environments of its services. Only addresses, ports and passwords differ.
 */
export async function startTemporalOnPostgresql(options: TemporalOptions): Promise<TemporalOnPostgresql> {
  const { tools, cli, postgresql, folder, scripts, environmentOf } = options;
  // The scripts call both by name.
  const programs = join(folder, 'bin');
  await mkdir(programs);
  await symlink(cli, join(programs, 'temporal'));
  const script = (name: string, env: Record<string, string>) =>
    run('sh', [join(scripts, name)], { env: { PATH: `${programs}:${tools}:/usr/bin:/bin`, HOME: folder, ...env } });

  await script('create-schema.sh', {
    ...environmentOf('temporal-schema'),
    SQL_HOST: LOOPBACK,
    SQL_PORT: String(postgresql.port),
    SQL_USER: postgresql.user,
    SQL_PASSWORD: postgresql.password,
    SCHEMA_DIR: join(tools, 'schema'),
  });
  const ports: Record<string, string> = {};
  for (const name of PORTS) ports[name] = String(await lastingPort());
  const address = `${LOOPBACK}:${ports['FRONTEND_GRPC_PORT']}`;
  const env = {
    ...environmentOf('temporal'),
    POSTGRES_SEEDS: LOOPBACK,
    DB_PORT: String(postgresql.port),
    POSTGRES_USER: postgresql.user,
    POSTGRES_PWD: postgresql.password,
    BIND_ON_IP: LOOPBACK,
    DYNAMIC_CONFIG_FILE_PATH: join(scripts, 'dynamic-config.yaml'),
    LOG_LEVEL: 'warn',
    ...ports,
  };
  let server: ServerProcess;
  const start = async (): Promise<void> => {
    server = await spawnServer({
      binary: join(tools, 'temporal-server'),
      args: ['start'],
      env,
      logFile: join(folder, 'temporal.log'),
      stopTimeoutMs: STOP_MS,
    });
    await waitUntilHealthy(server, 'the Temporal server', () => assertServes(address));
  };
  await start();
  await script('prepare-namespace.sh', { ...environmentOf('temporal-namespace'), TEMPORAL_ADDRESS: address });
  return {
    address,
    pid: () => server.pid,
    start,
    stop: () => server.stop(),
    kill: () => server.kill(),
  };
}

/** @throws Error while it does not answer */
async function assertServes(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: ANSWER_MS });
  try {
    await connection.withDeadline(Date.now() + ANSWER_MS, () => connection.workflowService.getClusterInfo({}));
  } finally {
    await connection.close();
  }
}
