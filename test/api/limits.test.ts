import { createAccountStore } from '../../src/accounts/store';
import { createKey } from '../../src/keys/create-key';
import { createKeyStore } from '../../src/keys/store';
import { systemClock } from '../../src/platform/clock';
import { apiClient, type ApiAnswer } from '../support/api-client';
import { buildApi, type Api } from '../support/build-api';
import { buildStack, type Stack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const SELF = '/api/v1/keys/self';

let stack: Stack;

beforeAll(async () => {
  const tiers = [
    { id: 'tiny', name: 'Tiny', monthlyQuota: 5, perMinute: 3 },
    { id: 'free', name: 'Free', monthlyQuota: 500, perMinute: 10 },
  ];
  stack = await buildStack({ role: 'api', env: { TIERS: JSON.stringify(tiers) } });
});

afterAll(() => stack?.close());

interface Counters {
  window_started_at: Date;
  window_used: number;
  month: Date;
  quota_used: number;
}

const accounts = () => stack.mongo.db.collection<{ _id: string; limits: Counters }>('accounts');

/** Puts an account's counters where a test needs them, as they would be after so many calls. */
async function setCounters(accountId: string, changes: Partial<Counters>): Promise<void> {
  const set = Object.fromEntries(Object.entries(changes).map(([name, value]) => [`limits.${name}`, value]));
  await accounts().updateOne({ _id: accountId }, { $set: set });
}

async function counters(accountId: string): Promise<Counters> {
  return (await accounts().findOne({ _id: accountId }))!.limits;
}

function limits({ headers }: ApiAnswer) {
  const number = (name: string): number => Number(headers.get(name));
  return {
    limit: number('X-RateLimit-Limit'),
    remaining: number('X-RateLimit-Remaining'),
    reset: number('X-RateLimit-Reset'),
    used: number('X-Quota-Used'),
    quota: headers.get('X-Quota-Limit'),
  };
}

const nextMonth = (now = new Date()): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
const thisMonth = (now = new Date()): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));

