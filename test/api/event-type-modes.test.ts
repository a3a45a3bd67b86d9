import { apiClient, expectError, type ApiClient } from '../support/api-client';
import { buildApi, type Api } from '../support/build-api';
import { buildCaller, useCaller, type Caller } from '../support/build-caller';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

const EVENTS = '/api/v1/webhooks/events';
const BATCH = '/api/v1/webhooks/events/batch';
const TYPES = '/api/v1/event-types';
const SCHEMA = {
  type: 'object',
  required: ['order_id'],
  properties: { order_id: { type: 'string' }, total: { type: 'number' } },
};
/** Takes time that doubles with each character: years for these 60. */
const ENDLESS = { properties: { text: { pattern: '^(a+)+$' } } };
const ENDLESS_DATA = { text: `${'a'.repeat(60)}!` };

const GOOD = { order_id: 'ord_42', total: 1 };
const BAD = { total: '1' };
const ERRORS = [
  { path: 'data.order_id', message: 'is required' },
  { path: 'data.total', message: 'must be number' },
];

const stack = useStack();
const receiver = useReceiver();
const api = useCaller(stack, 'test');
let platform: ApiClient;
let made = 0;
const newName = (): string => `mode.made_${(made += 1)}`;
const setMode = async (mode: string | null, of = api) => {
  const { status, body } = await platform.put(`/api/v1/accounts/${of.accountId}`, { event_types: mode });
  expect([status, body.event_types]).toEqual([200, mode]);
};
const addType = async (body: object): Promise<string> => {
  const name = newName();
  expect((await platform.put(`${TYPES}/${name}`, body)).status).toBe(201);
  return name;
};

beforeAll(async () => {
  platform = apiClient(stack.url, (await stack.managementKey()).key);
});

describe('an account without a mode, where the installation has none', () => {
  it('accepts any type and any data, and marks nothing', async () => {
    const type = await addType({ schema: SCHEMA });
    const accepted = await api.post(EVENTS, { type, data: BAD });
    expect(accepted.status).toBe(202);
    expect((await api.post(EVENTS, { type: newName(), data: BAD })).status).toBe(202);
    expect((await api.get(`${EVENTS}/${accepted.body.id}`)).body).not.toHaveProperty('schema_errors');
    const read = await platform.get(`/api/v1/accounts/${api.accountId}`);
    expect(read.body.event_types).toBeNull();
  });
});

describe('an account in mode strict', () => {
  beforeEach(() => setMode('strict'));

  it('accepts an event that matches, as soon as its type was added, and refuses others with the places', async () => {
    const type = await addType({ schema: SCHEMA });
    expect((await api.post(EVENTS, { type, data: GOOD })).status).toBe(202);

    const refused = await api.post(EVENTS, { type, data: BAD });
    expectError(refused, 422, 'schema_mismatch');
    expect(refused.body.details).toEqual(ERRORS);
  });

  it('accepts any data of a type without a schema', async () => {
    const type = await addType({ description: 'Anything.' });
    expect((await api.post(EVENTS, { type, data: BAD })).status).toBe(202);
  });

  it('refuses a type that the catalog does not have, or no longer', async () => {
    const unknown = await api.post(EVENTS, { type: 'mode.unknown', data: GOOD });
    expectError(unknown, 422, 'unknown_event_type');
    expect(unknown.body.details).toEqual([{ path: 'type', message: 'is not in the catalog of event types' }]);

    const type = await addType({});
    expect((await api.post(EVENTS, { type, data: GOOD })).status).toBe(202);
    await platform.delete(`${TYPES}/${type}`);
    const later = await eventually(
      () => api.post(EVENTS, { type, data: GOOD }),
      ({ status }) => status === 422,
    );
    expectError(later, 422, 'unknown_event_type');
    expect(later.body.details).toEqual([{ path: 'type', message: 'is archived in the catalog of event types' }]);
  });

  it('refuses the events of a batch at their places, and accepts the others', async () => {
    const type = await addType({ schema: SCHEMA });
    const { status, body } = await api.post(BATCH, {
      events: [
        { type, data: GOOD },
        { type, data: BAD },
        { type: 'mode.unknown', data: GOOD },
        { type: 7, data: GOOD },
        { type, data: GOOD },
      ],
    });
    expect(status).toBe(207);
    expect(body.results.map((it: { status: number; code?: string }) => [it.status, it.code])).toEqual([
      [202, undefined],
      [422, 'schema_mismatch'],
      [422, 'unknown_event_type'],
      [400, 'invalid_request'],
      [202, undefined],
    ]);
    expect(body.results[1].details).toEqual(ERRORS);
  });

  it('refuses a repeat that does not match, and answers one that does with its original', async () => {
    const type = await addType({ schema: SCHEMA });
    const event = { type, data: GOOD, idempotency_key: type };
    const first = await api.post(EVENTS, event);
    const repeat = await api.post(EVENTS, event);
    expect([repeat.status, repeat.body.id]).toEqual([200, first.body.id]);
    expectError(await api.post(EVENTS, { ...event, data: BAD }), 422, 'schema_mismatch');
  });

  it('sends test events of any type with any data', async () => {
    const type = await addType({ schema: SCHEMA });
    const { id } = await api.register({ url: receiver.url });
    const path = `/api/v1/webhooks/endpoints/${id}/test`;
    expect((await api.post(path)).status).toBe(202);
    expect((await api.post(path, { type, data: BAD })).status).toBe(202);
  });
});

