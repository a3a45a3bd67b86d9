import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startSmallProfile } from '../../bench/topology/small-profile';
import { createMongo } from '../../src/platform/mongo';
import { createApi } from '../chaos/api';
import { buildReceiver } from '../support/build-receiver';
import { buildAccount } from '../support/build-stack';
import { eventually } from '../support/eventually';
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