describe('headers', () => {
  test.each([
    ['free', 10, '500'],
    ['developer', 60, '10000'],
    ['starter', 120, '50000'],
    ['team', 300, '200000'],
    ['business', 600, '1000000'],
    ['enterprise', 3_000, 'unlimited'],
    ['tiny', 3, '5'],
  ])('a call of tier %s sees %i a minute and %s a month', async (tier, perMinute, quota) => {
    const { key } = await stack.account({ tier });
    const before = Math.floor(Date.now() / 1_000);
    const first = limits(await apiClient(stack.url, key).get(SELF));
    expect(first).toEqual({ limit: perMinute, remaining: perMinute - 1, reset: expect.any(Number), used: 1, quota });
    expect(first.reset).toBeGreaterThanOrEqual(before + 59);
    expect(first.reset).toBeLessThanOrEqual(before + 75);
    const second = limits(await apiClient(stack.url, key).get(SELF));
    expect(second).toEqual({ ...first, remaining: perMinute - 2, used: 2 });
  });

  test('every refused call but 401, 403 and 429 counts like any other', async () => {
    const { key } = await stack.account({ tier: 'developer' });
    const api = apiClient(stack.url, key);
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
  test('429 with the exact body for the 11th call of a Free account, and 429 is not counted', async () => {
    const { key, accountId } = await stack.account({ tier: 'free' });
    const api = apiClient(stack.url, key);
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
      const { retry_after: wait } = answer.body;
      expect(answer.headers.get('Retry-After')).toBe(String(wait));
      expect(wait).toBeGreaterThanOrEqual(1);
      expect(wait).toBeLessThanOrEqual(60);
      const { remaining, used, reset } = limits(answer);
      expect([remaining, used]).toEqual([0, 10]);
      // Never before the window's end.
      const ends = (await counters(accountId)).window_started_at.getTime() + 60_000;
      expect(Date.now() + wait * 1_000).toBeGreaterThanOrEqual(ends - 1_000);
      expect(reset).toBe(Math.ceil(ends / 1_000));
    }
    expect(await counters(accountId)).toMatchObject({ window_used: 10, quota_used: 10 });
  });

  test('it starts anew 60 seconds after its first call, and not before', async () => {
    const { key, accountId } = await stack.account({ tier: 'free' });
    const api = apiClient(stack.url, key);
    await api.get(SELF);
    await setCounters(accountId, { window_used: 10, window_started_at: new Date(Date.now() - 50_000) });
    const denied = await api.get(SELF);
    expect(denied.status).toBe(429);
    expect(denied.body.retry_after).toBeLessThanOrEqual(10);
    await setCounters(accountId, { window_started_at: new Date(Date.now() - 60_001) });
    const admitted = await api.get(SELF);
    expect([admitted.status, limits(admitted).remaining]).toEqual([200, 9]);
    expect(limits(admitted).reset).toBeGreaterThan(Date.now() / 1_000 + 50);
  });

  test('new keys do not multiply it', async () => {
    const { key, accountId } = await stack.account({ tier: 'free' });
    const deps = {
      accounts: createAccountStore(stack.mongo.db),
      keys: createKeyStore(stack.mongo.db),
      clock: systemClock,
    };
    const statuses: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      const more = await createKey(deps, { accountId, product: count % 2 ? 'sec' : 'weh', label: `${count}` });
      statuses.push((await apiClient(stack.url, count === 0 ? key : more.key).get(SELF)).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  });

  test('another account is not affected', async () => {
    const [one, other] = [await stack.account({ tier: 'tiny' }), await stack.account({ tier: 'tiny' })];
    const statuses = await Promise.all(Array.from({ length: 5 }, () => apiClient(stack.url, one.key).get(SELF)));
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(2);
    expect((await apiClient(stack.url, other.key).get(SELF)).status).toBe(200);
  });
});

describe('the monthly quota', () => {
  test("429 with the exact body for a Free account's 501st call", async () => {
    const { key, accountId } = await stack.account({ tier: 'free' });
    const api = apiClient(stack.url, key);
    await api.get(SELF);
    await setCounters(accountId, { quota_used: 499 });
    const last = await api.get(SELF);
    expect([last.status, limits(last).used]).toEqual([200, 500]);
    for (let count = 0; count < 2; count += 1) {
      const resetAt = nextMonth();
      const denied = await api.get(SELF);
      expect([denied.status, denied.body]).toEqual([
        429,
        {
          error: expect.stringContaining('500'),
          code: 'quota_exceeded',
          quota_limit: 500,
          quota_used: 500,
          reset_at: resetAt.toISOString(),
          request_id: expect.any(String),
        },
      ]);
      const wait = Number(denied.headers.get('Retry-After'));
      expect(Math.abs(wait - (resetAt.getTime() - Date.now()) / 1_000)).toBeLessThan(5);
      expect(Date.now() + wait * 1_000).toBeGreaterThanOrEqual(resetAt.getTime() - 1_000);
      // Exhausting one does not exhaust the other.
      expect(limits(denied)).toMatchObject({ remaining: 8, used: 500, quota: '500' });
    }
    expect(await counters(accountId)).toMatchObject({ quota_used: 500, window_used: 2 });
  });

  test('with both exhausted the body is that of the quota', async () => {
    const { key, accountId } = await stack.account({ tier: 'tiny' });
    const api = apiClient(stack.url, key);
    await api.get(SELF);
    await setCounters(accountId, { quota_used: 5, window_used: 3 });
    const denied = await api.get(SELF);
    expect(denied.body).toMatchObject({ code: 'quota_exceeded', quota_limit: 5, quota_used: 5 });
    expect(limits(denied).remaining).toBe(0);
  });

  test('it starts anew with the month, and the window does not', async () => {
    const { key, accountId } = await stack.account({ tier: 'free' });
    const api = apiClient(stack.url, key);
    await api.get(SELF);
    const lastMonth = new Date(Date.UTC(thisMonth().getUTCFullYear(), thisMonth().getUTCMonth() - 1, 1));
    await setCounters(accountId, { quota_used: 500, month: lastMonth });
    const admitted = await api.get(SELF);
    expect([admitted.status, limits(admitted).used, limits(admitted).remaining]).toEqual([200, 1, 8]);
    expect((await counters(accountId)).month).toEqual(thisMonth());
  });

  test('a changed tier holds from the next call on', async () => {
    const { key, accountId } = await stack.account({ tier: 'tiny' });
    const api = apiClient(stack.url, key);
    await api.get(SELF);
    await setCounters(accountId, { quota_used: 5 });
    expect((await api.get(SELF)).status).toBe(429);
    await createAccountStore(stack.mongo.db).setTier(accountId, 'business');
    const raised = await api.get(SELF);
    expect([raised.status, limits(raised)]).toEqual([
      200,
      expect.objectContaining({ limit: 600, used: 6, quota: '1000000' }),
    ]);
    // Down again: more is used than the tier allows.
    await createAccountStore(stack.mongo.db).setTier(accountId, 'tiny');
    const lowered = await api.get(SELF);
    expect([lowered.status, lowered.body.code, lowered.body.quota_limit]).toEqual([429, 'quota_exceeded', 5]);
  });

  test('a tier that is not configured any more is limited as Free', async () => {
    const { key, accountId } = await stack.account();
    await createAccountStore(stack.mongo.db).setTier(accountId, 'gone');
    const answer = await apiClient(stack.url, key).get(SELF);
    expect([answer.status, limits(answer)]).toEqual([200, expect.objectContaining({ limit: 10, quota: '500' })]);
  });

  test('a restart forgets nothing', async () => {
    const { key } = await stack.account({ tier: 'free' });
    await apiClient(stack.url, key).get(SELF);
    const restarted = await buildApi(stack.config);
    try {
      expect(limits(await apiClient(restarted.url, key).get(SELF))).toMatchObject({ used: 2, remaining: 8 });
    } finally {
      await restarted.close();
    }
  });
});

test('authentication, limits and headers take one round trip to MongoDB', async () => {
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
      // Without what goes on beside the calls: the watch on keys, and the note of their last use.
      const own = { ns: { $ne: `${db.databaseName}.system.profile` }, op: { $in: ['query', 'command', 'insert'] } };
      const operations = await db.collection('system.profile').find(own).toArray();
      return operations
        .filter(({ command }) => !('getMore' in command || 'profile' in command || 'drop' in command))
        .map(({ ns }) => ns as string);
    },
    (operations) => operations.length === CALLS && operations.every((ns) => ns.endsWith('.accounts')),
  );
});

