import type { Endpoint } from '../../src/stores/endpoint-store';
import { expectError } from '../support/api-client';
import { countStored } from '../support/build-api';
import { buildCaller, takeEndpointPlaces, useCaller } from '../support/build-caller';
import { useStack } from '../support/build-stack';

const PATH = '/api/v1/webhooks/endpoints';
const URL = 'https://example.com/hook';
const UNKNOWN = `${PATH}/ep_${'0'.repeat(26)}`;

const ALL_OFF = {
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
};
const ALL_ON = {
  retry_schedule: [0.5, 1, 60, 604_800],
  retry_jitter: 0,
  max_per_second: 0.1,
  ordered: true,
  disable_on_gone: true,
  honor_retry_after: true,
  send_traceparent: true,
  headers: { 'X-Tenant': 'blue', traceparent: '00-1-1-01' },
  authentication: { type: 'basic', username: 'everpost', password: 'pass:wörd' },
  filter: { total: { $gte: 100 }, 'customer.country': { $in: ['DE'] } },
  body: 'standard',
  include: null,
  exclude: ['customer.email', '$set', '__proto__.a'],
};
const ALL_ON_SHOWN = {
  ...ALL_ON,
  headers: { 'X-Tenant': '[hidden]', traceparent: '[hidden]' },
  authentication: { type: 'basic', username: 'everpost' },
};

// The rules for destinations of a real installation.
const env = { DELIVERY_ALLOW_HTTP: '', DELIVERY_ALLOW_CIDRS: '', DELIVERY_ALLOW_PORTS: '' };
const stack = useStack({ role: 'api', env });
const api = useCaller(stack);
const stranger = useCaller(stack);

/** An endpoint without its health, which only reading it shows. */
async function read(path: string): Promise<object> {
  const { health: _, ...endpoint } = (await api.get(path)).body;
  return endpoint as object;
}

async function register(body: object = {}): Promise<{ id: string; path: string; body: Record<string, unknown> }> {
  const { secret: _, ...shown } = await api.register({
    url: URL,
    events: ['order.*'],
    description: 'Orders',
    ...body,
  });
  return { id: shown.id, path: `${PATH}/${shown.id}`, body: shown };
}

describe('all problems are named at once', () => {
  it.each([
    ['ftp://example.com/', 'The URL must begin with https://; ftp: is not supported.'],
    ['not a url', expect.stringContaining('must not contain spaces')],
    ['https://127.0.0.1/', expect.stringContaining('not on the public Internet')],
  ])('the URL %s together with other bad fields', async (url, message) => {
    const endpoint = await api.register({ url: 'https://example.com/' });
    const sent = { url, events: [], typo: 1 };

    const created = await api.post(PATH, sent);
    const changed = await api.patch(`${PATH}/${endpoint.id}`, sent);

    for (const [answer, whenLeftOut] of [
      [created, 'leave it out for all events'],
      [changed, 'leave it out to keep the ones there are'],
    ] as const) {
      expectError(answer, 400, {
        code: 'invalid_request',
        details: [
          { path: 'events', message: `must hold at least one pattern; ${whenLeftOut}` },
          { path: 'typo', message: 'is not a known field' },
          { path: 'url', message },
        ],
      });
    }
  });
});

describe('GET /api/v1/webhooks/endpoints/{endpoint_id}', () => {
  it('200 with the endpoint as registered, all options off, without its secret', async () => {
    const { path, body } = await register();
    const answer = await api.get(path);
    expect([answer.status, answer.body]).toEqual([
      200,
      { ...body, health: expect.objectContaining({ state: 'waiting' }) },
    ]);
    expect(answer.body.options).toEqual(ALL_OFF);
    expect(answer.text).not.toContain('whsec_');
  });

  it('200 for an endpoint that an earlier version stored without options', async () => {
    const { id, path, body } = await register();
    await stack.mongo.db
      .collection<{ _id: string }>('endpoints')
      .updateOne({ _id: id }, { $unset: { options: '', version: '' } });
    expect(await read(path)).toEqual(body);
    expect((await api.patch(path, { description: 'x' })).body).toMatchObject({ description: 'x', options: ALL_OFF });
  });
});

