import { randomBytes } from 'node:crypto';
import { PRODUCT_PREFIXES } from '../../src/domain/api-key';
import { SCOPE_NAMES } from '../../src/domain/scopes';
import { createKeyStore } from '../../src/keys/key-store';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { apiClient, expectError } from '../support/api-client';
import { buildStack, useStack, type Stack } from '../support/build-stack';
import { operations } from '../support/conformance';
import { eventually } from '../support/eventually';

const SELF = '/api/v1/keys/self';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

// Every operation is tried with a dozen unknown keys.
const stack = useStack({ role: 'api', env: { AUTH_FAILURES_PER_MINUTE: '6000' } });

const unknownKey = (product = 'weh'): string => `svc_live_${product}_${randomBytes(16).toString('hex')}`;

/** The operations that need a key: the cost estimator admits everyone. */
const SCOPED = operations.filter(({ security }) => security === undefined);
/** Every operation with a request that is valid except for its key; the objects that it names don't exist. */
const REQUESTS = SCOPED.map(({ id, method, path, params, body, bodyExample }) => ({
  id,
  method: method.toUpperCase(),
  path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params![name]!.schema.meta()!['example'])),
  body: body ? bodyExample : undefined,
  isWebhooks: path.startsWith('/api/v1/webhooks'),
}));

const BATCHED_EVENTS = (REQUESTS.find(({ id }) => id === 'ingestBatch')!.body as { events: unknown[] }).events.length;

