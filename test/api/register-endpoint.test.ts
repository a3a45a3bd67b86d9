import { randomBytes } from 'node:crypto';
import { expectError } from '../support/api-client';
import { countStored } from '../support/build-api';
import { buildCaller, takeEndpointPlaces, useCaller } from '../support/build-caller';
import { NOT_PLAIN } from '../../src/domain/plain-text';
import { useStack } from '../support/build-stack';

const PATH = '/api/v1/webhooks/endpoints';
const URL = 'https://example.com/hook';

// The rules for destinations of a real installation.
const env = { DELIVERY_ALLOW_HTTP: '', DELIVERY_ALLOW_CIDRS: '', DELIVERY_ALLOW_PORTS: '' };
const stack = useStack({ role: 'api', env });
const api = useCaller(stack);

async function expectRefused(body: unknown, status: number, expected: object): Promise<void> {
  const before = await countStored(stack.mongo);
  const answer = await api.post(PATH, body);
  expectError(answer, status, expected);
  expect(await countStored(stack.mongo)).toEqual(before);
}

describe('POST /api/v1/webhooks/endpoints', () => {
  it('201 with the endpoint, its secret and its location', async () => {
    const sent = { url: URL, events: ['order.*', 'invoice.paid', '*'], description: 'Order service' };
    const { status, body, headers } = await api.post(PATH, sent);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...sent,
      id: expect.stringMatching(/^ep_[0-9a-z]{26}$/),
      external_id: null,
      metadata: {},
      status: 'active',
      backlog: null,
      options: {
        retry_schedule: null,
        retry_jitter: null,
        max_per_second: null,
        ordered: false,
        disable_on_gone: false,
        honor_retry_after: false,
        send_traceparent: false,
        headers: null,
        authentication: null,
        filter: null,
        body: null,
        include: null,
        exclude: null,
      },
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32,44}={0,2}$/),
      secret_since: body.created_at,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(headers.get('Location')).toBe(`${PATH}/${body.id}`);
    expect(headers.get('Cache-Control')).toBe('no-store');
    const secretBytes = Buffer.from(body.secret.slice('whsec_'.length), 'base64').length;
    expect(secretBytes).toBeGreaterThanOrEqual(24);
    expect(secretBytes).toBeLessThanOrEqual(33);
  });

  it('201 for all events without a description, when only a URL is sent', async () => {
    const { status, body } = await api.post(PATH, { url: URL });
    expect(status).toBe(201);
    expect(body).toMatchObject({ url: URL, events: ['*'], description: '' });
  });

  it('201 with metadata, which every read shows and a PATCH replaces', async () => {
    const sent = JSON.parse('{"__proto__":"x","constructor":"y"}') as Record<string, string>;
    Object.assign(sent, { tenant: 'acme', 'a.b': '$x', $set: '', ['n'.repeat(40)]: 'v'.repeat(500) });

    const { status, body } = await api.post(PATH, { url: URL, metadata: sent });

    expect([status, JSON.stringify(body.metadata)]).toEqual([201, JSON.stringify(sent)]);
    expect(JSON.stringify((await api.get(`${PATH}/${body.id}`)).body.metadata)).toBe(JSON.stringify(sent));
    const path = `${PATH}/${body.id}`;
    expect((await api.patch(path, { description: 'x' })).body.metadata).toMatchObject({ tenant: 'acme' });
    expect((await api.patch(path, { metadata: { n: '1' } })).body.metadata).toEqual({ n: '1' });
    expect((await api.patch(path, { metadata: {} })).body.metadata).toEqual({});
  });

  it.each<[what: string, metadata: unknown, path: string]>([
    ['51 members', Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`n${at}`, ''])), 'metadata'],
    ['a list', [], 'metadata'],
    ['null', null, 'metadata'],
    ['a number as value', { n: 1 }, 'metadata.n'],
    ['a value that is too long', { n: 'x'.repeat(501) }, 'metadata.n'],
    ['a name that is too long', { ['n'.repeat(41)]: '' }, `metadata.${'n'.repeat(41)}`],
    ['half a surrogate pair', { n: '\ud800' }, 'metadata.n'],
  ])('400 for metadata: %s', (_what, metadata, path) =>
    expectRefused({ url: URL, metadata }, 400, { details: [{ path, message: expect.any(String) }] }),
  );

  it.each([24, 32, 64])("201 with the caller's own secret of %i bytes", async (length) => {
    const secret = `whsec_${randomBytes(length).toString('base64')}`;

    const { status, body } = await api.post(PATH, { url: URL, secret });

    expect([status, body.secret]).toEqual([201, secret]);
    expect((await api.get(`${PATH}/${body.id}/secret`)).body.secret).toBe(secret);
    const stored = await stack.mongo.db.collection('endpoints').find().toArray();
    expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it.each([
    ['23 bytes', `whsec_${Buffer.alloc(23, 'x').toString('base64')}`],
    ['65 bytes', `whsec_${Buffer.alloc(65, 'x').toString('base64')}`],
    ['no prefix', Buffer.alloc(32, 'x').toString('base64')],
    ['no padding', `whsec_${Buffer.alloc(32, 'x').toString('base64').replace('=', '')}`],
    ['base64url', `whsec_${'-_'.repeat(16)}`],
    ['trailing characters', `whsec_${Buffer.alloc(24, 'x').toString('base64')}\n`],
    ['nothing', ''],
  ])('400 for a secret of %s, which the error does not repeat', async (_what, secret) => {
    const answer = await api.post(PATH, { url: URL, secret });

    const message = 'must be "whsec_" and 24 to 64 bytes in base64';
    expect([answer.status, answer.body.details]).toEqual([400, [{ path: 'secret', message }]]);
    if (secret !== '') expect(answer.text).not.toContain(secret.trim().slice(0, 20));
  });

  it.each([
    [undefined, 'active'],
    [true, 'active'],
    [false, 'paused'],
  ])('201 with enabled %s starts as %s', async (enabled, status) => {
    const { body } = await api.post(PATH, { url: URL, enabled });
    expect(body.status).toBe(status);
    expect((await api.post(`${PATH}/${body.id}/resume`)).body.status).toBe('active');
  });

  it('201 with a new secret each time; secrets are sealed in the database', async () => {
    const [one, other] = [await api.post(PATH, { url: URL }), await api.post(PATH, { url: URL })];
    expect(one.body.secret).not.toBe(other.body.secret);
    const stored = await stack.mongo.db.collection('endpoints').find().toArray();
    const text = JSON.stringify(stored);
    expect(text).toContain(one.body.id);
    for (const { body } of [one, other]) {
      expect(text).not.toContain(body.secret);
      expect(text).not.toContain(body.secret.slice('whsec_'.length));
    }
  });

  it.each([
    ['https://example.com/', 'https://example.com/'],
    ['https://example.com:443/a?b=c&d=%20', 'https://example.com/a?b=c&d=%20'],
    ['HTTPS://EXAMPLE.COM/Hook', 'https://example.com/Hook'],
    ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
    ['https://[2606:2800:220:1:0:0:25c8:1946]/hook', 'https://[2606:2800:220:1::25c8:1946]/hook'],
  ])('201 for the URL %s, which is stored and shown as it will be requested', async (url, stored) => {
    const { status, body } = await api.post(PATH, { url });
    expect([status, body.url]).toEqual([201, stored]);
    const changed = await api.call('PATCH', `${PATH}/${body.id}`, { url: `${url}?` });
    expect([changed.status, changed.body.url]).toEqual([200, `${stored}?`]);
  });

  it.each(['not a url', ' https://example.com/', `https://example.com/${'a'.repeat(2_030)}`])(
    '400 for the URL %j',
    (url) =>
      expectRefused({ url }, 400, { code: 'invalid_request', details: [expect.objectContaining({ path: 'url' })] }),
  );

  it.each([
    ['ftp://x.example/', 'unsupported_url_scheme'],
    ['https://user:pass@x.example/', 'url_has_credentials'],
    ['https://x.example/#part', 'url_has_fragment'],
    ['https://x.example:22/', 'refused_port'],
    ['https://127.0.0.1/', 'non_public_host'],
    ['https://localhost/', 'non_public_host'],
    ['https://169.254.169.254/latest/meta-data/', 'non_public_host'],
    ['https://metadata.google.internal/', 'non_public_host'],
    ['https://[::ffff:127.0.0.1]/', 'non_public_host'],
  ])('422 for the URL %s', (url, code) =>
    expectRefused({ url }, 422, { code, details: [expect.objectContaining({ path: 'url' })] }),
  );

  it.each<[what: string, body: object, path: string, message?: string]>([
    ['no url', {}, 'url', 'is required'],
    ['a null url', { url: null }, 'url', 'must be a string'],
    ['events that are not an array', { url: URL, events: '*' }, 'events', 'must be an array'],
    ['no events at all', { url: URL, events: [] }, 'events'],
    ['51 patterns', { url: URL, events: Array.from({ length: 51 }, (_, index) => `a.${index}`) }, 'events'],
    ['a pattern that is not a string', { url: URL, events: ['a', 1] }, 'events[1]', 'must be a string'],
    ['a null description', { url: URL, description: null }, 'description', 'must be a string'],
    ['a description of 501 characters', { url: URL, description: 'x'.repeat(501) }, 'description'],
    ['half a surrogate pair', { url: URL, description: '\ud800' }, 'description'],
    ['a description that a terminal obeys', { url: URL, description: 'a\u001b[2J' }, 'description', NOT_PLAIN],
    ['a description that turns around', { url: URL, description: 'a\u202eb' }, 'description', NOT_PLAIN],
    ['metadata that turns around', { url: URL, metadata: { a: 'a\u202eb' } }, 'metadata.a', NOT_PLAIN],
  ])('400 for %s', (_what, body, path, ...[message]) =>
    expectRefused(body, 400, {
      code: 'invalid_request',
      details: [{ path, message: message ?? expect.any(String) }],
    }),
  );

  it.each(['', '*.created', 'ä', 'a'.repeat(129)])('400 for the pattern %j', (pattern) =>
    expectRefused({ url: URL, events: ['*', pattern] }, 400, {
      details: [expect.objectContaining({ path: 'events[1]' })],
    }),
  );

  it('201 at the limits: 50 patterns, 500 characters of any Unicode plane', async () => {
    const events = Array.from({ length: 50 }, (_, index) => `a.${index}`);
    for (const character of ['x', 'ä', '😀']) {
      const description = character.repeat(500);
      const { status, body } = await api.post(PATH, { url: URL, events, description });
      expect([status, body.events, body.description]).toEqual([201, events, description]);
    }
  });

  it('400 with an Idempotency-Key, which is for events: a repeated call would register a second endpoint', async () => {
    const before = await countStored(stack.mongo);
    const answer = await api.post(PATH, { url: URL }, { 'Idempotency-Key': 'once' });
    expectError(answer, 400, {
      code: 'invalid_request',
      details: [{ path: 'Idempotency-Key', message: expect.stringContaining('use PUT with an "external_id"') }],
    });
    expect(await countStored(stack.mongo)).toEqual(before);
  });

  it('409 for the 101st endpoint, also when registered concurrently', async () => {
    const full = await buildCaller(stack);
    await full.register({ url: URL });
    await takeEndpointPlaces(stack, full.accountId, 94);

    const answers = await Promise.all(Array.from({ length: 12 }, () => full.post(PATH, { url: URL })));

    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(7);
    for (const answer of refused) {
      expectError(answer, 409, { code: 'endpoint_limit_reached', error: expect.stringContaining('100') });
    }
    const stored = await stack.mongo.db.collection('endpoints').countDocuments({ account_id: full.accountId });
    expect(stored).toBe(100);
  });
});

