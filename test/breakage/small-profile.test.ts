import { execFile, spawnSync } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { MongoClient, Timestamp } from 'mongodb';
import { freePort } from '../../dev/ports';
import { startSmallProfile } from '../../bench/topology/small-profile';
import { createMongo } from '../../src/platform/mongo';
import { createApi } from '../chaos/api';
import { buildReceiver } from '../support/build-receiver';
import { buildAccount } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { serverBinary } from '../support/server-binary';
import { onProgress } from '../support/servers';
import { useTemporaryFolder } from '../support/temporary-folder';

// docs/small.md: the units of deploy/small, started as systemd would start them.

const ROOT = join(__dirname, '..', '..');
/** What an operator does not have: a receiver on loopback, without TLS, and retries within seconds. */
const SETTINGS = {
  RETRY_SCHEDULE: '0s,1s,1s,1s',
  DELIVERY_ALLOW_HTTP: '1',
  DELIVERY_ALLOW_CIDRS: '127.0.0.0/8',
  DELIVERY_ALLOW_PORTS: '1-65535',
  EVERPOST_ALLOW_PRIVATE_IN_PRODUCTION: '1',
};

const run = promisify(execFile);
const folder = useTemporaryFolder();
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

test('the three units deliver an event, also after a kill -9 of all and with a new database of Temporal', async () => {
  const profile = await startSmallProfile({ root: ROOT, folder: folder(), settings: SETTINGS, say: onProgress });
  closers.push(() => profile.killAll());
  const mongo = createMongo(profile.config.mongodb.uri!);
  closers.push(() => mongo.close());
  const { key } = await buildAccount(profile.config, mongo);
  const receiver = await buildReceiver();
  closers.push(() => receiver.close());
  const api = createApi([profile.url], key);
  expect((await api.call('POST', '/endpoints', { url: receiver.url })).status).toBe(201);
  const deliver = async (): Promise<number> => {
    const { status, body } = await api.call('POST', '/events', { type: 'order.created', data: {} });
    expect(status).toBe(202);
    const { id } = body as { id: number };
    await eventually(
      () => api.call('GET', `/events/${id}`),
      (answer) => answer.body.deliveries[0].state === 'delivered',
    );
    return id;
  };
  // The first attempt of each is refused, so that Temporal has to make the second.
  receiver.answerWith((_, count) => (count % 2 === 1 ? 503 : 200));

  const first = await deliver();
  await profile.killAll();
  for (const suffix of ['', '-wal', '-shm'])
    await rm(join(profile.data, 'everpost-temporal', `temporal.sqlite${suffix}`), { force: true });
  await Promise.all([profile.mongodb.start(), profile.temporal.start()]);
  await profile.everpost.start();
  const second = await deliver();

  expect(receiver.requests.map(({ headers }) => Number(headers['x-webhook-id']))).toEqual([
    first,
    first,
    second,
    second,
  ]);
});

test('MongoDB refuses whoever has no password', async () => {
  const profile = await startSmallProfile({ root: ROOT, folder: folder(), settings: SETTINGS, say: onProgress });
  closers.push(() => profile.killAll());
  const { host } = new URL(profile.adminUri);
  const stranger = await new MongoClient(`mongodb://${host}/?directConnection=true`).connect();
  closers.push(() => stranger.close());

  await expect(stranger.db('everpost').collection('accounts').findOne()).rejects.toThrow(/requires authentication/);
});

/** MongoDB's shell, which runs the backup: a machine for tests need not have it. */
const hasShell = spawnSync('mongosh', ['--version']).status === 0;

test(
  // oxlint-disable-next-line jest/valid-title -- a machine that can't show it says so
  hasShell
    ? 'a backup is of one moment, a drill reads it, and MongoDB takes writes again'
    : 'NOT SHOWN: mongosh is not on PATH, so no backup is made',
  async () => {
    if (!hasShell) return;
    const profile = await startSmallProfile({ root: ROOT, folder: folder(), settings: SETTINGS, say: onProgress });
    closers.push(() => profile.killAll());
    const client = await new MongoClient(profile.adminUri).connect();
    closers.push(() => client.close());
    const [events, attempts] = ['events', 'attempts'].map((name) =>
      client.db('everpost').collection<{ _id: number; accepted_at: Timestamp }>(name),
    );
    let id = 0;
    let isDone = false;
    const write = async (): Promise<void> => {
      id += 1;
      await events!.insertOne({ _id: id, accepted_at: new Timestamp({ t: id, i: 1 }) });
      await attempts!.insertOne({ _id: id, accepted_at: new Timestamp({ t: id, i: 1 }) });
    };
    const backups = join(folder(), 'backups');
    const env = {
      ...process.env,
      BACKUPS: backups,
      BACKUPS_KEPT: '1',
      MONGODB_DATA: join(profile.data, 'everpost-mongodb'),
      MONGO_SERVER: new URL(profile.adminUri).host,
      MONGO_ADMIN_PASSWORD_FILE: join(folder(), 'etc', 'mongodb-admin-password'),
      DRILL_PORT: String(await freePort()),
      MONGOD: await serverBinary('mongod'),
    };
    const script = join(ROOT, 'deploy', 'small', 'backup.js');
    const backUp = (): Promise<unknown> => run('mongosh', ['--nodb', '--quiet', script], { env });
    const first = backUp().finally(() => (isDone = true));
    while (!isDone) await write();
    await first;
    await backUp();
    await write();

    const names = await readdir(backups);
    expect(names).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\dT/)]);
    const drill = join(ROOT, 'deploy', 'small', 'drill.sh');
    const { stdout } = await run('bash', [drill, join(backups, names[0]!)], { env });
    const countOf = (name: string): number =>
      Number(new RegExp(`^ok {6}${name}: (\\d+) documents$`, 'm').exec(stdout)?.[1]);
    expect([countOf('events'), countOf('attempts')]).toEqual([id - 1, id - 1]);
    expect(stdout).toContain(`The newest event is ${id - 1},`);
    expect(await readdir(backups)).toEqual(names);
  },
  // Several starts of mongosh, each of which takes seconds on a busy machine.
  600_000,
);