/** Reads only the status: the answer may be a stream without an end. */
async function statusOf(
  { method, path, body }: Pick<(typeof REQUESTS)[number], 'method' | 'path' | 'body'>,
  authorization: string,
): Promise<number> {
  const stop = new AbortController();
  const headers = { Authorization: authorization, 'Content-Type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${stack.url}${path}`, { method, headers, signal: stop.signal, ...sent });
  stop.abort();
  return answer.status;
}

describe.each(REQUESTS)('$id', ({ method, path, body, isWebhooks }) => {
  const call = (authorization: string | undefined, query = '') =>
    apiClient(stack.url).call(
      method,
      `${path}${query}`,
      body,
      authorization === undefined ? {} : { Authorization: authorization },
    );

  it('401 without a key', async () => {
    const answer = await call(undefined);
    expectError(answer, 401, 'missing_api_key');
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(answer.headers.get('X-Quota-Limit')).toBe('0');
    expect(answer.headers.get('X-Quota-Used')).toBe('0');
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('6000');
  });

  it.each([
    ['no scheme', unknownKey()],
    ['another scheme', `Basic ${unknownKey()}`],
    ['the scheme alone', 'Bearer'],
    ['two keys', `Bearer ${unknownKey()} ${unknownKey()}`],
    ['a comma', `Bearer ${unknownKey()},`],
    ['quotes', `Bearer "${unknownKey()}"`],
    ['too short a key', `Bearer ${unknownKey().slice(0, -1)}`],
    ['too long a key', `Bearer ${unknownKey()}0`],
    ['capitals', `Bearer ${unknownKey().slice(0, 13)}${'A'.repeat(32)}`],
    ['no hexadecimal digits', `Bearer svc_live_weh_${'z'.repeat(32)}`],
    ['an unknown product', `Bearer ${unknownKey('xyz')}`],
    ['another kind of key', `Bearer svc_test_weh_${'a'.repeat(32)}`],
    ['rubbish', 'Bearer x'.repeat(900)],
  ])('401 for a malformed header: %s', async (_what, header) => {
    const answer = await call(header);
    expectError(answer, 401, 'malformed_api_key');
    expect(answer.text).not.toContain('svc_live_weh_0');
  });

  it('401 for a key that never existed', async () => {
    const answer = await call(`Bearer ${unknownKey()}`);
    expectError(answer, 401, 'invalid_api_key');
  });

  it('401 for a revoked key, with the same body as for an unknown key', async () => {
    const { key, keyId } = await stack.account();
    await createKeyStore(stack.mongo.db).revoke(keyId, new Date(), BY_COMMAND_LINE);
    const [revoked, unknown] = [await call(`Bearer ${key}`), await call(`Bearer ${unknownKey()}`)];
    expect(revoked.status).toBe(401);
    expect({ ...revoked.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
  });

  it('401 for an expired key says when it expired; once revoked too, it reads like an unknown key', async () => {
    const { key, keyId } = await stack.account({ expiresIn: '1h' });
    const endedAt = new Date(Date.now() - 1);
    await stack.mongo.db
      .collection<{ _id: string }>('api_keys')
      .updateOne({ _id: keyId }, { $set: { expires_at: endedAt } });
    const expired = await call(`Bearer ${key}`);
    expectError(expired, 401, {
      code: 'expired_api_key',
      error: `This API key expired at ${endedAt.toISOString()}. Create another one.`,
    });
    expect(expired.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(expired.headers.get('X-Quota-Limit')).toBe('0');

    await createKeyStore(stack.mongo.db).revoke(keyId, new Date(), BY_COMMAND_LINE);

    await eventually(
      () => call(`Bearer ${key}`),
      ({ body: { code } }) => code === 'invalid_api_key',
    );
  });

  it('401 for a key in the query or in a cookie', async () => {
    const { key } = await stack.account();
    const answer = await apiClient(stack.url).call(method, `${path}?api_key=${key}&access_token=${key}`, body, {
      Cookie: `api_key=${key}`,
      'X-API-Key': key,
    });
    expectError(answer, 401, 'missing_api_key');
  });

  it('401 and 403 reveal nothing about the request', async () => {
    const wrong = { 'Content-Type': 'text/plain' };
    const without = await apiClient(stack.url).call('POST', path, '{', wrong);
    expect(without.status).toBe(401);
    if (!isWebhooks) return;
    const { key } = await stack.account({ product: 'pii' });
    expect((await apiClient(stack.url, key).call('POST', path, '{', wrong)).status).toBe(403);
  });

  it('the scheme is case-insensitive', async () => {
    const { key } = await stack.account();
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      expect(await statusOf({ method, path, body }, `${scheme} ${key}`)).not.toBe(401);
    }
  });
});

/** Whether a call erases data. */
const isErasing = (method: string, path: string): boolean =>
  /\/events\/[^/]+\/data$/.test(path) || (method === 'POST' && path.endsWith('/erasures'));

describe('products', () => {
  const expected = (product: string, isWebhooks: boolean): number => (isWebhooks && product !== 'weh' ? 403 : 0);

  it.each(PRODUCT_PREFIXES)('a key of %s works for its own product only', async (product) => {
    const { key, accountId } = await stack.account({ product, tier: 'team' });
    const api = apiClient(stack.url, key);
    for (const { method, path, body, isWebhooks } of REQUESTS) {
      if (/^\/api\/v1\/accounts\b/.test(path) || (/\/v1\/event-types\b/.test(path) && method !== 'GET')) {
        // They belong to the installation.
        expect(await statusOf({ method, path, body }, `Bearer ${key}`)).toBe(403);
        continue;
      }
      if (isErasing(method, path)) {
        // Only management keys may have that scope.
        expect(await statusOf({ method, path, body }, `Bearer ${key}`)).toBe(403);
        continue;
      }
      if (/^\/api\/v1\/(usage|reports|event-types)\b/.test(path)) {
        // They need a scope, and only webhook keys have scopes.
        const allowed = path.endsWith('/order.created') ? 404 : 200;
        expect(await statusOf({ method, path, body }, `Bearer ${key}`)).toBe(product === 'weh' ? allowed : 403);
        continue;
      }
      if (expected(product, isWebhooks) !== 403) {
        expect([200, 201, 202, 207, 404]).toContain(await statusOf({ method, path, body }, `Bearer ${key}`));
        continue;
      }
      const answer = await api.call(method, path, body);
      expect([answer.status, answer.body]).toEqual([
        403,
        {
          error: 'This key is not authorized for Webhook Reliability.',
          code: 'wrong_product',
          request_id: expect.any(String),
        },
      ]);
      // The caller's own limits, and 403 is not counted.
      expect(answer.headers.get('X-RateLimit-Limit')).toBe('300');
      expect(answer.headers.get('X-Quota-Limit')).toBe('200000');
    }
    const self = await api.get(SELF);
    const scopes = product === 'weh' ? SCOPE_NAMES : [];
    expect([self.status, self.body]).toEqual([
      200,
      { product, label: 'test', account_id: accountId, tier: 'team', scopes, expires_at: null },
    ]);
    // Each request is a call, and each event of the batch; those of another product are not counted.
    const counted = REQUESTS.filter(({ isWebhooks }) => !isWebhooks).length + 1;
    const calls = product === 'weh' ? REQUESTS.length - 1 + BATCHED_EVENTS + 1 : counted;
    expect(self.headers.get('X-Quota-Used')).toBe(String(calls));
  });

  it.each(['/api/v1/webhooks', '/api/v1/webhooks/', '/api/v1/webhooks/nothing', '/api/v1/webhooks/endpoints/ep_x'])(
    '403 on %s for a key of another product, whether or not the path exists',
    async (path) => {
      const { key } = await stack.account({ product: 'sec' });
      for (const method of ['GET', 'POST', 'DELETE', 'PATCH', 'PUT', 'OPTIONS', 'HEAD']) {
        expect((await apiClient(stack.url, key).call(method, path)).status).toBe(403);
      }
    },
  );

  it.each([
    '/api/v1/webhooksx/endpoints',
    '/api/v1/%77ebhooks/endpoints',
    '/api/v1//webhooks/endpoints',
    '/api/v1/webhooks%2Fendpoints',
    '/api/v1/Webhooks/endpoints',
  ])("a key of another product can't get around the 403 with %s", async (path) => {
    const { key } = await stack.account({ product: 'sec' });
    expect((await apiClient(stack.url, key).get(path)).status).toBe(404);
  });
});

describe('failed authentications', () => {
  const limited = async (env: Record<string, string>, work: (stack: Stack) => Promise<void>): Promise<void> => {
    const own = await buildStack({ role: 'api', env: { AUTH_FAILURES_PER_MINUTE: '5', ...env } });
    try {
      await work(own);
    } finally {
      await own.close();
    }
  };

  it('429 after too many from one address; valid keys are unaffected', async () => {
    await limited({}, async ({ url, account }) => {
      const { key } = await account();
      for (let count = 1; count <= 5; count += 1) {
        const answer = await apiClient(url, count % 2 ? unknownKey() : undefined).get(ENDPOINTS);
        expect([answer.status, answer.headers.get('X-RateLimit-Remaining')]).toEqual([401, String(5 - count)]);
        expect(answer.headers.get('X-RateLimit-Limit')).toBe('5');
      }
      for (const bad of [undefined, 'nonsense', unknownKey(), unknownKey('xyz')]) {
        const answer = await apiClient(url, bad).get(ENDPOINTS);
        expect([answer.status, answer.body]).toEqual([
          429,
          {
            error: expect.stringMatching(/^More than 5 calls without a valid API key came from this address/),
            code: 'rate_limit_exceeded',
            retry_after: expect.any(Number),
            remaining: 0,
            request_id: expect.any(String),
          },
        ]);
        expect(answer.headers.get('Retry-After')).toBe(String(answer.body.retry_after));
        expect(answer.body.retry_after).toBeLessThanOrEqual(60);
      }
      for (let count = 0; count < 10; count += 1) expect((await apiClient(url, key).get(ENDPOINTS)).status).toBe(200);
    });
  });

  it('X-Forwarded-For has no effect without trusted proxies', async () => {
    await limited({}, async ({ url }) => {
      const statuses: number[] = [];
      for (let count = 0; count < 7; count += 1) {
        statuses.push((await apiClient(url).get(SELF, { 'X-Forwarded-For': `203.0.113.${count}` })).status);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    });
  });

  it('behind trusted proxies the rightmost untrusted address counts, whatever the client put left of it', async () => {
    await limited({ TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8' }, async ({ url }) => {
      const statusFrom = async (forwarded: string): Promise<number> =>
        (await apiClient(url).get(SELF, { 'X-Forwarded-For': forwarded })).status;
      for (let count = 0; count < 5; count += 1) {
        expect(await statusFrom(`203.0.113.${count}, 198.51.100.7, 10.0.0.${count}`)).toBe(401);
      }
      // A client that forges the left part, one that comes through another proxy, and another client.
      expect(await statusFrom('192.0.2.99, 198.51.100.7')).toBe(429);
      expect(await statusFrom('198.51.100.7, 10.9.9.9, 127.0.0.1')).toBe(429);
      expect(await statusFrom('198.51.100.7, 198.51.100.8')).toBe(401);
    });
  });
});
