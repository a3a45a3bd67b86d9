import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { freePort } from '../../dev/ports';
import { eventually } from '../support/eventually';
import { serverBinary } from '../support/server-binary';
import { useTemporaryFolder } from '../support/temporary-folder';

// The scripts of deploy/mongodb, on a mongod with authentication as in docker-compose.yml.

const SCRIPTS = join(__dirname, '..', '..', 'deploy', 'mongodb');
const ADMIN = 'admin-password';
const OWN = 'everpost-password';

const folder = useTemporaryFolder();
const run = promisify(execFile);

/** MongoDB's own programs: its image has them, a machine for tests need not. */
const hasTools = ['mongodump', 'mongorestore', 'mongosh'].every((tool) => spawnSync(tool, ['--version']).status === 0);

/** A server as Compose has it, with its two users; and the environment of its scripts. */
async function startServer() {
  const port = await freePort();
  const binary = await serverBinary('mongod');
  const keyFile = join(folder(), 'key');
  writeFileSync(keyFile, randomBytes(96).toString('base64'), { mode: 0o600 });
  mkdirSync(join(folder(), 'data'));
  mkdirSync(join(folder(), 'bin'));
  symlinkSync(binary, join(folder(), 'bin', 'mongod'));
  const args = ['--replSet', 'everpost', '--keyFile', keyFile, '--dbpath', join(folder(), 'data')];
  const mongod: ChildProcess = spawn(binary, [...args, '--port', String(port), '--bind_ip', '127.0.0.1'], {
    stdio: 'ignore',
  });
  const env = {
    ...process.env,
    PATH: `${process.env['PATH']}${delimiter}${join(folder(), 'bin')}`,
    TMPDIR: folder(),
    MONGO_HOST: `127.0.0.1:${port}`,
    MONGO_SERVER: `127.0.0.1:${port}`,
    MONGO_ADMIN_PASSWORD: ADMIN,
    MONGO_EVERPOST_PASSWORD: OWN,
    DRILL_PORT: String(await freePort()),
  };
  const prepare = () =>
    run('mongosh', ['--nodb', '--quiet', join(SCRIPTS, 'prepare.js')], { env }).then(
      () => true,
      () => false,
    );
  await eventually(prepare, (isPrepared) => isPrepared, 120_000);
  const uri = `mongodb://everpost:${OWN}@127.0.0.1:${port}/everpost?replicaSet=everpost`;
  const script = (name: string, redirection = ''): Promise<{ stdout: string }> =>
    run('bash', ['-c', `bash ${join(SCRIPTS, name)} ${redirection}`], { env });
  const stop = async (): Promise<void> => {
    mongod.kill('SIGKILL');
    if (mongod.exitCode === null && mongod.signalCode === null) await once(mongod, 'exit');
  };
  return { uri, script, stop };
}

it(
  // oxlint-disable-next-line jest/valid-title -- a machine that can't show it says so
  hasTools
    ? 'a backup under load is restored as of one moment, with the users that Compose makes'
    : 'NOT SHOWN: mongodump, mongorestore or mongosh is not on PATH, so no backup is restored',
  async () => {
    if (!hasTools) return;
    const { uri, script, stop } = await startServer();
    const client = await new MongoClient(uri).connect();
    try {
      const [events, attempts] = ['events', 'attempts'].map((name) => client.db().collection<{ _id: number }>(name));
      let id = 0;
      const write = async (): Promise<void> => {
        id += 1;
        await events!.insertOne({ _id: id });
        await attempts!.insertOne({ _id: id });
      };
      while (id < 2_000) await write();
      const backup = join(folder(), 'backup');
      let isDone = false;
      const dumping = script('backup.sh', `>${backup}`).finally(() => (isDone = true));
      while (!isDone) await write();
      await dumping;
      await events!.deleteMany({});
      await attempts!.insertOne({ _id: -1 });

      await script('restore.sh', `<${backup}`);

      const idsOf = async (which: typeof events) =>
        (await which!.find().toArray()).map(({ _id }) => _id).sort((a, b) => a - b);
      const [ofEvents, ofAttempts] = [await idsOf(events), await idsOf(attempts)];
      expect(ofEvents.length).toBeGreaterThanOrEqual(2_000);
      // The second is written right after the first: at one moment, at most one event has no attempt yet.
      expect(ofEvents.slice(0, ofAttempts.length)).toEqual(ofAttempts);
      expect(ofEvents.length - ofAttempts.length).toBeLessThanOrEqual(1);

      const { stdout } = await script('drill.sh');
      expect(stdout).toMatch(/^ok {6}attempts: \d+ of \d+ documents$/m);
      expect(stdout).toMatch(/^ok {6}events: \d+ of \d+ documents$/m);
      expect(stdout).toMatch(/It took \d+ s, the restore \d+ s\.$/m);

      const admin = await new MongoClient(uri.replace(`everpost:${OWN}`, `admin:${ADMIN}`), {
        authSource: 'admin',
      }).connect();
      const { users } = await admin.db('admin').command({ usersInfo: 1 });
      const { roles } = await admin.db('admin').command({ rolesInfo: 1 });
      await admin.close();
      expect([users.map(({ user }: { user: string }) => user), roles]).toEqual([['admin'], []]);
    } finally {
      await client.close();
      await stop();
    }
  },
  // Some twenty starts of mongosh, each of which takes seconds on a busy machine.
  600_000,
);
