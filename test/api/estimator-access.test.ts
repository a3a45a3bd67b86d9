import { randomBytes } from 'node:crypto';
import { PRODUCT_PREFIXES } from '../../src/domain/api-key';
import { createUsageStore } from '../../src/keys/usage-store';
import { apiClient, expectError, untilStatus, type ApiAnswer } from '../support/api-client';
import { buildApi, useApi } from '../support/build-api';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const PATH = '/api/cost-estimator';
const SELF = '/api/v1/keys/self';
const BODY = { items: [{ provider: 'aws', service: 'EC2', quantity: 1 }] };
const PROXY = '203.0.113.7';

// Every test has its own client address, through a trusted proxy.
const stack = useStack({ role: 'api', env: { TRUSTED_PROXIES: '127.0.0.0/8' } });
const second = useApi(stack);
let client: ReturnType<typeof apiClient>;

beforeAll(async () => {
  client = apiClient(stack.url);
  for (const { url } of [stack, second]) await untilStatus(() => apiClient(url).get(PATH, from(PROXY)), 200);
});

const from = (address: string): Record<string, string> => ({ 'X-Forwarded-For': address });
let hosts = 0;
const newAddress = (): string => `198.51.100.${(hosts += 1)}`;
const limitsOf = ({ headers }: ApiAnswer): (string | null)[] =>
  ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-Quota-Used', 'X-Quota-Limit'].map((name) => headers.get(name));
const call = (key: string | undefined, address: string, body?: object): Promise<ApiAnswer> => {
  const headers = { ...from(address), ...(key !== undefined && { 'X-Api-Key': key }) };
  return body ? client.post(PATH, body, headers) : client.get(PATH, headers);
};

describe('without a key', () => {
  it('60 calls of any kind a minute from one address, then 429 with the body that the specification gives', async () => {
    const address = newAddress();
    const kinds = [
      () => call(undefined, address),
      () => call(undefined, address, BODY),
      () => call(undefined, address, { items: [] }),
      () => client.call('DELETE', PATH, undefined, from(address)),
      () => client.get(`${PATH}/x`, from(address)),
      () => client.get(PATH, { ...from(address), 'If-None-Match': '*' }),
    ];
    const statuses = [];
    for (let count = 0; count < 60; count += 1) {
      const answer = await kinds[count % kinds.length]!();
      statuses.push(answer.status);
      expect(limitsOf(answer)).toEqual(['60', String(59 - count), '0', 'unlimited']);
    }
    expect(statuses).toEqual(Array.from({ length: 10 }, () => [200, 200, 400, 405, 404, 304]).flat());
    for (const kind of kinds) {
      const answer = await kind();
      const retryAfter = Number(answer.headers.get('Retry-After'));
      expect([answer.status, answer.body]).toEqual([
        429,
        {
          error: expect.stringMatching(/^More than 60 calls in a minute\. Wait \d+ s/),
          code: 'rate_limit_exceeded',
          retry_after: retryAfter,
          remaining: 0,
          request_id: answer.headers.get('X-Request-Id'),
        },
      ]);
      expect(retryAfter).toBeGreaterThanOrEqual(1);
      expect(retryAfter).toBeLessThanOrEqual(60);
      expect(limitsOf(answer)).toEqual(['60', '0', '0', 'unlimited']);
    }
    expect((await call(undefined, newAddress())).status).toBe(200);
  });

  it("an IPv6 client counts as its /64; addresses further left in X-Forwarded-For don't change that", async () => {
    const left = async (forwarded: string): Promise<string | null> =>
      (await client.get(PATH, from(forwarded))).headers.get('X-RateLimit-Remaining');
    expect([
      await left('2001:db8:1:2::1'),
      await left('2001:db8:1:2:ffff::9'),
      await left('1.2.3.4, 2001:db8:1:2::5'),
      await left('2001:db8:1:3::1'),
    ]).toEqual(['59', '58', '57', '59']);
  });

  it('ignores a key in the Authorization header, because the estimator reads x-api-key', async () => {
    const answer = await client.get(PATH, { ...from(newAddress()), Authorization: 'Bearer nonsense' });
    expect([answer.status, limitsOf(answer)[0]]).toEqual([200, '60']);
  });
});

describe('from a page of another origin', () => {
  const origin = { Origin: 'https://shop.example' };

  it("a preflight request is allowed, and doesn't count as a call", async () => {
    const address = newAddress();
    for (const method of ['GET', 'POST']) {
      const asked = { 'Access-Control-Request-Method': method, 'Access-Control-Request-Headers': 'content-type' };
      const preflight = { ...from(address), ...origin, ...asked };
      const answer = await fetch(`${stack.url}${PATH}`, { method: 'OPTIONS', headers: preflight });
      expect(answer.status).toBe(204);
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(answer.headers.get('Access-Control-Allow-Methods')).toContain(method);
      expect(answer.headers.get('Access-Control-Allow-Headers')).toMatch(/Content-Type.*X-Api-Key/);
    }
    expect(limitsOf(await call(undefined, address))).toEqual(['60', '59', '0', 'unlimited']);
  });

  it('every answer can be read, errors too', async () => {
    const headers = { ...from(newAddress()), ...origin };
    const answers = [
      await client.get(PATH, headers),
      await client.post(PATH, BODY, headers),
      await client.post(PATH, {}, headers),
      await client.get(`${PATH}?foo=1`, headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 400]);
    for (const answer of answers) {
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(answer.headers.get('Access-Control-Expose-Headers')).toContain('X-RateLimit-Remaining');
    }
  });

  it('the API with keys stays closed to other origins', async () => {
    const { headers } = await client.get(SELF, origin);
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
  });
});