describe('an account in mode warn', () => {
  beforeEach(() => setMode('warn'));

  it('accepts what does not match, and marks it on the event and in lists', async () => {
    const type = await addType({ schema: SCHEMA });
    // The process has a new type a moment later.
    await eventually(
      async () => api.get(`${EVENTS}/${(await api.post(EVENTS, { type, data: GOOD })).body.id}`),
      ({ body }) => body.schema_errors === undefined,
    );
    const marked = await api.post(EVENTS, { type, data: BAD });
    const clean = await api.post(EVENTS, { type, data: GOOD });
    const unknown = await api.post(EVENTS, { type: 'mode.unknown', data: GOOD });

    expect([marked.status, clean.status, unknown.status]).toEqual([202, 202, 202]);
    expect((await api.get(`${EVENTS}/${marked.body.id}`)).body.schema_errors).toEqual(ERRORS);
    expect((await api.get(`${EVENTS}/${clean.body.id}`)).body).not.toHaveProperty('schema_errors');
    expect((await api.get(`${EVENTS}/${unknown.body.id}`)).body.schema_errors).toEqual([
      { path: 'type', message: 'is not in the catalog of event types' },
    ]);
    const { body } = await api.get(`${EVENTS}?type=${type}&limit=2`);
    expect(body.events.map((it: { schema_errors?: unknown }) => it.schema_errors)).toEqual([undefined, ERRORS]);
  });
});

it('an account takes one of the modes, and null for that of the installation', async () => {
  const path = `/api/v1/accounts/${api.accountId}`;
  const refused = await platform.put(path, { event_types: 'closed' });
  expectError(refused, 400, 'invalid_request');
  expect(refused.body.details).toEqual([{ path: 'event_types', message: 'must be one of open, warn, strict' }]);
  await setMode('strict');
  await setMode(null);
});

it('a test event without data has the example of its type', async () => {
  const type = await addType({ schema: SCHEMA, example: GOOD });
  const plain = await addType({});
  const { id } = await api.register({ url: receiver.url });
  const dataOf = async (body: object) => {
    const { body: sent } = await api.post(`/api/v1/webhooks/endpoints/${id}/test`, body);
    return (await api.get(`${EVENTS}/${sent.id}`)).body.data;
  };
  expect(await dataOf({ type })).toEqual(GOOD);
  expect(await dataOf({ type, data: BAD })).toEqual(BAD);
  expect(await dataOf({ type: plain })).toMatchObject({ endpoint_id: id });
});

describe('another process, of a strict installation', () => {
  let other: Api;
  let there: Caller;
  beforeAll(async () => {
    const { limits } = stack.config;
    other = await buildApi(stack.config, {
      eventTypes: { mode: 'strict', timeoutMs: 2_000 },
      // Longer than any machine needs to start a thread.
      limits: { ...limits, ingest: { ...limits.ingest, patienceMs: 50_000 } },
    });
  });
  afterAll(() => other.close());
  beforeEach(async () => {
    there = await buildCaller(stack, { url: other.url });
  });

  it('knows at once what was added here, and soon what was changed', async () => {
    const type = await addType({ schema: SCHEMA });
    expect((await there.post(EVENTS, { type, data: GOOD })).status).toBe(202);
    await platform.put(`${TYPES}/${type}`, { schema: { required: ['other'] } });
    const refused = await eventually(
      () => there.post(EVENTS, { type, data: GOOD }),
      ({ status }) => status === 422,
    );
    expect(refused.body.details).toEqual([{ path: 'data.other', message: 'is required' }]);
    await platform.put(`${TYPES}/${type}`, { schema: null });
    expect((await there.post(EVENTS, { type, data: GOOD })).status).toBe(202);
  });

  it('checks nothing for an account in mode open', async () => {
    await setMode('open', there);
    expect((await there.post(EVENTS, { type: newName(), data: GOOD })).status).toBe(202);
  });

  it('cuts off the check of a pattern that never ends after two seconds, pauses that type of that account, and checks all others', async () => {
    const endless = await addType({ schema: ENDLESS });
    const type = await addType({ schema: SCHEMA });
    const second = await buildCaller(stack, { url: other.url });

    const slow = there.post(EVENTS, { type: endless, data: ENDLESS_DATA });
    const meanwhile = await Promise.all([
      second.post(EVENTS, { type, data: GOOD }),
      second.post(EVENTS, { type, data: BAD }),
      second.post(EVENTS, { type: endless, data: { text: 'aaa' } }),
    ]);
    expect(meanwhile.map(({ status }) => status)).toEqual([202, 422, 202]);
    const cutOff = await slow;
    expectError(cutOff, 422, 'schema_mismatch');
    expect(cutOff.body.details).toEqual([{ path: 'data', message: 'takes too long to check against the schema' }]);

    const paused = await there.post(EVENTS, { type: endless, data: { text: 'aaa' } });
    expectError(paused, 429, 'schema_check_paused');
    expect(Number(paused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await there.post(EVENTS, { type, data: GOOD })).status).toBe(202);
  });
});
