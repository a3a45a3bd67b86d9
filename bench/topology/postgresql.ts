import { randomBytes } from 'node:crypto';
import { chown, realpath, rm, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeThrowawayFolder } from '../../dev/servers';
import { spawnServer, waitUntilHealthy } from '../../dev/server-process';
import { lastingPort } from './lasting-port';

const run = promisify(execFile);

/** A PostgreSQL server on loopback whose data ends with it. */
export type Postgresql = Awaited<ReturnType<typeof startPostgresql>>;

const USER = 'temporal';
const STOP_MS = 20_000;

/**
 * @param linked a link to the folder of `initdb`, `postgres` and `psql`
 * @param extraBytes how much room its data need besides the usual
 */
export async function startPostgresql(linked: string, extraBytes?: number) {
  // Its user can't follow a link in another user's home.
  const programs = await realpath(linked);
  const folder = await makeThrowawayFolder(extraBytes);
  const owner = await ownerOfData();
  if (owner) await chown(folder, owner.uid, owner.gid);
  const [data, passwordFile, port] = [join(folder, 'data'), join(folder, 'password'), await lastingPort()];
  const password = randomBytes(16).toString('hex');
  await writeFile(passwordFile, password);
  if (owner) await chown(passwordFile, owner.uid, owner.gid);
  const login = ['--username', USER, '--auth', 'scram-sha-256', '--pwfile', passwordFile];
  await run(join(programs, 'initdb'), ['--pgdata', data, ...login], { ...owner, cwd: folder });
  const server = await spawnServer({
    binary: join(programs, 'postgres'),
    args: [
      ...['-D', data, '-h', '127.0.0.1', '-p', String(port)],
      // No socket file: its folder belongs to another user.
      ...['-c', 'unix_socket_directories='],
      // Shared memory in the data folder, so that nothing is left after a kill.
      ...['-c', 'dynamic_shared_memory_type=mmap'],
    ],
    logFile: join(folder, 'postgresql.log'),
    stopTimeoutMs: STOP_MS,
    ...(owner && { user: owner }),
  });
  const psql = async (database: string, script: string): Promise<string> => {
    const address = `postgresql://${USER}@127.0.0.1:${port}/${database}`;
    const options = ['--no-psqlrc', '--tuples-only', '--no-align', '--quiet', '--set', 'ON_ERROR_STOP=1'];
    const running = run(join(programs, 'psql'), [address, ...options], { env: { PGPASSWORD: password } });
    running.child.stdin!.end(script);
    return (await running).stdout.trim();
  };
  await waitUntilHealthy(server, 'PostgreSQL', async () => void (await psql('postgres', 'SELECT 1')));
  return {
    pid: server.pid,
    port,
    user: USER,
    password,
    /** Runs a script of psql. @returns the rows of its queries, with `|` between columns */
    psql,
    /** The size of all databases. */
    bytes: async () => Number(await psql('postgres', 'SELECT sum(pg_database_size(oid)) FROM pg_database')),
    /** Asks it to end, after its clients have, and removes the data. */
    async close() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. @returns the user that its package makes; undefined if we are not root */
async function ownerOfData(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (part) => Number((await run('id', [part, 'postgres'])).stdout)),
  );
  return { uid: uid!, gid: gid! };
}
