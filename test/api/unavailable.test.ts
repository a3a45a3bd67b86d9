import { randomBytes } from 'node:crypto';
import { apiClient, type ApiAnswer } from '../support/api-client';
import { buildApi, buildLoggedRole, countStored, type Api } from '../support/build-api';
import { buildMongoProxy, type MongoProxy } from '../support/mongo-proxy';
import { buildStack, type Stack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';
const SELF = '/api/v1/keys/self';

let stack: Stack;
let proxy: MongoProxy;
let api: Api;

beforeAll(async () => {
  const tiers = [{ id: 'enterprise', name: 'Enterprise', monthlyQuota: null, perMinute: 1_000_000 }];
  stack = await buildStack({ role: 'api', env: { TIERS: JSON.stringify(tiers) } });
  proxy = await buildMongoProxy(stack.config.mongodb.uri!);
  api = await buildApi(stack.config, { mongodb: { ...stack.config.mongodb, uri: proxy.uri } });
});

afterAll(async () => {
  await api?.close();
  await proxy?.close();
  await stack?.close();
});

const unknownKey = (): string => `svc_live_weh_${randomBytes(16).toString('hex')}`;

function expectUnavailable(answer: ApiAnswer): void {
  expect([answer.status, answer.body]).toEqual([
    503,
    { error: expect.any(String), code: 'service_unavailable', request_id: answer.headers.get('X-Request-Id') },
  ]);
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
}

describe('with MongoDB away', () => {
  test('503 for every operation, with the last known limits; nothing is accepted, and no key is called wrong', async () => {
    const { key } = await stack.account({ tier: 'developer' });
    const client = apiClient(api.url, key);
    expect((await client.get(SELF)).headers.get('X-Quota-Used')).toBe('1');
    const before = await countStored(stack.mongo);
    proxy.cut();
    try {
      const answers = await Promise.all([
        client.post(EVENTS, { type: 'a', data: {} }),
        client.post(EVENTS, { type: 'a', data: {}, idempotency_key: 'away' }),
        client.get(`${EVENTS}/1`),
        client.post(ENDPOINTS, { url: 'https://example.com/' }),
        client.get(ENDPOINTS),
        client.get(SELF),
        client.get('/api/v1/nothing'),
      ]);
      for (const answer of answers) {
        expectUnavailable(answer);
        expect(answer.headers.get('X-RateLimit-Limit')).toBe('60');
        expect(answer.headers.get('X-Quota-Limit')).toBe('10000');
      }
      // A key that this process has never seen: nobody knows whether it is one.
      expectUnavailable(await apiClient(api.url, unknownKey()).get(SELF));
      // What is malformed is so without a database.
      expect((await apiClient(api.url, 'nonsense').get(SELF)).status).toBe(401);

      const anybody = apiClient(api.url);
      expect((await anybody.get('/healthz')).status).toBe(200);
      const ready = await anybody.get('/readyz');
      expect([ready.status, ready.body]).toEqual([503, { status: 'unavailable', mongodb: 'down', temporal: 'up' }]);
    } finally {
      proxy.mend();
    }
    const back = await eventually(
      () => client.get(SELF),
      ({ status }) => status !== 503,
      30_000,
    );
    expect([back.status, back.headers.get('X-Quota-Used')]).toEqual([200, '2']);
    expect(await countStored(stack.mongo)).toEqual(before);
    await eventually(
      () => apiClient(api.url).get('/readyz'),
      ({ status }) => status === 200,
    );
  }, 90_000);

  // Many times: what this looks for are moments (a false 202, an operation that never ends).
  test('every call is answered and an acknowledged event is there, however often connections break', async () => {
    const { key, accountId } = await stack.account();
    const client = apiClient(api.url, key);
    const accepted: number[] = [];
    const statuses = new Set<number>();
    let stop = false;
    const send = async (): Promise<void> => {
      while (!stop) {
        const answer = await client.post(EVENTS, { type: 'a', data: {} });
        statuses.add(answer.status);
        if (answer.status === 202) accepted.push(answer.body.id);
      }
    };
    const senders = Array.from({ length: 8 }, send);
    for (let round = 0; round < 25; round += 1) {
      const count = accepted.length;
      await eventually(
        () => Promise.resolve(accepted.length),
        (now) => now > count + 20,
        30_000,
      );
      proxy.cut();
      await new Promise((resolve) => setImmediate(resolve));
      proxy.mend();
    }
    stop = true;
    await Promise.all(senders);
    expect([...statuses].filter((status) => ![202, 503].includes(status))).toEqual([]);
    const stored = await stack.mongo.db
      .collection<{ _id: number }>('events')
      .distinct('_id', { account_id: accountId });
    expect(new Set(accepted).size).toBe(accepted.length);
    expect(accepted.filter((id) => !stored.includes(id))).toEqual([]);
  }, 180_000);
});

describe('with Temporal away', () => {
  test('events are accepted and it is ready, degraded', async () => {
    const changes = { temporal: { ...stack.config.temporal, address: '127.0.0.1:1' } };
    const lonely = await buildApi(stack.config, changes);
    try {
      const { key } = await stack.account();
      const client = apiClient(lonely.url, key);
      await client.post(ENDPOINTS, { url: 'http://127.0.0.1:1/' });
      const ingest = await client.post(EVENTS, { type: 'a', data: {} });
      expect([ingest.status, ingest.body.deliveries]).toEqual([202, 1]);
      const ready = await apiClient(lonely.url).get('/readyz');
      expect([ready.status, ready.body]).toEqual([200, { status: 'degraded', mongodb: 'up', temporal: 'down' }]);
    } finally {
      await lonely.close();
    }
  }, 60_000);
});

describe('an unexpected error', () => {
  test('is a 500 that says nothing but the id that its log line carries', async () => {
    const logged = await buildLoggedRole(stack.config, 'api');
    await stack.mongo.db.command({ collMod: 'events', validator: { never_there: true } });
    try {
      const { key } = await stack.account({ tier: 'developer' });
      const answer = await apiClient(logged.url, key).post(EVENTS, { type: 'a', data: { n: 1 } });
      expect([answer.status, answer.body]).toEqual([
        500,
        { error: expect.any(String), code: 'internal_error', request_id: answer.headers.get('X-Request-Id') },
      ]);
      for (const internal of ['never_there', 'Mongo', 'validat', 'everpost_test', ' at ', '.ts', 'collection']) {
        expect(answer.text).not.toContain(internal);
      }
      expect(answer.headers.get('X-RateLimit-Limit')).toBe('60');
      const line = await eventually(
        () =>
          Promise.resolve(
            logged
              .log()
              .split('\n')
              .find((text) => text.includes('internal_error')),
          ),
        (found) => found !== undefined,
      );
      expect(JSON.parse(line!)).toMatchObject({
        level: 50,
        request_id: answer.body.request_id,
        err: { type: 'MongoBulkWriteError' },
      });
    } finally {
      await stack.mongo.db.command({ collMod: 'events', validator: {} });
      await logged.close();
    }
  });
});
