import { randomBytes } from 'node:crypto';
import { verifySignature } from '../../src/sender/signature';
import { expectError } from '../support/api-client';
import { buildCaller, useCaller } from '../support/build-caller';
import { buildReceiver } from '../support/build-receiver';
import { FAST_SWEEPERS, useStack } from '../support/build-stack';
import { useFixture } from '../support/fixture';
import { cliOf } from '../support/run-cli';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';

const stack = useStack(FAST_SWEEPERS);
const api = useCaller(stack);
const receiver = useFixture('file', buildReceiver, (it) => it.close());

const register = async (events = ['nothing']): Promise<string> =>
  (await api.register({ url: receiver.url, events })).id;

it('200 for a pause and for a resume; repeating one changes nothing', async () => {
  const id = await register();
  const { health: _, ...before } = (await api.get(`${ENDPOINTS}/${id}`)).body;

  const paused = await api.post(`${ENDPOINTS}/${id}/pause`);
  expect([paused.status, paused.body]).toEqual([200, { ...before, status: 'paused', updated_at: expect.any(String) }]);
  expect(Date.parse(paused.body.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
  expect((await api.post(`${ENDPOINTS}/${id}/pause`)).body).toEqual(paused.body);

  const resumed = await api.post(`${ENDPOINTS}/${id}/resume`);
  expect([resumed.status, resumed.body]).toEqual([200, { ...before, updated_at: expect.any(String) }]);
  expect((await api.post(`${ENDPOINTS}/${id}/resume`)).body).toEqual(resumed.body);
  expect((await api.get(`${ENDPOINTS}/${id}`)).body).toMatchObject(resumed.body);
});

it('202 for a test event, which answers like an ingest and can be read like an event', async () => {
  const id = await register();
  const from = receiver.requests.length;

  const { status, body, headers } = await api.post(`${ENDPOINTS}/${id}/test`);

  expect([status, body]).toEqual([
    202,
    { id: expect.any(Number), type: 'endpoint.test', timestamp: expect.any(Number), duplicate: false, deliveries: 1 },
  ]);
  expect(headers.get('Location')).toBe(`${EVENTS}/${body.id}`);
  await api.untilEvent(body.id, 'delivered');
  const [request] = receiver.requests.slice(from);
  expect(JSON.parse(request!.body.toString())).toMatchObject({
    id: body.id,
    type: 'endpoint.test',
    data: { endpoint_id: id },
  });
});

it("an endpoint registered with enabled false holds its deliveries; the caller's own secret signs them", async () => {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const own = { url: receiver.url, events: ['own'], secret, enabled: false, metadata: { tenant: 'acme' } };
  const { id } = await api.register(own);
  const event = await api.ingest({ type: 'own' });
  const [held] = (await api.get(`${EVENTS}/${event.id}`)).body.deliveries;
  expect(held).toMatchObject({ state: 'pending', held_for: 'paused' });

  await api.post(`${ENDPOINTS}/${id}/resume`);

  await api.untilEvent(event.id, 'delivered');
  const request = receiver.requests.find(({ headers }) => headers['x-webhook-id'] === String(event.id))!;
  expect(verifySignature(secret, request.body, request.headers['x-webhook-signature'])).toBe(true);
  expect(JSON.stringify([request.headers, request.body.toString()])).not.toContain('acme');
});

describe("a test event with the caller's own content", () => {
  const received = (id: number) =>
    receiver.requests.map(({ body }) => body.toString()).find((body) => JSON.parse(body).id === id);

  it('has the type and the exact bytes of data that were sent', async () => {
    const id = await register();
    const data = '{"total": 1.0, "big": 12345678901234567890}';

    const { status, body } = await api.post(`${ENDPOINTS}/${id}/test`, `{"type":"invoice.paid","data":${data}}`);

    expect([status, body]).toMatchObject([202, { type: 'invoice.paid', deliveries: 1 }]);
    await api.untilEvent(body.id, 'delivered');
    expect(received(body.id)).toContain(`"data":${data}`);
  });

  it.each([
    ['a type alone', { type: 'invoice.paid' }, { type: 'invoice.paid', data: { endpoint_id: expect.any(String) } }],
    ['data alone', { data: { n: 1 } }, { type: 'endpoint.test', data: { n: 1 } }],
    ['{}', {}, { type: 'endpoint.test', data: { endpoint_id: expect.any(String) } }],
  ])('may have %s', async (_what, sent, expected) => {
    const { body } = await api.post(`${ENDPOINTS}/${await register()}/test`, sent);

    await api.untilEvent(body.id, 'delivered');
    expect(JSON.parse(received(body.id)!)).toMatchObject(expected);
  });

  it.each([
    ['an unknown field', { typo: 'x' }, 400, 'invalid_request', 'typo'],
    ['an idempotency key', { idempotency_key: 'x' }, 400, 'invalid_request', 'idempotency_key'],
    ['an invalid type', { type: 'a..b' }, 400, 'invalid_request', 'type'],
    ['data that is not an object', { data: [] }, 400, 'invalid_request', 'data'],
    ["a type of Everpost's own", { type: 'everpost.endpoint.disabled' }, 422, 'reserved_event_type', 'type'],
  ])('is refused with %s', async (_what, sent, status, code, path) => {
    const answer = await api.post(`${ENDPOINTS}/${await register()}/test`, sent);

    expectError(answer, status, { code, details: [expect.objectContaining({ path })] });
  });
});

describe('an action without a body', () => {
  const UNUSED = `ep_${'0'.repeat(26)}`;
  const ACTIONS = [
    ...['cancel-deliveries', 'secret/rotate', 'secret/activate'].map((verb) => `${ENDPOINTS}/${UNUSED}/${verb}`),
    ...['retry', 'cancel', 'replay'].map((verb) => `/api/v1/webhooks/deliveries/1.${UNUSED}/${verb}`),
    `/api/v1/webhooks/replays/rpl_${'0'.repeat(26)}/cancel`,
  ];

  it.each([
    ['a field', '{"a":1}', {}],
    ['a list', '[]', {}],
    ['text', 'x', { 'Content-Type': 'text/plain' }],
    ['a very large body', ' '.repeat(100_000), {}],
  ])('refuses %s, and does nothing', async (_what, body, headers) => {
    const id = await register();

    expectError(await api.post(`${ENDPOINTS}/${id}/secret/rotate`, body, headers), 400, {
      code: 'unexpected_body',
      error: 'This operation takes no body: send none, or {}.',
    });
    expect((await api.get(`${ENDPOINTS}/${id}`)).body).not.toHaveProperty('next_secret_activates_at');
  });

  it.each(ACTIONS)('refuses a body: %s', async (path) => {
    expectError(await api.post(path, { a: 1 }), 400, 'unexpected_body');
  });

  it('DELETE refuses a body', async () => {
    const id = await register();

    expectError(await api.call('DELETE', `${ENDPOINTS}/${id}`, { events: ['a'] }), 400, 'unexpected_body');
    expect((await api.get(`${ENDPOINTS}/${id}`)).status).toBe(200);
  });

  it.each(['', '{}', ' { } \n'])('accepts %j as no body', async (body) => {
    expect((await api.post(`${ENDPOINTS}/${await register()}/secret/rotate`, body)).status).toBe(200);
  });
});

it('a pause takes a reason, which the audit log has, and no other field', async () => {
  const id = await register();
  expectError(await api.post(`${ENDPOINTS}/${id}/pause`, { reason: 'x'.repeat(201) }), 400, 'invalid_request');
  expectError(await api.post(`${ENDPOINTS}/${id}/pause`, { why: 'x' }), 400, 'invalid_request');
  expect((await api.get(`${ENDPOINTS}/${id}`)).body.status).toBe('active');

  expect((await api.post(`${ENDPOINTS}/${id}/pause`, { reason: 'Moves to another host' })).status).toBe(200);

  const entry = await stack.mongo.db.collection('audit_log').findOne({ object: id, action: 'endpoint.paused' });
  expect(entry).toMatchObject({ detail: 'Moves to another host' });
});

describe('everpost endpoint', () => {
  const { json, expectRefused } = cliOf(stack);

  it("list shows an account's endpoints, newest first, without secrets", async () => {
    const own = await buildCaller(stack);
    const first = await own.register({ url: receiver.url, events: ['a', 'b.*'], description: 'One' });
    const second = await own.register({ url: receiver.url });

    const rows = await json<object[]>('endpoint', 'list', '--account', own.accountId);

    const common = { external_id: null, account_id: own.accountId, status: 'active', url: receiver.url };
    expect(rows).toEqual([
      { ...common, id: second.id, events: '*', description: '' },
      { ...common, id: first.id, events: 'a b.*', description: 'One' },
    ]);
  });

  it('pause holds deliveries and resume releases them; the API sees both at once, and the audit log records them', async () => {
    const type = 'cli.held';
    const id = await register([type]);

    expect(await json('endpoint', 'pause', '--id', id)).toMatchObject({ id, status: 'paused' });
    expect((await api.get(`${ENDPOINTS}/${id}`)).body.status).toBe('paused');
    const { id: eventId } = await api.ingest({ type });
    expect(await json('endpoint', 'resume', '--id', id)).toMatchObject({ id, status: 'active' });

    await api.untilEvent(eventId, 'delivered');
    const entries = await stack.mongo.db
      .collection('audit_log')
      .find({ object: id, 'actor.type': 'cli' })
      .sort({ at: 1 })
      .toArray();
    expect(entries.map(({ action, account_id: account }) => [action, account] as unknown)).toEqual([
      ['endpoint.paused', api.accountId],
      ['endpoint.resumed', api.accountId],
    ]);
  });

  it.each(['pause', 'resume'])('%s refuses a malformed id', async (name) => {
    await expectRefused('endpoint_not_found', 'endpoint', name, '--id', 'ep_x');
  });
});
