import { randomBytes } from 'node:crypto';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startThrowawayServers } from '../../dev/servers';
import { createMongo } from '../../src/platform/mongo';
import { apiClient, type ApiClient } from '../support/api-client';
import { buildApi, buildLoggedRole } from '../support/build-api';
import { buildAccount, buildConfig } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useFixture } from '../support/fixture';

// Nothing that callers and receivers send stands in a dump of MongoDB, in Temporal's database, or in a log.

const WEBHOOKS = '/api/v1/webhooks';
const canaries = new Map<string, string>();
/** A text that stands nowhere else. It has no character that JSON or a URL would write in another way. */
function canary(what: string): string {
  const text = canaries.get(what) ?? `canary${randomBytes(9).toString('hex')}`;
  canaries.set(what, text);
  return text;
}

const servers = useFixture(
  'file',
  async () => {
    const config = await buildConfig();
    const own = { ...config, temporal: { ...config.temporal, namespace: 'default' } };
    return startThrowawayServers({ config: own, durableTemporal: true, onProgress: () => undefined });
  },
  (it) => it.close(),
);
const installation = useFixture('file', buildInstallation, (it) => it.close());

async function buildInstallation() {
  const uri = new URL(servers.mongod.uri);
  uri.pathname = '/dumped';
  const config = await buildConfig({
    MONGODB_URI: uri.toString(),
    TEMPORAL_ADDRESS: servers.temporal.address,
    TEMPORAL_NAMESPACE: 'default',
    EVENT_TYPES: 'warn',
  });
  const mongo = createMongo(config.mongodb.uri!);
  const role = await buildLoggedRole(config, 'all');
  await role.role.workerReady;
  const { key, accountId } = await buildAccount(config, mongo);
  const accounts = mongo.db.collection<{ _id: string }>('accounts');
  await accounts.updateOne({ _id: accountId }, { $set: { search_fields: ['customer'] } });
  return {
    config,
    mongo,
    key,
    log: role.log,
    api: apiClient(role.url, key),
    async close() {
      await role.close();
      await mongo.close();
    },
  };
}

/** Answers the first request with 500, and every one with a body and a header of its own. */
const receiver = useFixture(
  'file',
  async () => {
    let count = 0;
    const server = createServer((request, response) => {
      request.resume().once('end', () => {
        count += 1;
        response.writeHead(count === 1 ? 500 : 200, { 'X-Echo': canary('response header') });
        response.end(canary('response body'));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/`, close: () => new Promise((resolve) => server.close(resolve)) };
  },
  async (it) => void (await it.close()),
);

/** Posts, and expects one of the statuses of success. @returns the answer's body */
async function post(api: ApiClient, path: string, body: object) {
  const answer = await api.post(`${WEBHOOKS}/${path}`, body);
  if (answer.status > 207) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

/** Uses everything that stores or reads what callers and receivers send. */
async function useEverything(api: ApiClient): Promise<void> {
  const endpoint = await post(api, 'endpoints', { url: receiver.url });
  const data = { [canary('name')]: canary('value'), customer: canary('search value') };
  const single = { type: 'order.created', data, idempotency_key: 'one' };
  const { id } = await post(api, 'events', single);
  await post(api, 'events', { ...single, data: { other: canary('repeat') } });
  const batch = await post(api, 'events/batch', { events: [{ type: 'a', data: { n: canary('batch') } }] });
  expect(batch.results ?? batch.events).toHaveLength(1);
  const untilDelivered = async (): Promise<void> => {
    const read = () => api.get(`${WEBHOOKS}/events/${id}`);
    await eventually(read, ({ body }) => body.status === 'delivered');
  };
  await untilDelivered();
  await post(api, `events/${id}/replay`, {});
  await untilDelivered();
  await post(api, `endpoints/${endpoint.id}/test`, { type: 'test', data: { n: canary('test event') } });
  const change = { endpoint: { url: 'https://example.com/', events: ['*'], options: {} } };
  const rehearsal = await post(api, 'rehearsals', { change });
  const rehearsed = await eventually(
    () => api.get(`${WEBHOOKS}/rehearsals/${rehearsal.id}`),
    ({ body }) => body.state === 'completed',
  );
  expect(rehearsed.text).toContain(canary('value'));
  const found = await api.get(`${WEBHOOKS}/events?data=customer:${canary('search value')}`);
  expect(found.body.events).toMatchObject([{ id }]);
  const delivery = await api.get(`${WEBHOOKS}/deliveries/${id}.${endpoint.id}`);
  for (const what of ['response header', 'response body']) expect(delivery.text).toContain(canary(what));
}

/** As it is, in hexadecimal, and in base64 in any of its three alignments. */
function spellings(text: string): string[] {
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.from('x'.repeat(shift) + text).toString('base64');
    return encoded.slice(shift === 0 ? 0 : 4, -4);
  });
  return [text, Buffer.from(text).toString('hex'), ...base64];
}

/** Every document of every database, as its bytes: the oplog too, because nothing is ever written in the clear. */
async function* documents(): AsyncGenerator<readonly [where: string, bytes: Buffer]> {
  const { client } = installation.mongo;
  const { databases } = await client.db('admin').command({ listDatabases: 1, nameOnly: true });
  for (const { name } of databases as { name: string }[]) {
    for (const collection of await client.db(name).collections()) {
      const found = collection.find({}, { raw: true }) as unknown as AsyncIterable<Buffer>;
      for await (const bytes of found) yield [collection.namespace, Buffer.from(bytes)];
    }
  }
}

/** Temporal's database with its write-ahead log, and the servers' logs. MongoDB's own files are compressed. */
function files(): [where: string, bytes: Buffer][] {
  const all = ['temporal', 'mongodb'].flatMap((folder) =>
    readdirSync(join(servers.folder, folder)).map((name) => join(servers.folder, folder, name)),
  );
  const read = all.filter((path) => statSync(path).isFile() && /sqlite|\.log/.test(path));
  return read.map((path) => [path, readFileSync(path)]);
}

/** Which canaries stand where. */
async function findCanaries(): Promise<Set<string>> {
  const found = new Set<string>();
  const look = (where: string, bytes: Buffer): void => {
    for (const [what, text] of canaries)
      if (spellings(text).some((spelling) => bytes.includes(spelling))) found.add(`${what} in ${where}`);
  };
  for await (const [where, bytes] of documents()) look(where, bytes);
  for (const [where, bytes] of files()) look(where, bytes);
  look('the log', Buffer.from(installation.log()));
  return found;
}

it('a dump of every collection, of the databases and of the logs has nothing of what was sent', async () => {
  await useEverything(installation.api);

  expect(canaries.size).toBeGreaterThanOrEqual(8);
  expect(files().some(([path, bytes]) => path.endsWith('temporal.sqlite') && bytes.length > 0)).toBe(true);
  expect([...(await findCanaries())]).toEqual([]);
});

it('the search would find it: with SEAL_PAYLOADS=off it does', async () => {
  const unsealing = await buildApi(installation.config, { sealPayloads: false });
  try {
    await post(apiClient(unsealing.url, installation.key), 'events', {
      type: 'b',
      data: { n: canary('in the clear') },
    });
  } finally {
    await unsealing.close();
  }
  const found = await findCanaries();
  expect(found).toContain('in the clear in dumped.events');
  expect(found).toContain('in the clear in local.oplog.rs');
});
