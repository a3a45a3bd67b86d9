import { randomBytes } from 'node:crypto';
import { setTimeout as pass } from 'node:timers/promises';
import { apiClient, expectError, untilStatus, type ApiAnswer } from '../support/api-client';
import { countStored, useCutOffApi } from '../support/build-api';
import { buildCaller } from '../support/build-caller';
import { useStack } from '../support/build-stack';
import { openApi, operations } from '../support/conformance';
import { eventually } from '../support/eventually';
import { requestOf, senderOf } from '../support/operation-requests';

const EVENTS = '/api/v1/webhooks/events';
const BATCH = `${EVENTS}/batch`;
const ESTIMATOR = '/api/cost-estimator';
const SELF = '/api/v1/keys/self';

const tiers = [{ id: 'enterprise', name: 'Enterprise', monthlyQuota: null, perMinute: 1_000_000 }];
const stack = useStack({ role: 'api', env: { TIERS: JSON.stringify(tiers), TRUSTED_PROXIES: '127.0.0.0/8' } });

function expectUnavailable(answer: ApiAnswer): void {
  expectError(answer, 503, 'service_unavailable');
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
}

describe('while MongoDB is down', () => {
  const api = useCutOffApi(stack);

  it('every operation answers 503 with Retry-After and the last known limits, and accepts nothing', async () => {
    const caller = await buildCaller(stack, { tier: 'business' });
    const requests = await Promise.all(operations.map((operation) => requestOf(operation, caller)));
    const [used, before] = [(await apiClient(api.url, caller.key).get(SELF)).headers, await countStored(stack.mongo)];
    api.cut();

    const answers = await Promise.all(
      operations.map((operation, index) => senderOf(operation, api.url, caller.key)(requests[index]!)),
    );
    const unknownPath = await apiClient(api.url, caller.key).get('/api/v1/nothing');

    for (const [index, answer] of [...answers, unknownPath].entries()) {
      expectUnavailable(answer);
      // Of a read nothing can be in doubt.
      const isRead = (operations[index]?.method ?? 'get') === 'get';
      expect(answer.body.error).toMatch(
        isRead ? /^The database does not answer/ : /It is unknown whether this was done/,
      );
      expect(answer.headers.get('X-RateLimit-Limit')).toBe('600');
    }
    expect(unknownPath.headers.get('X-Quota-Limit')).toBe('1000000');
    for (const { path, method } of operations) expect(openApi.paths[path]![method]!.responses).toHaveProperty('503');
    api.mend();
    const back = await untilStatus(() => apiClient(api.url, caller.key).get(SELF), 200);
    // None of them is counted.
    expect(Number(back.headers.get('X-Quota-Used'))).toBe(Number(used.get('X-Quota-Used')) + 1);
    expect(await countStored(stack.mongo)).toEqual(before);
  });

  it("no key is called invalid because it can't be looked up; the API is alive but not ready", async () => {
    const stranger = apiClient(api.url);
    api.cut();

    expectUnavailable(await apiClient(api.url, `svc_live_weh_${randomBytes(16).toString('hex')}`).get(SELF));
    // What is malformed is so without a database.
    expect((await apiClient(api.url, 'nonsense').get(SELF)).status).toBe(401);
    expect((await stranger.get('/healthz')).status).toBe(200);
    // Temporal is checked separately, and is up unless it halts for a moment.
    const ready = await eventually(
      () => stranger.get('/readyz'),
      ({ body }) => body.temporal === 'up',
    );
    expect([ready.status, ready.body]).toEqual([503, { status: 'unavailable', mongodb: 'down', temporal: 'up' }]);

    api.mend();
    await untilStatus(() => stranger.get('/readyz'), 200);
  });

  it('the estimator keeps using the catalog that it loaded', async () => {
    const stranger = apiClient(api.url);
    const first = await untilStatus(() => stranger.get(ESTIMATOR), 200);
    api.cut();

    const away = await stranger.get(ESTIMATOR);
    const estimate = await stranger.post(ESTIMATOR, { items: [{ provider: 'aws', service: 'EC2', quantity: 1 }] });

    expect([away.status, away.text]).toEqual([200, first.text]);
    expect(estimate.body.totalMonthlyUsd).toBe(30.37);
  });

  it('a batch gets 503 as a whole; when resent it ingests each event once', async () => {
    const { key, accountId } = await stack.account();
    const client = apiClient(api.url, key);
    const statuses = new Set<number>();
    for (let round = 0; round < 6; round += 1) {
      const events = Array.from({ length: 100 }, (_, index) => ({
        type: 'a',
        data: {},
        idempotency_key: `${round}-${index}`,
      }));
      const sent = client.post(BATCH, { events });
      await pass(round * 4);
      api.cut();
      const answer = await sent;
      statuses.add(answer.status);
      api.mend();

      const again = await untilStatus(() => client.post(BATCH, { events }), 207);

      const results: { status: number; id: number }[] = again.body.results;
      expect(results.filter(({ status }) => status !== 200 && status !== 202)).toEqual([]);
      if (answer.status === 207) {
        expect(results.map(({ status }) => status)).toEqual(Array(100).fill(200));
        expect(results.map(({ id }) => id)).toEqual(answer.body.results.map(({ id }: { id: number }) => id));
      } else {
        expectUnavailable(answer);
      }
    }
    expect(statuses).toContain(503);
    expect(await stack.mongo.db.collection('events').countDocuments({ account_id: accountId })).toBe(600);
  });
});

describe('an API that starts while MongoDB is down', () => {
  const late = useCutOffApi(stack, { isCut: true });

  it('answers 503 for the estimator until it has loaded the catalog', async () => {
    const stranger = apiClient(late.url);
    const away = [
      await stranger.get(ESTIMATOR),
      await stranger.post(ESTIMATOR, { items: [{ provider: 'aws', service: 'EC2', quantity: 1 }] }),
    ];
    late.mend();
    // Polling the estimator itself would use up its 60 calls a minute.
    await untilStatus(() => stranger.get('/readyz'), 200);
    const back = await stranger.get(ESTIMATOR);

    for (const answer of away) {
      expectError(answer, 503, 'catalog_not_loaded');
      expect(['Retry-After', 'X-RateLimit-Limit'].map((name) => answer.headers.get(name))).toEqual(['2', '60']);
    }
    expect([back.status, back.body.count]).toEqual([200, 216]);
  });
});

describe('when connections to MongoDB break briefly', () => {
  const api = useCutOffApi(stack, { patienceMs: 3_000 });

  // Many times: what this looks for are moments (a false 202, an operation that never ends).
  it('every call gets an answer and every acknowledged event is stored, however often they break', async () => {
    const caller = await buildCaller(stack);
    const client = apiClient(api.url, caller.key);
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
        () => accepted.length,
        (now) => now > count + 20,
      );
      api.cut();
      await new Promise((resolve) => setImmediate(resolve));
      api.mend();
    }
    stop = true;
    await Promise.all(senders);

    expect([...statuses].filter((status) => ![202, 503].includes(status))).toEqual([]);
    const events = stack.mongo.db.collection<{ _id: number }>('events');
    const stored = await events.distinct('_id', { account_id: caller.accountId });
    expect(new Set(accepted).size).toBe(accepted.length);
    expect(accepted.filter((id) => !stored.includes(id))).toEqual([]);
  });
});
