import { createAccountStore } from '../../src/accounts/account-store';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { apiClient, type ApiAnswer } from '../support/api-client';
import { useApi } from '../support/build-api';
import { buildCaller } from '../support/build-caller';
import { buildKey, useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { countersIn, limitsOf as limits } from '../support/limit-counters';

const SELF = '/api/v1/keys/self';

const tiers = [
  { id: 'tiny', name: 'Tiny', monthlyQuota: 5, perMinute: 3 },
  { id: 'free', name: 'Free', monthlyQuota: 500, perMinute: 10 },
  { id: 'shared', name: 'Shared', monthlyQuota: null, perMinute: 300 },
];
const stack = useStack({ role: 'api', env: { TIERS: JSON.stringify(tiers) } });
const otherApi = useApi(stack);
const { countersOf: counters, setCounters } = countersIn(stack);

describe('headers', () => {
  it.each([
    ['free', 10, '500'],
    ['developer', 60, '10000'],
    ['starter', 120, '50000'],
    ['team', 300, '200000'],
    ['business', 600, '1000000'],
    ['enterprise', 3_000, 'unlimited'],
    ['tiny', 3, '5'],
  ])('a call of tier %s sees %i a minute and %s a month', async (tier, perMinute, quota) => {
    const api = await buildCaller(stack, { tier });

    const [first, second] = [limits(await api.get(SELF)), limits(await api.get(SELF))];

    const { window_started_at: begin } = await counters(api.accountId);
    const reset = Math.ceil((begin.getTime() + 60_000) / 1_000);
    expect(first).toEqual({ limit: perMinute, remaining: perMinute - 1, reset, used: 1, quota });
    expect(second).toEqual({ ...first, remaining: perMinute - 2, used: 2 });
  });

  it('every refused call counts, except 401, 403 and 429', async () => {
    const api = await buildCaller(stack, { tier: 'developer' });
    const big = 'x'.repeat(300_000);
    const answers = [
      await api.get('/api/v1/nothing'),
      await api.call('PUT', SELF),
      await api.post('/api/v1/webhooks/events', '{'),
      await api.post('/api/v1/webhooks/events', '{}', { 'Content-Type': 'text/plain' }),
      await api.post('/api/v1/webhooks/events', big),
      await api.post('/api/v1/webhooks/endpoints', { url: 'ftp://x.example/' }),
      await api.call('HEAD', SELF),
      await api.call('OPTIONS', SELF),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 405, 400, 415, 413, 422, 200, 405]);
    expect(answers.map((answer) => limits(answer).used)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(answers.map((answer) => limits(answer).remaining)).toEqual([59, 58, 57, 56, 55, 54, 53, 52]);
    expect(new Set(answers.map((answer) => limits(answer).reset)).size).toBe(1);
  });
});

describe('the burst window', () => {
  it("429 with the exact body for the 11th call of a Free account; the 429 itself doesn't count", async () => {
    const api = await buildCaller(stack, { tier: 'free' });
    for (let count = 0; count < 10; count += 1) expect((await api.get(SELF)).status).toBe(200);
    for (let count = 0; count < 3; count += 1) {
      const answer = await api.get(SELF);
      expect(answer.status).toBe(429);
      expect(answer.body).toEqual({
        error: expect.stringContaining('10 calls'),
        code: 'rate_limit_exceeded',
        retry_after: expect.any(Number),
        remaining: 0,
        request_id: expect.any(String),
      });
      expect(answer.headers.get('Retry-After')).toBe(String(answer.body.retry_after));
      expect(limits(answer)).toMatchObject({ remaining: 0, used: 10 });
    }
    expect(await counters(api.accountId)).toMatchObject({ window_used: 10, quota_used: 10 });
  });

  it("more keys don't raise it", async () => {
    const { key, accountId } = await stack.account({ tier: 'free' });
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      const more = await buildKey(stack.mongo, accountId, { product: count % 2 ? 'sec' : 'weh' });
      statuses.push((await apiClient(stack.url, count === 0 ? key : more.key).get(SELF)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  });

  it('another account is not affected', async () => {
    const [one, other] = [await stack.account({ tier: 'tiny' }), await stack.account({ tier: 'tiny' })];
    const statuses = await Promise.all(Array.from({ length: 5 }, () => apiClient(stack.url, one.key).get(SELF)));
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(2);
    expect((await apiClient(stack.url, other.key).get(SELF)).status).toBe(200);
  });
});

describe('the monthly quota', () => {
  it("429 with the exact body for a Free account's 501st call", async () => {
    const api = await buildCaller(stack, { tier: 'free' });
    await api.get(SELF);
    await setCounters(api.accountId, { quota_used: 499 });
    const last = await api.get(SELF);
    expect([last.status, limits(last).used]).toEqual([200, 500]);
    for (let count = 0; count < 2; count += 1) {
      const denied = await api.get(SELF);
      expect([denied.status, denied.body]).toEqual([
        429,
        {
          error: expect.stringContaining('500'),
          code: 'quota_exceeded',
          quota_limit: 500,
          quota_used: 500,
          reset_at: expect.any(String),
          request_id: expect.any(String),
        },
      ]);
      // Exhausting one does not exhaust the other.
      expect(limits(denied)).toMatchObject({ remaining: 8, used: 500, quota: '500' });
    }
    expect(await counters(api.accountId)).toMatchObject({ quota_used: 500, window_used: 2 });
  });

  it('a changed tier applies from the next call on', async () => {
    const api = await buildCaller(stack, { tier: 'tiny' });
    await api.get(SELF);
    await setCounters(api.accountId, { quota_used: 5 });
    expect((await api.get(SELF)).status).toBe(429);
    await createAccountStore(stack.mongo.db).setTier(api.accountId, 'business', BY_COMMAND_LINE);
    const raised = await api.get(SELF);
    expect([raised.status, limits(raised)]).toEqual([
      200,
      expect.objectContaining({ limit: 600, used: 6, quota: '1000000' }),
    ]);
    // Down again: more is used than the tier allows.
    await createAccountStore(stack.mongo.db).setTier(api.accountId, 'tiny', BY_COMMAND_LINE);
    const lowered = await api.get(SELF);
    expect([lowered.status, lowered.body.code, lowered.body.quota_limit]).toEqual([429, 'quota_exceeded', 5]);
  });

  it('a tier that is no longer configured has the limits of Free', async () => {
    const api = await buildCaller(stack);
    await createAccountStore(stack.mongo.db).setTier(api.accountId, 'gone', BY_COMMAND_LINE);
    const answer = await api.get(SELF);
    expect([answer.status, limits(answer)]).toEqual([200, expect.objectContaining({ limit: 10, quota: '500' })]);
  });
});

it('authentication, limits and headers take one round trip to MongoDB', async () => {
  const { db } = stack.mongo;
  const { key } = await stack.account();
  const api = apiClient(stack.url, key);
  const CALLS = 20;
  // The key is remembered from here on.
  await eventually(
    async () => {
      await db.collection('system.profile').drop();
      await db.command({ profile: 2 });
      for (let count = 0; count < CALLS; count += 1) expect((await api.get('/api/v1/nothing')).status).toBe(404);
      await db.command({ profile: 0 });
      // Without background queries: the watches on keys and revocations, the record of last use, and periodic checks.
      const beside = ['system.profile', 'catalogs', 'slow_endpoints', 'key_revocations'].map(
        (name) => `${db.databaseName}.${name}`,
      );
      const own = { ns: { $nin: beside }, op: { $in: ['query', 'command', 'insert'] } };
      const operations = await db.collection('system.profile').find(own).toArray();
      return operations
        .filter(({ command }) => !('getMore' in command || 'profile' in command || 'drop' in command))
        .map(({ ns }) => ns as string);
    },
    (operations) => operations.length === CALLS && operations.every((ns) => ns.endsWith('.accounts')),
  );
});

describe('5xx answers', () => {
  it("don't count against the quota", async () => {
    const api = await buildCaller(stack, { tier: 'developer' });
    await api.get(SELF);
    // An account's endpoints can't be stored any more.
    await stack.mongo.db.command({ collMod: 'endpoints', validator: { never: true } });
    try {
      for (let count = 0; count < 3; count += 1) {
        const failed = await api.post('/api/v1/webhooks/endpoints', { url: 'https://example.com/' });
        expect([failed.status, failed.body.code]).toEqual([500, 'internal_error']);
        await eventually(
          () => counters(api.accountId),
          ({ quota_used }) => quota_used === 1,
        );
      }
      expect(limits(await api.get(SELF))).toMatchObject({ used: 2, remaining: 55 });
    } finally {
      await stack.mongo.db.command({ collMod: 'endpoints', validator: {} });
    }
  });
});

it('two instances on one database admit exactly 300 of 1,000 concurrent calls', async () => {
  const CALLS = 1_000;
  const { key, accountId } = await stack.account({ tier: 'shared' });
  const clients = [apiClient(stack.url, key), apiClient(otherApi.url, key)];
  const answers: ApiAnswer[] = [];
  let next = 0;
  const call = async (): Promise<void> => {
    for (let number = next++; number < CALLS; number = next++) answers.push(await clients[number % 2]!.get(SELF));
  };

  await Promise.all(Array.from({ length: 64 }, call));

  // On a machine that is too slow for one window, the calls of the first one are judged.
  const reset = Math.min(...answers.map((answer) => limits(answer).reset));
  const inWindow = answers.filter((answer) => limits(answer).reset === reset);
  const admitted = inWindow.filter(({ status }) => status === 200);
  const denied = inWindow.filter(({ status }) => status === 429);
  expect(inWindow.length).toBeGreaterThan(300);
  expect([admitted.length, denied.length]).toEqual([300, inWindow.length - 300]);
  // Each admitted call got its own count; none was given out twice or left out.
  const used = admitted.map((answer) => limits(answer).used).sort((a, b) => a - b);
  expect(used).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
  for (const answer of admitted) expect(limits(answer).remaining).toBe(300 - limits(answer).used);
  for (const answer of inWindow) expect(limits(answer)).toMatchObject({ limit: 300, quota: 'unlimited', reset });
  for (const answer of denied) expect(limits(answer)).toMatchObject({ remaining: 0, used: 300 });
  if (inWindow.length === CALLS) {
    expect(await counters(accountId)).toMatchObject({ window_used: 300, quota_used: 300 });
  }
});