describe("unknown endpoints and other accounts' endpoints answer alike", () => {
  // Each with a third element: jest would take a missing one for its own `done`.
  const calls: [method: string, suffix: string, body: object | undefined][] = [
    ['GET', '', undefined],
    ['PATCH', '', { description: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/pause', undefined],
    ['POST', '/resume', undefined],
    ['POST', '/test', undefined],
    ['GET', '/stats', undefined],
    ['GET', '/secret', undefined],
    ['POST', '/secret/rotate', undefined],
    ['POST', '/secret/activate', undefined],
  ];

  it.each(calls)('404 for %s …%s, and nothing changes', async (method, suffix, body) => {
    const { path, body: before } = await register();
    const stored = await countStored(stack.mongo);
    const answers = [
      await stranger.call(method, `${path}${suffix}`, body),
      await stranger.call(method, `${UNKNOWN}${suffix}`, body),
      await api.call(method, `${UNKNOWN}${suffix}`, body),
    ];
    for (const { status, body: error } of answers) {
      expect([status, { ...error, request_id: '' }]).toEqual([
        404,
        { error: 'There is no endpoint with this id.', code: 'endpoint_not_found', request_id: '' },
      ]);
    }
    expect(await read(path)).toEqual(before);
    expect(await countStored(stack.mongo)).toEqual(stored);
  });

  it.each(calls)('404 for %s …%s with a malformed id', async (method, suffix, body) => {
    for (const id of ['x', 'ep_', `EP_${'0'.repeat(26)}`, `ep_${'0'.repeat(27)}`, '%24ne', '__proto__']) {
      expectError(await api.call(method, `${PATH}/${id}${suffix}`, body), 404, 'endpoint_not_found');
    }
  });
});

describe('PATCH /api/v1/webhooks/endpoints/{endpoint_id}', () => {
  it('200 with the sent fields changed, the others unchanged, and a new updated_at', async () => {
    const { path, body } = await register();
    const changed = await api.patch(path, { url: `${URL}/v2`, events: ['a', 'b.*'] });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...body,
      url: `${URL}/v2`,
      events: ['a', 'b.*'],
      updated_at: expect.any(String),
    });
    expect(Date.parse(changed.body.updated_at)).toBeGreaterThan(Date.parse(String(body['updated_at'])));
    expect(await read(path)).toEqual(changed.body);
    expect((await api.patch(path, { description: '' })).body).toMatchObject({ url: `${URL}/v2`, description: '' });
  });

  it('200 without any change for an empty object', async () => {
    const { path, body } = await register();
    expect((await api.patch(path, {})).body).toEqual(body);
  });

  it.each<[what: string, body: object, status: number, code: string, at: string]>([
    ['an unknown field', { status: 'paused' }, 400, 'invalid_request', 'status'],
    ['no patterns', { events: [] }, 400, 'invalid_request', 'events'],
    ['an invalid pattern', { events: ['*', 'order*'] }, 400, 'invalid_request', 'events[1]'],
    ['a null url', { url: null }, 400, 'invalid_request', 'url'],
    ['an invalid URL', { url: 'not a url' }, 400, 'invalid_request', 'url'],
    ['an unsupported scheme', { url: 'ftp://example.com/' }, 422, 'unsupported_url_scheme', 'url'],
    ['a private host', { url: 'https://10.0.0.1/' }, 422, 'non_public_host', 'url'],
    ['null options', { options: null }, 400, 'invalid_request', 'options'],
    ['an unknown option', { options: { retries: 3 } }, 400, 'invalid_request', 'options.retries'],
  ])('refuses %s and changes nothing', async (_what, body, status, code, at) => {
    const { path, body: before } = await register();

    const answer = await api.patch(path, { description: 'changed', ...body });

    expectError(answer, status, { code, details: [{ path: at, message: expect.any(String) }] });
    expect(await read(path)).toEqual(before);
  });

  it('concurrent changes of different fields are all kept', async () => {
    const { path } = await register();
    const changes: object[] = [
      { description: 'one' },
      { events: ['two'] },
      { url: `${URL}/three` },
      ...Object.entries(ALL_ON).map(([name, value]) => ({ options: { [name]: value } })),
    ];
    const answers = await Promise.all(changes.map((change) => api.patch(path, change)));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect((await api.get(path)).body).toMatchObject({
      description: 'one',
      events: ['two'],
      url: `${URL}/three`,
      options: ALL_ON_SHOWN,
    });
  });
});

