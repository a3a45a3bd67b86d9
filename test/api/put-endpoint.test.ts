import { expectError, statusesOf } from '../support/api-client';
import { buildCaller, useCaller } from '../support/build-caller';
import { buildKey, useStack } from '../support/build-stack';

const PATH = '/api/v1/webhooks/endpoints';
const URL = 'https://example.com/hook';
const SECRET = `whsec_${btoa('0123456789012345678901234567')}`;

const stack = useStack({ role: 'api' });
const api = useCaller(stack, 'test');

const BASIC = { type: 'basic', username: 'me', password: 'a' };

const put = (name: string, body: unknown, headers?: Record<string, string>) =>
  api.call('PUT', `${PATH}/${name}`, body, headers);

/** The audit actions of an endpoint, in order. */
async function actionsOf(id: string): Promise<string[]> {
  const log = stack.mongo.db.collection('audit_log');
  return log
    .find({ object: id })
    .sort({ at: 1, _id: 1 })
    .map(({ action }) => action as string)
    .toArray();
}

describe('PUT /api/v1/webhooks/endpoints/{external_id}', () => {
  it('201 with what POST answers, and then 200 with what PATCH answers', async () => {
    const created = await put('orders', { url: URL });
    expect(created.status).toBe(201);
    const { secret, ...endpoint } = created.body;
    expect(Object.keys(created.body).toSorted()).toEqual(Object.keys(await api.register({ url: URL })).toSorted());
    expect(endpoint).toMatchObject({ external_id: 'orders', events: ['*'], description: '', status: 'active' });
    expect(secret).toMatch(/^whsec_/);
    expect(created.headers.get('Location')).toBe(`${PATH}/${endpoint.id}`);

    const changed = await put('orders', { url: `${URL}/2`, events: ['order.*'] });
    expect([changed.status, changed.headers.get('ETag')]).toEqual([200, `"${changed.body.updated_at}"`]);
    const { updated_at } = changed.body;
    expect(changed.body).toEqual({ ...endpoint, url: `${URL}/2`, events: ['order.*'], updated_at });
    expect(await actionsOf(endpoint.id)).toEqual(['endpoint.created', 'endpoint.changed']);
  });

  it('creates it with all that POST takes', async () => {
    const body = {
      url: URL,
      external_id: 'whole',
      events: ['a.*'],
      description: 'Whole',
      metadata: { tenant: 'acme' },
      options: { max_per_second: 5 },
      secret: SECRET,
      enabled: false,
    };
    const { status, body: endpoint } = await put('whole', body);
    expect(status).toBe(201);
    const { options, enabled: _, ...shown } = body;
    expect(endpoint).toMatchObject({ ...shown, options, status: 'paused' });
  });

  it('changes nothing when it is repeated, whatever it sets: no version, no entry, the same ETag', async () => {
    const body = {
      url: 'https://EXAMPLE.com:443/a/../ä',
      events: ['a.*', 'b'],
      description: 'Same',
      metadata: { b: '2', a: '1' },
      options: {
        retry_schedule: [0, 5],
        max_per_second: 5,
        ordered: true,
        disable_on_gone: false,
        headers: { 'X-One': '1', 'X-Two': '2' },
        authentication: { type: 'basic', username: 'me', password: 'secret' },
        filter: { total: { $gte: 5 } },
      },
      secret: SECRET,
      enabled: false,
    };
    const created = await put('same', body);
    expect([created.status, created.body.error]).toEqual([201, undefined]);
    const { secret: _, ...endpoint } = created.body;
    const others = { ...body, metadata: { a: '1', b: '2' }, external_id: 'same' };
    for (const again of [body, others, { options: { headers: { 'X-Two': '[hidden]', 'X-One': '1' } } }, {}]) {
      const answer = await put('same', again);
      expect([answer.status, answer.body]).toEqual([200, endpoint]);
      expect(answer.headers.get('ETag')).toBe(created.headers.get('ETag'));
    }
    expect(await actionsOf(endpoint.id)).toEqual(['endpoint.created']);
  });

  it.each([
    ['url', { url: `${URL}/2` }, { url: `${URL}/2` }],
    ['events', { events: ['b'] }, { events: ['b'] }],
    ['description', { description: '' }, { description: '' }],
    ['metadata', { metadata: {} }, { metadata: {} }],
    ['a value', { options: { max_per_second: 6 } }, { options: { max_per_second: 6 } }],
    ['an option off', { options: { max_per_second: null } }, { options: { max_per_second: null } }],
    ['a flag off', { options: { ordered: false } }, { options: { ordered: false } }],
    ['a flag by null', { options: { ordered: null } }, { options: { ordered: false } }],
    ['a header', { options: { headers: { 'X-One': '2' } } }, {}],
    ['fewer headers', { options: { headers: null } }, { options: { headers: null } }],
    ['the password', { options: { authentication: { ...BASIC, password: 'b' } } }, {}],
    [
      'the user',
      { options: { authentication: { ...BASIC, username: 'b' } } },
      { options: { authentication: { type: 'basic', username: 'b' } } },
    ],
    [
      'the kind',
      { options: { authentication: { type: 'bearer', token: 'a' } } },
      { options: { authentication: { type: 'bearer' } } },
    ],
  ])('changes %s alone, and keeps the rest', async (_, change, shown) => {
    const before = {
      url: URL,
      events: ['a'],
      description: 'Before',
      metadata: { a: '1' },
      options: {
        max_per_second: 5,
        ordered: true,
        headers: { 'X-One': '1' },
        authentication: BASIC,
      },
    };
    const created = await put('one', before);
    const changed = await put('one', change);
    expect(changed.status).toBe(200);
    expect(changed.headers.get('ETag')).not.toBe(created.headers.get('ETag'));
    const { options, ...fields } = shown as { options?: object };
    const { secret: _secret, options: optionsBefore, ...kept } = created.body;
    const { options: optionsAfter, ...rest } = changed.body;
    expect(rest).toEqual({ ...kept, ...fields, updated_at: rest.updated_at });
    expect(optionsAfter).toEqual({ ...optionsBefore, ...options });
    expect(await actionsOf(changed.body.id)).toEqual(['endpoint.created', 'endpoint.changed']);
    expect((await put('one', change)).headers.get('ETag')).toBe(changed.headers.get('ETag'));
  });

  it('pauses and resumes with enabled, if that differs', async () => {
    const { body: endpoint } = await put('switched', { url: URL });
    const statuses: string[] = [];
    for (const enabled of [true, false, false, undefined, true]) {
      statuses.push((await put('switched', { enabled })).body.status);
    }
    expect(statuses).toEqual(['active', 'paused', 'paused', 'paused', 'active']);
    const disabled = { status: 'disabled', disabled_reason: 'gone' };
    const endpoints = stack.mongo.db.collection<{ _id: string }>('endpoints');
    await endpoints.updateOne({ _id: endpoint.id }, { $set: disabled });
    expect((await put('switched', { enabled: false })).body.status).toBe('disabled');
    expect((await put('switched', { enabled: true })).body.status).toBe('active');
    expect(await actionsOf(endpoint.id)).toEqual([
      'endpoint.created',
      'endpoint.paused',
      'endpoint.resumed',
      'endpoint.resumed',
    ]);
  });

  it('409 for another secret, and nothing is changed; its own one and the next of a rotation are no other', async () => {
    const { body: endpoint } = await put('secret', { url: URL, secret: SECRET });
    const other = `whsec_${btoa('another one of just 24 b.')}`;
    expectError(await put('secret', { secret: other, description: 'No' }), 409, {
      code: 'secret_differs',
      error: expect.stringContaining('rotate it instead'),
    });
    expect((await api.get(`${PATH}/secret`)).body.description).toBe('');
    const rotated = (await api.post(`${PATH}/secret/secret/rotate`)).body;
    for (const secret of [SECRET, rotated.next_secret]) expect((await put('secret', { secret })).status).toBe(200);
    await api.post(`${PATH}/secret/secret/activate`);
    expectError(await put('secret', { secret: SECRET }), 409, 'secret_differs');
    expect((await api.get(`${PATH}/${endpoint.id}/secret`)).body.secret).toBe(rotated.next_secret);
  });

  it('400 without a URL for a new endpoint, and for another external id than that of the path', async () => {
    expectError(await put('new', { events: ['a'] }), 400, {
      details: [{ path: 'url', message: expect.stringMatching(/^is required/) }],
    });
    const differs = { details: [expect.objectContaining({ path: 'external_id' })] };
    expectError(await put('new', { url: URL, external_id: 'other' }), 400, differs);
    expect((await api.get(PATH)).body.endpoints).toEqual([]);
    await put('new', { url: URL });
    expectError(await put('new', { external_id: 'other' }), 400, differs);
    const { id } = await api.register({ url: URL });
    expectError(await put(id, { external_id: 'other' }), 400, differs);
  });

  it('400 and 422 for a URL that cannot be used', async () => {
    expectError(await put('bad', { url: 'nowhere' }), 400, { details: [expect.objectContaining({ path: 'url' })] });
    expectError(await put('bad', { url: 'ftp://example.com' }), 422, 'unsupported_url_scheme');
  });

  it('404 for unknown and foreign ids of ours; they change what there is', async () => {
    const stranger = await buildCaller(stack);
    const theirs = await stranger.register({ url: URL, external_id: 'theirs' });
    for (const id of [`ep_${'0'.repeat(26)}`, theirs.id, 'ep_', 'a%20b']) {
      expectError(await put(id, { url: URL }), 404, 'endpoint_not_found');
    }
    const mine = await put('theirs', { url: URL });
    expect(mine.status).toBe(201);
    const changed = await put(mine.body.id, { description: 'By id' });
    expect([changed.status, changed.body.external_id, changed.body.description]).toEqual([200, 'theirs', 'By id']);
    expect((await stranger.get(`${PATH}/theirs`)).body.description).toBe('');
  });

  it('one of many at once creates the endpoint, in each of five rounds', async () => {
    for (let round = 0; round < 5; round += 1) {
      const bodies = Array.from({ length: 6 }, (_, index) => ({ url: URL, description: String(index) }));
      const answers = await Promise.all(bodies.map((body) => put(`round.${round}`, body)));
      expect(statusesOf(answers)).toEqual([200, 200, 200, 200, 200, 201]);
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    }
    expect((await api.get(PATH)).body.endpoints).toHaveLength(5);
  });

  it('412 for an If-Match of another state, and for any if there is no endpoint', async () => {
    for (const header of ['*', '"a"']) {
      expectError(await put('tagged', { url: URL }, { 'If-Match': header }), 412, 'precondition_failed');
    }
    const tag = (await put('tagged', { url: URL })).headers.get('ETag')!;
    const changed = await put('tagged', { description: 'Second', enabled: false }, { 'If-Match': tag });
    expect([changed.status, changed.body.description, changed.body.status]).toEqual([200, 'Second', 'paused']);
    for (const body of [{ description: 'Third' }, { enabled: true }, {}]) {
      expectError(await put('tagged', body, { 'If-Match': tag }), 412, 'precondition_failed');
    }
    expect((await put('tagged', { enabled: true }, { 'If-Match': '*' })).body.status).toBe('active');
    expectError(await put('tagged', {}, { 'If-Match': 'a' }), 400, 'invalid_request');
  });

  it('lets exactly one of several pauses with one tag through', async () => {
    const tag = (await put('raced', { url: URL })).headers.get('ETag')!;
    const pause = () => put('raced', { enabled: false }, { 'If-Match': tag });
    expect(statusesOf(await Promise.all([pause(), pause(), pause()]))).toEqual([200, 412, 412]);
  });

  it('keeps stored credentials from another host, as PATCH does', async () => {
    const authentication = { type: 'bearer', token: 'stored' };
    await put('moved', { url: URL, options: { authentication } });
    const { key } = await buildKey(stack.mongo, api.accountId, { scopes: ['endpoints:write'] });
    const headers = { Authorization: `Bearer ${key}` };
    const elsewhere = { url: 'https://elsewhere.example.com/' };
    expectError(await put('moved', elsewhere, headers), 409, 'credentials_not_sent');
    const sent = { ...elsewhere, options: { authentication: { ...authentication, token: 'new' } } };
    expect((await put('moved', sent, headers)).status).toBe(200);
  });

  it('405 with PUT among the methods of the path', async () => {
    const answer = await api.call('PROPFIND', `${PATH}/any`);
    expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'DELETE, GET, HEAD, PATCH, PUT']);
  });
});
