import { textRows } from '../support/estimator-exact';
import { apiClient, untilStatus, type ApiAnswer } from '../support/api-client';
import { useStack } from '../support/build-stack';

const PATH = '/api/cost-estimator';
const FIELDS = ['provider', 'category', 'service', 'instance', 'specs', 'priceUnit', 'priceUsd', 'region'];
const rows = textRows();

const stack = useStack({ role: 'api', env: { ESTIMATOR_PER_MINUTE: '100000' } });
let client: ReturnType<typeof apiClient>;

beforeAll(async () => {
  client = apiClient(stack.url);
  await untilStatus(() => client.get(PATH), 200);
});

const namesOf = ({ body }: ApiAnswer): string[] =>
  body.services.map((entry: Record<string, string>) => `${entry['provider']} ${entry['service']} ${entry['instance']}`);

describe('GET /api/cost-estimator', () => {
  it('returns all 216 entries with the eight public fields, in the order of the catalog', async () => {
    const { status, body, headers } = await client.get(PATH);
    expect([status, Object.keys(body), body.count]).toEqual([200, ['count', 'services'], 216]);
    expect(headers.get('Content-Type')).toBe('application/json; charset=utf-8');
    for (const entry of body.services) expect(Object.keys(entry)).toEqual(FIELDS);
    expect(body.services).toEqual(
      rows.map(({ source: _s, sourceDate: _d, note: _n, grade: _g, ...row }) => ({
        ...row,
        priceUsd: Number(row.priceUsd),
      })),
    );
  });

  it.each(['aws', 'azure', 'gcp'])('provider=%s', async (provider) => {
    const answer = await client.get(`${PATH}?provider=${provider}`);
    const expected = rows.filter((row) => row.provider === provider);
    expect([answer.body.count, namesOf(answer)]).toEqual([
      expected.length,
      expected.map((row) => `${row.provider} ${row.service} ${row.instance}`),
    ]);
    const alias = { aws: 'cloud_a', azure: 'cloud_b', gcp: 'cloud_c' }[provider];
    expect((await client.get(`${PATH}?provider=${alias}`)).text).toBe(answer.text);
    expect((await client.get(`${PATH}?provider=${provider.toUpperCase()}`)).text).toBe(answer.text);
  });

  it('both filters combine', async () => {
    for (const category of new Set(rows.map((row) => row.category))) {
      const one = await client.get(`${PATH}?category=${category}`);
      expect(one.body.count).toBe(rows.filter((row) => row.category === category).length);
      const both = await client.get(`${PATH}?category=${category}&provider=gcp`);
      expect(both.body.services).toEqual(
        one.body.services.filter((entry: { provider: string }) => entry.provider === 'gcp'),
      );
      expect(both.body.count).toBeGreaterThan(0);
    }
  });

  it.each([
    ['provider=ibm', 'provider', 'must be one of aws, azure, gcp (or cloud_a, cloud_b, cloud_c)'],
    ['provider=', 'provider', 'must be one of aws, azure, gcp (or cloud_a, cloud_b, cloud_c)'],
    ['provider=aws&provider=gcp', 'provider', 'must be there once'],
    ['provider=__proto__', 'provider', 'must be one of aws, azure, gcp (or cloud_a, cloud_b, cloud_c)'],
    [
      'category=AI',
      'category',
      'must be one of compute, storage, database, networking, containers, serverless, monitoring, messaging, cdn, security, cache, ai_ml',
    ],
    ['catagory=cdn', 'catagory', 'is not a known parameter'],
  ])('?%s is refused, and says why', async (query, path, message) => {
    const { status, body, headers } = await client.get(`${PATH}?${query}`);
    expect([status, body]).toEqual([
      400,
      {
        error: `"${path}" ${message}.`,
        code: 'invalid_request',
        request_id: headers.get('X-Request-Id'),
        details: [{ path, message }],
      },
    ]);
  });

  it('all wrong parameters are named at once', async () => {
    const { body } = await client.get(`${PATH}?provider=x&category=y&z=1`);
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['provider', 'category', 'z']);
  });
});

describe('caching', () => {
  it('304 without a body for the ETag of the previous answer, and for no other', async () => {
    const first = await client.get(PATH);
    const etag = first.headers.get('ETag')!;
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers.get('Cache-Control')).toBe('private, max-age=60');
    expect(first.headers.get('Vary')).toBe('X-Api-Key');
    for (const header of [etag, `"x", ${etag}`, `W/${etag}`, '*']) {
      const again = await client.get(PATH, { 'If-None-Match': header });
      expect([again.status, again.text, again.headers.get('ETag')]).toEqual([304, '', etag]);
      expect(again.headers.get('Cache-Control')).toBe('private, max-age=60');
      expect(again.headers.get('X-RateLimit-Limit')).toBe('100000');
    }
    const other = await client.get(PATH, { 'If-None-Match': '"x"' });
    expect([other.status, other.text]).toEqual([200, first.text]);
  });

  it('each combination of filters has its own stable ETag', async () => {
    const queries = ['', '?provider=aws', '?category=cdn', '?provider=aws&category=cdn'];
    const tags = await Promise.all(
      queries.map(async (query) => (await client.get(`${PATH}${query}`)).headers.get('ETag')),
    );
    expect(new Set(tags).size).toBe(queries.length);
    expect((await client.get(`${PATH}?category=cdn&provider=cloud_a`)).headers.get('ETag')).toBe(tags[3]);
  });

  it('HEAD has the headers of GET', async () => {
    const get = await client.get(PATH);
    const head = await client.call('HEAD', PATH);
    expect([head.status, head.text]).toEqual([200, '']);
    for (const name of ['ETag', 'Content-Length', 'Content-Type', 'Cache-Control']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
  });

  it('errors are not cacheable', async () => {
    const { headers } = await client.get(`${PATH}?provider=x`);
    expect([headers.get('ETag'), headers.get('Cache-Control')]).toEqual([null, null]);
  });
});

describe('other paths and other methods', () => {
  it.each(['PUT', 'PATCH', 'DELETE'])('%s is 405, with limit headers', async (method) => {
    const { status, body, headers } = await client.call(method, PATH);
    expect([status, body.code, headers.get('Allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD, POST']);
    expect(headers.get('X-RateLimit-Limit')).toBe('100000');
  });

  it.each([`${PATH}/x`, `${PATH}/x/y?provider=aws`])('%s is 404, with limit headers', async (path) => {
    const { status, body, headers } = await client.get(path);
    expect([status, body.code, headers.get('X-RateLimit-Limit')]).toEqual([404, 'not_found', '100000']);
  });

  it('a path that only starts with the same letters is not the estimator', async () => {
    const { status, body } = await client.get(`${PATH}s`);
    expect([status, body.code]).toEqual([404, 'not_found']);
  });
});