describe('options', () => {
  it('201 with every option on; reads show all but the password, which is sealed in the database', async () => {
    const { id, path, body } = await register({ options: ALL_ON });
    expect(body['options']).toEqual(ALL_ON_SHOWN);
    expect((await api.get(path)).body.options).toEqual(ALL_ON_SHOWN);
    const list = await api.get(PATH);
    expect(list.body.endpoints.find((endpoint: { id: string }) => endpoint.id === id).options).toEqual(ALL_ON_SHOWN);
    const stored = JSON.stringify(await stack.mongo.db.collection<{ _id: string }>('endpoints').findOne({ _id: id }));
    for (const secret of ['pass:wörd', 'blue', '00-1-1-01']) expect(stored).not.toContain(secret);
  });

  it('null switches one option off and leaves the others on', async () => {
    for (const name of Object.keys(ALL_ON) as (keyof typeof ALL_OFF)[]) {
      const { path } = await register({ options: ALL_ON });
      const { status, body } = await api.patch(path, { options: { [name]: null } });
      expect([status, body.options]).toEqual([200, { ...ALL_ON_SHOWN, [name]: ALL_OFF[name] }]);
    }
  });

  it('a stored password survives changes of other options, and a bearer token replaces it', async () => {
    const { id, path } = await register({ options: ALL_ON });
    const sealed = async () =>
      (await stack.mongo.db.collection<Endpoint>('endpoints').findOne({ _id: id }))!.options!.authentication;
    const before = await sealed();
    await api.patch(path, { options: { ordered: false } });
    expect(await sealed()).toEqual(before);
    const { body } = await api.patch(path, { options: { authentication: { type: 'bearer', token: 'to.k-en=' } } });
    expect(body.options.authentication).toEqual({ type: 'bearer' });
    expect(JSON.stringify(await sealed())).not.toContain('to.k-en');
  });

  const credentials = { type: 'basic', username: 'a', password: 'b' };
  const manyHeaders = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`X-${index}`, 'x']));
  const longHeaders = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`X-${index}`, 'x'.repeat(1_000)]));

  it.each<[what: string, options: object, at: string, says?: RegExp]>([
    ['a schedule that is not a list', { retry_schedule: 5 }, 'retry_schedule', /array/],
    ['an empty schedule', { retry_schedule: [] }, 'retry_schedule'],
    ['21 attempts', { retry_schedule: Array.from({ length: 21 }, () => 0) }, 'retry_schedule', /20/],
    ['a negative delay', { retry_schedule: [0, -1] }, 'retry_schedule[1]', /604800/],
    ['a delay of more than 7 days', { retry_schedule: [0, 604_801] }, 'retry_schedule[1]', /604800/],
    ['twenty zeros', { retry_schedule: Array.from({ length: 20 }, () => 0) }, 'retry_schedule[1]', /from 1 to 604800/],
    ['less than a second after a failure', { retry_schedule: [0, 1, 0.999] }, 'retry_schedule[2]', /from 1 to 604800/],
    ['a delay as text', { retry_schedule: ['5m'] }, 'retry_schedule[0]', /number/],
    [
      '31 days in all',
      { retry_schedule: [0, ...Array.from({ length: 5 }, () => 604_800)] },
      'retry_schedule',
      /30 days/,
    ],
    ['a rate of 0', { max_per_second: 0 }, 'max_per_second', /0\.1 to 1000/],
    ['a rate above 1000', { max_per_second: 1_000.5 }, 'max_per_second', /0\.1 to 1000/],
    ['"ordered" as text', { ordered: 'yes' }, 'ordered', /boolean/],
    ['headers that are not an object', { headers: ['X-A: b'] }, 'headers', /object/],
    ['no headers', { headers: {} }, 'headers', /at least one/],
    ['21 headers', { headers: manyHeaders }, 'headers', /20/],
    ['headers of 5 KB', { headers: longHeaders }, 'headers', /4096/],
    ['an invalid header name', { headers: { 'X A': 'b' } }, 'headers.X A', /RFC 9110/],
    ['a header named __proto__', JSON.parse('{"headers":{"__proto__":"x"}}') as object, 'headers.__proto__'],
    ['a value with a line break', { headers: { 'X-A': 'b\r\nHost: evil' } }, 'headers.X-A', /RFC 9110/],
    ['a value beyond ASCII', { headers: { 'X-A': 'ä' } }, 'headers.X-A', /ASCII/],
    ['a value that ends in a space', { headers: { 'X-A': 'b ' } }, 'headers.X-A'],
    ['an empty value', { headers: { 'X-A': '' } }, 'headers.X-A'],
    ['a value that is not a string', { headers: { 'X-A': 1 } }, 'headers.X-A', /string/],
    ['a header twice', { headers: { 'X-A': '1', 'x-a': '2' } }, 'headers.x-a', /more than once/],
    ...[
      'Content-Type',
      'content-length',
      'Content-Anything',
      'Host',
      'Connection',
      'Transfer-Encoding',
      'TE',
      'Trailer',
      'Upgrade',
      'Expect',
      'Keep-Alive',
      'Proxy-Authorization',
      'User-Agent',
      'X-Webhook-Signature',
      'x-webhook-anything',
      'webhook-id',
    ].map((name): [string, object, string, RegExp] => [
      `the reserved header ${name}`,
      { headers: { [name]: 'x' } },
      `headers.${name}`,
      /reserved/,
    ]),
    ['Authorization twice', { headers: { authorization: 'x' }, authentication: credentials }, 'headers.authorization'],
    ['an unknown authentication', { authentication: { type: 'digest' } }, 'authentication.type', /basic/],
    ['no password', { authentication: { type: 'basic', username: 'a' } }, 'authentication.password', /required/],
    [
      'a user name with a colon',
      { authentication: { ...credentials, username: 'a:b' } },
      'authentication.username',
      /:/,
    ],
    ['a control character', { authentication: { ...credentials, password: 'a\n' } }, 'authentication.password'],
    ['a token with a space', { authentication: { type: 'bearer', token: 'a b' } }, 'authentication.token'],
    ['an empty token', { authentication: { type: 'bearer', token: '' } }, 'authentication.token'],
    ['a filter that is a list', { filter: [] }, 'filter', /object/],
    ['an operator that runs code', { filter: { $where: 'true' } }, 'filter.$where', /operator/],
    ['an unknown operator', { filter: { total: { $gtt: 1 } } }, 'filter.total.$gtt', /operator/],
  ])('400 for %s, at registration and later', async (_what, options, at, says = /./) => {
    const { path, body: before } = await register();
    const expected = {
      code: 'invalid_request',
      details: [{ path: `options.${at}`, message: expect.stringMatching(says) }],
    };
    for (const answer of [await api.post(PATH, { url: URL, options }), await api.patch(path, { options })]) {
      expectError(answer, 400, expected);
    }
    expect(await read(path)).toEqual(before);
  });

  it('400 for an Authorization header beside an authentication that is already stored, and the reverse', async () => {
    const withHeader = await register({ options: { headers: { Authorization: 'Custom x' } } });
    const withCredentials = await register({ options: { authentication: credentials } });
    const answers = [
      await api.patch(withHeader.path, { options: { authentication: credentials } }),
      await api.patch(withCredentials.path, { options: { headers: { Authorization: 'Custom x' } } }),
    ];
    for (const { status, body } of answers) {
      expect([status, body.details]).toEqual([
        400,
        [{ path: 'options.headers.Authorization', message: expect.stringContaining('authentication') }],
      ]);
    }
  });

  it('201 for values at the limits', async () => {
    const options = {
      retry_schedule: [0, ...Array.from({ length: 15 }, () => 1), 604_800, 604_800, 604_800, 604_785],
      max_per_second: 1_000,
      headers: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x-${index}`, 'a b\tc'])),
    };
    const { path, body } = await register({ options });
    const hidden = Object.fromEntries(Object.keys(options.headers).map((name) => [name, '[hidden]']));
    expect(body['options']).toEqual({ ...ALL_OFF, ...options, headers: hidden });
    expect((await api.get(`${path}/secret`)).body.headers).toEqual(options.headers);
  });
});

describe('DELETE /api/v1/webhooks/endpoints/{endpoint_id}', () => {
  it('204, after which the endpoint is gone', async () => {
    const { id, path } = await register();
    const answer = await api.delete(path);
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect((await api.get(path)).status).toBe(404);
    expect((await api.delete(path)).status).toBe(404);
    const { body } = await api.get(PATH);
    expect(body.endpoints.map((endpoint: { id: string }) => endpoint.id)).not.toContain(id);
  });

  it('makes room in an account with a hundred endpoints, for exactly one more', async () => {
    const full = await buildCaller(stack);
    const first = (await full.register({ url: URL })).id;
    const ids = await takeEndpointPlaces(stack, full.accountId, 99);
    const one = () => full.post(PATH, { url: URL });
    expect((await one()).status).toBe(409);
    expect((await full.delete(`${PATH}/${first}`)).status).toBe(204);
    expect([(await one()).status, (await one()).status]).toEqual([201, 409]);

    const [removed, registered] = await Promise.all([
      Promise.all(ids.slice(0, 10).map((id) => full.delete(`${PATH}/${id}`))),
      Promise.all(Array.from({ length: 15 }, one)),
    ]);

    expect(removed.map(({ status }) => status)).toEqual(Array(10).fill(204));
    const taken = registered.filter(({ status }) => status === 201).length;
    expect(taken).toBeLessThanOrEqual(10);
    const stored = await stack.mongo.db.collection('endpoints').countDocuments({ account_id: full.accountId });
    expect(stored).toBe(90 + taken);
  });

  it('204 once and 404 for the other calls, when many remove it at once', async () => {
    const { path } = await register();
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.delete(path)));
    expect(answers.map(({ status }) => status).filter((status) => status === 204)).toHaveLength(1);
    expect(answers.map(({ status }) => status).filter((status) => status === 404)).toHaveLength(7);
  });
});

it('each change is in the audit log with its author and subject; reads and refused changes are not', async () => {
  const { id, path } = await register();
  await api.get(path);
  await api.patch(path, { description: 'x' });
  await api.patch(path, { url: 'nonsense' });
  await stranger.delete(path);
  await api.post(`${path}/pause`);
  await api.post(`${path}/resume`);
  await api.post(`${path}/test`);
  await api.delete(path);

  const entries = await stack.mongo.db.collection('audit_log').find({ object: id }).sort({ at: 1 }).toArray();
  expect(entries.map(({ action }) => action as string)).toEqual([
    'endpoint.created',
    'endpoint.changed',
    'endpoint.paused',
    'endpoint.resumed',
    'endpoint.tested',
    'endpoint.deleted',
  ]);
  for (const entry of entries) {
    expect(entry).toMatchObject({
      account_id: api.accountId,
      actor: { type: 'key', name: 'test' },
      address: '127.0.0.1',
    });
  }
});