describe('GET /api/v1/webhooks/endpoints', () => {
  const list = useCaller(stack);
  const ids: string[] = [];

  beforeAll(async () => {
    for (let count = 0; count < 7; count += 1) ids.unshift((await list.register({ url: `${URL}/${count}` })).id);
  });

  const idsOf = (body: { endpoints: { id: string }[] }): string[] => body.endpoints.map(({ id }) => id);

  it('200 with all endpoints, newest first, without a secret', async () => {
    const { status, body, text } = await list.get(PATH);
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual(ids);
    expect(body.next_cursor).toBeNull();
    expect(text).not.toContain('whsec_');
    expect(text).not.toContain('"secret"');
  });

  it('200 with an empty list for an account without endpoints', async () => {
    const { status, body } = await (await buildCaller(stack)).get(PATH);
    expect([status, body]).toEqual([200, { endpoints: [], next_cursor: null }]);
  });

  it.each([1, 3, 7, 100])('200 with pages of %i that together are the whole list', async (limit) => {
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const { body } = await list.get(`${PATH}?limit=${limit}${next}`);
      expect(body.endpoints.length).toBeLessThanOrEqual(limit);
      seen.push(...idsOf(body));
      cursor = body.next_cursor;
      pages += 1;
    } while (cursor !== null && pages < 20);
    expect(seen).toEqual(ids);
    expect(pages).toBe(Math.ceil(7 / limit));
  });

  it('200 without repeats or gaps when an endpoint is registered between two pages', async () => {
    const own = await buildCaller(stack);
    const register = async (): Promise<string> => (await own.register({ url: URL })).id;
    const [first, second] = [await register(), await register()];
    const page = await own.get(`${PATH}?limit=1`);
    expect(idsOf(page.body)).toEqual([second]);
    await register();
    const next = await own.get(`${PATH}?limit=1&cursor=${page.body.next_cursor}`);
    expect([idsOf(next.body), next.body.next_cursor]).toEqual([[first], null]);
  });

  it("another account's cursor finds nothing of that account", async () => {
    const { body } = await list.get(`${PATH}?limit=1`);
    const other = await (await buildCaller(stack)).get(`${PATH}?cursor=${body.next_cursor}`);
    expect([other.status, other.body.endpoints]).toEqual([200, []]);
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['cursor=a&cursor=b', 'cursor'],
    [`cursor=${'a'.repeat(301)}`, 'cursor'],
    ['page=2', 'page'],
    ['__proto__=1', '__proto__'],
    ['limit[]=1', 'limit[]'],
  ])('400 for ?%s', async (query, path) => {
    const details = [expect.objectContaining({ path })];
    expectError(await list.get(`${PATH}?${query}`), 400, { code: 'invalid_request', details });
  });
});
