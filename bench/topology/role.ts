import { join } from 'node:path';
import { spawnServer, waitUntilHealthy, type ServerProcess } from '../../dev/server-process';
import type { Role } from '../../src/processes/start-role';

/** An API or a worker of the built product that can be killed and started again in its place. */
export interface RoleProcess {
  readonly name: string;
  pid(): number;
  /** Resolves when it reports that it runs. */
  start(): Promise<void>;
  /** `kill -9`. */
  kill(): Promise<void>;
  /** SIGTERM: it drains and ends. */
  stop(): Promise<void>;
}

export interface RoleProcessOptions {
  readonly role: Role;
  readonly name: string;
  /** dist/src/main.js. */
  readonly main: string;
  readonly env: Readonly<Record<string, string>>;
  /** Of its logs, one for each start. */
  readonly folder: string;
}

/** Compose's `stop_grace_period`. */
const STOP_MS = 45_000;

/** Starts `node dist/src/main.js <role>`, like the command in docker-compose.yml. */
export async function startRoleProcess({ role, name, main, env, folder }: RoleProcessOptions): Promise<RoleProcess> {
  let server: ServerProcess;
  let starts = 0;
  const start = async (): Promise<void> => {
    starts += 1;
    server = await spawnServer({
      binary: process.execPath,
      args: [main, role],
      env: { PATH: '/usr/bin:/bin', HOME: folder, ...env },
      logFile: join(folder, `${name}-${starts}.log`),
      stopTimeoutMs: STOP_MS,
    });
    await waitUntilHealthy(server, name, async () => {
      if (!server.logTail().includes('everpost started')) throw new Error(server.logTail().slice(-2_000));
    });
  };
  await start();
  return { name, pid: () => server.pid, start, kill: () => server.kill(), stop: () => server.stop() };
}