describe('answers of 5xx', () => {
  test('are refunded from the quota', async () => {
    const { key, accountId } = await stack.account({ tier: 'developer' });
    const api = apiClient(stack.url, key);
    await api.get(SELF);
    // An account's endpoints can't be stored any more.
    await stack.mongo.db.command({ collMod: 'endpoints', validator: { never: true } });
    try {
      for (let count = 0; count < 3; count += 1) {
        const failed = await api.post('/api/v1/webhooks/endpoints', { url: 'https://example.com/' });
        expect([failed.status, failed.body.code]).toEqual([500, 'internal_error']);
        await eventually(
          () => counters(accountId),
          ({ quota_used }) => quota_used === 1,
        );
      }
      expect(limits(await api.get(SELF))).toMatchObject({ used: 2, remaining: 55 });
    } finally {
      await stack.mongo.db.command({ collMod: 'endpoints', validator: {} });
    }
  });
});

describe('two instances on one database', () => {
  const CALLS = 10_000;
  const CONCURRENCY = 64;
  let other: Api;

  beforeAll(async () => {
    other = await buildApi(stack.config);
  });

  afterAll(() => other?.close());

  test('admit exactly 3,000 of 10,000 calls of an Enterprise account in its window', async () => {
    const { key, accountId } = await stack.account({ tier: 'enterprise' });
    const clients = [apiClient(stack.url, key), apiClient(other.url, key)];
    const answers: ApiAnswer[] = [];
    let next = 0;
    const startedAt = Date.now();
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        while (next < CALLS) {
          const client = clients[next % 2]!;
          next += 1;
          answers.push(await client.get('/api/v1/nothing'));
        }
      }),
    );
    const seconds = (Date.now() - startedAt) / 1_000;
    // On a machine that is too slow for one window, the calls of the first one are judged.
    const reset = Math.min(...answers.map((answer) => limits(answer).reset));
    const inWindow = answers.filter((answer) => limits(answer).reset === reset);
    const admitted = inWindow.filter(({ status }) => status === 404);
    const denied = inWindow.filter(({ status }) => status === 429);
    process.stderr.write(
      `10,000 calls on two instances in ${seconds.toFixed(1)} s: ${admitted.length} admitted, ${denied.length} denied\n`,
    );
    expect(admitted.length + denied.length).toBe(inWindow.length);
    expect(inWindow.length).toBeGreaterThan(3_000);
    expect(admitted).toHaveLength(3_000);
    // Each admitted call saw a count of its own, none was given out twice or left out.
    const sorted = (values: number[]): number[] => values.toSorted((a, b) => a - b);
    const upTo = (count: number, from: number): number[] => Array.from({ length: count }, (_, index) => index + from);
    expect(sorted(admitted.map((answer) => limits(answer).remaining))).toEqual(upTo(3_000, 0));
    expect(sorted(admitted.map((answer) => limits(answer).used))).toEqual(upTo(3_000, 1));
    for (const answer of inWindow) expect(limits(answer)).toMatchObject({ limit: 3_000, quota: 'unlimited', reset });
    for (const answer of denied) expect(limits(answer)).toMatchObject({ remaining: 0, used: 3_000 });
    if (inWindow.length === CALLS)
      expect(await counters(accountId)).toMatchObject({ window_used: 3_000, quota_used: 3_000 });
  }, 180_000);
});
