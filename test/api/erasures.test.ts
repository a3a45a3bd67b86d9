import { expectError } from '../support/api-client';
import { buildEraser, type Eraser } from '../support/build-eraser';
import { buildReceiver, type Receiver } from '../support/build-receiver';
import { FAST_SWEEPERS, useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { cliOf } from '../support/run-cli';

const EVENTS = '/api/v1/webhooks/events';
const DELIVERIES = '/api/v1/webhooks/deliveries';
const ERASURES = '/api/v1/webhooks/erasures';
const REPLAYS = '/api/v1/webhooks/replays';
const CANARY = 'canary-4711';
const CUSTOMER = 'customer_id:cus_1';

const stack = useStack({ env: { RETRY_SCHEDULE: '0s,1h' }, ...FAST_SWEEPERS });
let api: Eraser;
let receiver: Receiver;
let endpointId: string;

beforeAll(() => stack.role.workerReady);

beforeEach(async () => {
  api = await buildEraser(stack);
  // It repeats what it was sent.
  receiver = await buildReceiver();
  receiver.answerWith(200, ({ body }) => body.toString());
  endpointId = (await api.register({ url: receiver.url })).id;
});

afterEach(() => receiver.close());

/** Sends an event of a customer. @returns its id */
async function sent(customer = 'cus_1', more: object = {}): Promise<number> {
  return (await api.ingest({ data: { customer_id: customer, note: CANARY }, ...more })).id;
}

/** Sends an event, whose receiver answers 500 and waits an hour for the next attempt. */
async function waiting(customer?: string): Promise<number> {
  receiver.answerWith(500, ({ body }) => body.toString());
  const id = await sent(customer);
  await api.untilDelivery(`${id}.${endpointId}`, 'retrying');
  return id;
}

/** All that the database has of an event. */
async function storedOf(id: number): Promise<string> {
  const { db } = stack.mongo;
  const event = await db.collection<{ _id: number }>('events').findOne({ _id: id });
  const attempts = await db.collection('attempts').find({ event_id: id }).toArray();
  return JSON.stringify([event, attempts]);
}

describe('erasing the data of an event', () => {
  it('removes data, search values and what the receiver answered, and keeps ids, states and attempts', async () => {
    const id = await sent('cus_1', { idempotency_key: 'key-1' });
    await api.untilEvent(id, 'delivered');
    const before = (await api.get(`${EVENTS}/${id}`)).body;
    expect(before.deliveries[0].attempts[0].response_snippet).toContain(CANARY);

    const erased = await api.eraseEvent(id);

    expect(erased.status).toBe(200);
    const { data: _data, ...kept } = before;
    const [delivery] = kept.deliveries;
    expect(erased.body).toEqual({
      ...kept,
      data: null,
      data_erased_at: expect.stringMatching(/Z$/),
      deliveries: [{ ...delivery, attempts: [{ ...delivery.attempts[0], response_snippet: null }] }],
    });
    expect((await api.get(`${EVENTS}/${id}`)).body).toEqual(erased.body);
    expect((await api.get(`${EVENTS}?data=${CUSTOMER}`)).body.events).toEqual([]);
    const [listed] = (await api.get(EVENTS)).body.events;
    expect(listed).toMatchObject({ id, data_erased_at: erased.body.data_erased_at, idempotency_key: 'key-1' });
    const { body: shown } = await api.get(`${DELIVERIES}/${id}.${endpointId}`);
    expect(shown.attempts[0]).toMatchObject({ response_headers: null, status_code: 200 });
    expect(shown.attempts[0].request_headers).not.toHaveProperty('Content-Length');
    expect(await storedOf(id)).not.toContain(CANARY);
    expect(await storedOf(id)).not.toContain('cus_1');
  });

  it('cancels what waits for a retry: nothing more is sent', async () => {
    const id = await waiting();

    const { body } = await api.eraseEvent(id);

    expect(body).toMatchObject({ status: 'cancelled', data: null });
    expect(body.deliveries).toMatchObject([{ state: 'cancelled', next_attempt_at: null }]);
    expect(receiver.requests).toHaveLength(1);
    const retried = await api.post(`${DELIVERIES}/${id}.${endpointId}/retry`);
    expectError(retried, 409, 'data_erased');
  });

  it('again changes nothing', async () => {
    const id = await sent();
    await api.untilEvent(id, 'delivered');
    const first = await api.eraseEvent(id);

    const second = await api.eraseEvent(id);

    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
  });

  it('of another account, or of none, answers 404', async () => {
    const other = await buildEraser(stack);
    const id = await sent();

    expectError(await other.eraseEvent(id), 404, 'event_not_found');
    expectError(await api.eraseEvent(1), 404, 'event_not_found');

    expect((await api.get(`${EVENTS}/${id}`)).body.data).toEqual({ customer_id: 'cus_1', note: CANARY });
  });

  it('needs a management key with data:erase', async () => {
    const id = await sent();

    const refused = await api.delete(`${EVENTS}/${id}/data`);

    expectError(refused, 403, 'missing_scope');
    expect((await api.get(`${EVENTS}/${id}`)).body.data).not.toBeNull();
  });

  it('is in the audit log', async () => {
    const id = await sent();
    await api.eraseEvent(id);

    const entries = await stack.mongo.db.collection('audit_log').find({ account_id: api.accountId }).toArray();

    const entry = { action: 'event.data_erased', object: String(id), actor: { type: 'management_key' } };
    expect(entries).toEqual(expect.arrayContaining([expect.objectContaining({ ...entry, actor: expect.anything() })]));
  });
});

describe('an erased event', () => {
  let id: number;

  beforeEach(async () => {
    id = await sent('cus_1', { idempotency_key: 'key-2' });
    await api.untilEvent(id, 'delivered');
    await api.eraseEvent(id);
  });

  it('is not replayed, and not sent to another endpoint', async () => {
    const { id: other } = await api.register({ url: receiver.url, events: ['nothing.*'] });

    for (const answer of [
      await api.post(`${EVENTS}/${id}/replay`, {}),
      await api.post(`${DELIVERIES}/${id}.${endpointId}/replay`),
      await api.post(`${EVENTS}/${id}/deliveries`, { endpoint_id: other }),
    ])
      expectError(answer, 409, 'data_erased');

    expect(receiver.requests).toHaveLength(1);
  });

  it('is skipped by a bulk replay', async () => {
    const kept = await sent('cus_2');
    await api.untilEvent(kept, 'delivered');

    const { body: job } = await api.post(REPLAYS, { filter: { state: 'delivered' } });

    const ended = await eventually(
      () => api.get(`${REPLAYS}/${job.job_id}`),
      ({ body }) => body.state !== 'running',
    );
    expect(ended.body).toMatchObject({ state: 'completed', matched: 2, replayed: 1, skipped: 1 });
    await receiver.waitFor(3);
    expect(receiver.requests[2]!.headers['x-webhook-id']).toBe(String(kept));
  });

  it('does not say why a filter refused it', async () => {
    const filter = { customer_id: 'cus_9' };
    const { id: filtered } = await api.register({ url: receiver.url, options: { filter } });

    expectError(await api.get(`${EVENTS}/${id}/endpoints/${filtered}`), 409, 'data_erased');
  });

  it('is still recognised by its idempotency key, and stores nothing of the repeat', async () => {
    const data = { customer_id: 'cus_1', note: CANARY };
    const repeat = await api.post(EVENTS, { type: 'order.created', data, idempotency_key: 'key-2' });

    expect(repeat.status).toBe(200);
    expect(repeat.body).toMatchObject({ id, duplicate: true });
    expect(repeat.body).not.toHaveProperty('payload_mismatch');
    expect(await storedOf(id)).not.toContain(CANARY);
  });

  it('is not rehearsed, and rehearsals from before are gone', async () => {
    const change = { endpoint: { url: 'https://example.com/' } };
    const other = await sent('cus_2');
    const { body: before } = await api.post('/api/v1/webhooks/rehearsals', { change });
    await api.eraseEvent(other);

    expectError(await api.get(`/api/v1/webhooks/rehearsals/${before.id}`), 404, 'rehearsal_not_found');
    const { body: begun } = await api.post('/api/v1/webhooks/rehearsals', { change });
    const after = await eventually(
      () => api.get(`/api/v1/webhooks/rehearsals/${begun.id}`),
      ({ body }) => body.state === 'completed',
    );
    expect(after.body.result).toMatchObject({ events: 0 });
  });
});

describe('an erasure', () => {
  it('erases all events with the value, and nothing else', async () => {
    const [one, two, other] = [await sent(), await sent(), await sent('cus_2')];
    const held = await waiting();

    const created = await api.eraseAll(CUSTOMER);

    expect(created.status).toBe(202);
    expect(created.headers.get('Location')).toBe(`${ERASURES}/${created.body.id}`);
    expect(created.body).toMatchObject({ state: 'running', field: 'customer_id', erased: 0, finished_at: null });
    const ended = await api.untilErased(created.body.id);
    expect(ended).toMatchObject({ state: 'completed', erased: 3 });
    expect(ended.finished_at >= ended.created_at).toBe(true);
    for (const id of [one, two, held]) expect((await api.get(`${EVENTS}/${id}`)).body.data).toBeNull();
    expect((await api.get(`${EVENTS}/${other}`)).body).not.toHaveProperty('data_erased_at');
    expect((await api.get(ERASURES)).body).toEqual({ erasures: [ended], next_cursor: null });
    expect(JSON.stringify(await stack.mongo.db.collection('erasures').find().toArray())).not.toContain('cus_1');
  });

  it('a second time finds nothing', async () => {
    await sent();
    await api.untilErased((await api.eraseAll(CUSTOMER)).body.id);

    const again = await api.untilErased((await api.eraseAll(CUSTOMER)).body.id);

    expect(again).toMatchObject({ state: 'completed', erased: 0 });
  });

  it('is in the audit log and in the database without its value', async () => {
    const { body } = await api.eraseAll('customer_id:secret-person');
    await api.untilErased(body.id);

    const everything = await Promise.all(
      ['audit_log', 'erasures'].map((name) => stack.mongo.db.collection(name).find().toArray()),
    );
    expect(JSON.stringify(everything)).not.toContain('secret-person');
    expect(everything[0]).toEqual(
      expect.arrayContaining([expect.objectContaining({ action: 'erasure.created', object: body.id })]),
    );
  });

  it('by a field that is not a search field answers 422, and names those that are', async () => {
    const refused = await api.eraseAll('email:a@example.com');

    expectError(refused, 422, 'unknown_search_field');
    expect(refused.body.error).toContain('Its search fields: customer_id.');
    expect(refused.text).not.toContain('a@example.com');
  });

  it('is refused without a value, and with an idempotency key', async () => {
    expectError(await api.eraseAll('customer_id:'), 400, 'invalid_request');
    expectError(await api.eraseAll(CUSTOMER, { 'Idempotency-Key': 'once' }), 400, 'invalid_request');
  });

  it('of another account is not found', async () => {
    const { body } = await api.eraseAll(CUSTOMER);
    const other = await buildEraser(stack);

    expectError(await other.get(`${ERASURES}/${body.id}`), 404, 'erasure_not_found');
    expect((await other.get(ERASURES)).body.erasures).toEqual([]);
  });
});

describe('the command line', () => {
  const { json: everpost, expectRefused } = cliOf(stack);

  it('erases one event, and everything with a value', async () => {
    const [one, two] = [await sent(), await sent()];

    const erased = await everpost('event', 'erase', '--id', String(one));
    expect(erased).toMatchObject({ id: one, data_erased_at: expect.any(String) });
    const started = await everpost('erasure', 'start', '--account', api.accountId, '--data', CUSTOMER);
    await api.untilErased(started['id']!);

    expect(await everpost('erasure', 'status', '--id', started['id']!)).toMatchObject({
      ...{ state: 'completed', field: 'customer_id', erased: 1 },
    });
    expect(await everpost<object[]>('erasure', 'list', '--account', api.accountId)).toHaveLength(1);
    for (const id of [one, two]) expect((await api.get(`${EVENTS}/${id}`)).body.data).toBeNull();
    const log = await stack.mongo.db.collection('audit_log').find({ account_id: api.accountId }).toArray();
    expect(log.map(({ action }) => action)).toEqual(expect.arrayContaining(['event.data_erased', 'erasure.created']));
    expect(JSON.stringify(log)).not.toContain('cus_1');
  });

  it('says what it can not erase', async () => {
    await expectRefused('event_not_found', 'event', 'erase', '--id', '1');
    await expectRefused('invalid_request', 'erasure', 'start', '--account', api.accountId, '--data', 'cus_1');
    await expectRefused('unknown_search_field', 'erasure', 'start', '--account', api.accountId, '--data', 'email:a');
    await expectRefused('erasure_not_found', 'erasure', 'status', '--id', 'ers_unknown');
  });
});