describe('with x-api-key', () => {
  it.each(PRODUCT_PREFIXES)("a key of %s has its account's limit and no quota", async (product) => {
    const { key } = await stack.account({ tier: 'developer', product });
    expect(limitsOf(await call(key, newAddress()))).toEqual(['60', '59', '1', 'unlimited']);
    expect(limitsOf(await call(key, newAddress(), BODY))).toEqual(['60', '58', '2', 'unlimited']);
  });

  it('all keys and addresses of an account share one window, then 429', async () => {
    const { key } = await stack.account({ tier: 'free' });
    const answers = await Promise.all(Array.from({ length: 25 }, () => call(key, newAddress(), BODY)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(15);
    for (const answer of refused) {
      expect(answer.body).toMatchObject({ code: 'rate_limit_exceeded', remaining: 0 });
      expect(answer.headers.get('Retry-After')).toBe(String(answer.body.retry_after));
    }
  });

  it('its limit is separate from those of the other APIs', async () => {
    const { key } = await stack.account({ tier: 'free' });
    const other = apiClient(stack.url, key);
    for (let count = 0; count < 11; count += 1) await call(key, newAddress());
    expect((await call(key, newAddress())).status).toBe(429);
    expect(limitsOf(await other.get(SELF))).toEqual(['10', '9', '1', '500']);
  });

  it('counts exactly across processes', async () => {
    const { key } = await stack.account({ tier: 'developer' });
    const urls = [stack.url, second.url];

    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, index) => apiClient(urls[index % 2]!).post(PATH, BODY, { 'X-Api-Key': key })),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
  });

  it.each<[what: string, key: () => Promise<string> | string, code: string]>([
    ['unknown', () => `svc_live_api_${randomBytes(16).toString('hex')}`, 'invalid_api_key'],
    ['malformed', () => 'nonsense', 'malformed_api_key'],
    ['empty', () => '', 'malformed_api_key'],
    ['Bearer', async () => `Bearer ${(await stack.account()).key}`, 'malformed_api_key'],
    [
      'revoked',
      async () => {
        const { key, keyId } = await stack.account();
        await stack.mongo.db
          .collection<{ _id: string }>('api_keys')
          .updateOne({ _id: keyId }, { $set: { revoked_at: new Date() } });
        return key;
      },
      'invalid_api_key',
    ],
    [
      'of an account that is gone',
      async () => {
        const { key, accountId } = await stack.account();
        await stack.mongo.db.collection<{ _id: string }>('accounts').deleteOne({ _id: accountId });
        return key;
      },
      'invalid_api_key',
    ],
  ])('401 with limit headers for a key that is %s', async (_what, makeKey, code) => {
    const key = await makeKey();
    for (const body of [undefined, BODY]) {
      const answer = await call(key, newAddress(), body);
      expectError(answer, 401, code);
      expect(limitsOf(answer)).toEqual(['600', '599', '0', '0']);
      expect(answer.text).not.toContain(key === '' ? '\0' : key);
    }
  });

  it('guessing keys leads to 429', async () => {
    const limited = await buildApi(stack.config, {
      limits: { ...stack.config.limits, authFailuresPerMinute: 3, trustedProxies: [] },
    });
    const key = () => `svc_live_weh_${randomBytes(16).toString('hex')}`;

    const statuses = [];
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await apiClient(limited.url).get(PATH, { 'X-Api-Key': key() })).status);
    }
    await limited.close();

    expect(statuses).toEqual([401, 401, 401, 429]);
  });
});

describe('usage', () => {
  const usageOf = async (accountId: string) =>
    (await createUsageStore(stack.mongo.db).list(accountId, '2026-01-01')).records;

  it('is counted by day, key and operation, whatever the answer, except for calls that a limit refused', async () => {
    const { key, keyId, accountId } = await stack.account({ tier: 'developer', product: 'dep' });
    const address = newAddress();
    for (let count = 0; count < 2; count += 1) await call(key, address);
    await client.get(`${PATH}/`, { ...from(address), 'X-Api-Key': key });
    await client.get(PATH, { ...from(address), 'X-Api-Key': key, 'If-None-Match': '*' });
    await call(key, address, BODY);
    await call(key, address, { items: [] });
    await client.get(`${PATH}/x`, { ...from(address), 'X-Api-Key': key });
    const day = new Date().toISOString().slice(0, 10);
    const common = { account_id: accountId, day, key_id: keyId, product: 'dep' };
    const used = await eventually(
      () => usageOf(accountId),
      // They are noted some at a time.
      (records) => records.reduce((sum, { calls }) => sum + calls, 0) === 6,
    );
    expect(used).toEqual([
      { ...common, operation: 'estimateCost', calls: 2 },
      { ...common, operation: 'getCatalog', calls: 4 },
    ]);

    await Promise.all(Array.from({ length: 100 }, () => call(key, address)));
    await eventually(
      () => usageOf(accountId),
      // 7 of the 60 were used above.
      ([, catalog]) => catalog?.calls === 4 + 53,
    );
  });

  it('expires through an index', async () => {
    const indexes = await stack.mongo.db.collection('usage').indexes();
    expect(indexes).toContainEqual(expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }));
  });
});
