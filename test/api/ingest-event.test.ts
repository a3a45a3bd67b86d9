import { apiClient, expectError } from '../support/api-client';
import { buildApiWithoutTemporal, buildLoggedRole, countStored } from '../support/build-api';
import { buildCaller, useCaller } from '../support/build-caller';
import { useStack } from '../support/build-stack';
import { words } from '../support/words';

const PATH = '/api/v1/webhooks/events';

const stack = useStack({ role: 'api' });
const api = useCaller(stack);

async function expectRefused(body: unknown, status: number, expected: object): Promise<void> {
  const before = await countStored(stack.mongo);
  const answer = await api.post(PATH, body);
  expectError(answer, status, expected);
  expect(await countStored(stack.mongo)).toEqual(before);
}

describe('POST /api/v1/webhooks/events', () => {
  it('202 with the id, the time and the number of destinations; the event is stored', async () => {
    const { status, body, headers } = await api.post(PATH, { type: 'order.created', data: { a: 1 } });
    expect(status).toBe(202);
    expect(body).toEqual({
      id: expect.any(Number),
      type: 'order.created',
      timestamp: expect.any(Number),
      duplicate: false,
      deliveries: 0,
    });
    expect(Number.isSafeInteger(body.id) && body.id > 0).toBe(true);
    expect(headers.get('Location')).toBe(`${PATH}/${body.id}`);
    const stored = await stack.mongo.db.collection<{ _id: number }>('events').findOne({ _id: body.id });
    expect(stored).toMatchObject({ account_id: api.accountId, type: 'order.created', timestamp: body.timestamp });
  });

  it('202 with one delivery for each matching endpoint', async () => {
    const own = await buildCaller(stack);
    for (const events of [
      ['*'],
      ['order.*'],
      ['order.created'],
      ['order.*', 'order.created', '*'],
      ['orders.*', 'order'],
      ['order.created.*'],
    ]) {
      await own.register({ url: 'http://127.0.0.1:1/', events });
    }
    const deliveriesOf = async (type: string): Promise<number> =>
      (await own.post(PATH, { type, data: {} })).body.deliveries;
    expect(await deliveriesOf('order.created')).toBe(4);
    expect(await deliveriesOf('order.item.added')).toBe(3);
    expect(await deliveriesOf('order')).toBe(3);
    expect(await deliveriesOf('orders.created')).toBe(3);
    expect(await deliveriesOf('order.created.twice')).toBe(4);
    expect(await deliveriesOf('Order.created')).toBe(2);
  });

  it.each(['A-1_b.C.d', 'urn:acme:order.created', '/v1/order:paid', 'a'.repeat(128)])(
    '202 for the type %s',
    async (type) => {
      const { status, body } = await api.post(PATH, { type, data: {} });
      expect([status, body.type]).toEqual([202, type]);
    },
  );

  it.each(['', 'order.*', 'a\r\nX-Evil: 1', '😀', 'a'.repeat(129)])('400 for the type %j', (type) =>
    expectRefused({ type, data: {} }, 400, {
      code: 'invalid_request',
      details: [expect.objectContaining({ path: 'type' })],
    }),
  );

  it.each<[what: string, body: object, path: string, message: string]>([
    ['no type', { data: {} }, 'type', 'is required'],
    ['a null type', { type: null, data: {} }, 'type', 'must be a string'],
    ['no data', { type: 'a' }, 'data', 'is required'],
    ['null data', { type: 'a', data: null }, 'data', 'must be an object'],
    ['data that is an array', { type: 'a', data: [] }, 'data', 'must be an object'],
    ['a null idempotency_key', { type: 'a', data: {}, idempotency_key: null }, 'idempotency_key', 'must be a string'],
  ])('400 for %s', (_what, body, path, message) =>
    expectRefused(body, 400, { code: 'invalid_request', details: [{ path, message }] }),
  );

  it.each(['', 'a'.repeat(256), 'tab\there', '\u007f', '\u0085', '\ud800', 'a\u200b', '\ufeff', '\u2028'])(
    '400 for the idempotency_key %j',
    (key) =>
      expectRefused({ type: 'a', data: {}, idempotency_key: key }, 400, {
        details: expect.arrayContaining([expect.objectContaining({ path: 'idempotency_key' })]),
      }),
  );

  it.each([' ', '$set', '__proto__', '😀'.repeat(255), '"quoted"'])(
    '202 and then 200 for the idempotency_key %s',
    async (key) => {
      const body = { type: 'a', data: { n: 1 }, idempotency_key: key };
      const first = await api.post(PATH, body);
      expect(first.status).toBe(202);
      const again = await api.post(PATH, body);
      expect([again.status, again.body]).toEqual([200, { ...first.body, duplicate: true }]);
      expect(again.headers.get('Location')).toBe(first.headers.get('Location'));
    },
  );

  it('200 with payload_mismatch and the original event when the repeat has another content', async () => {
    const key = 'mismatch';
    const first = await api.post(PATH, { type: 'order.created', data: { n: 1 }, idempotency_key: key });
    for (const other of [
      { type: 'order.created', data: { n: 2 } },
      { type: 'order.paid', data: { n: 1 } },
    ]) {
      const again = await api.post(PATH, { ...other, idempotency_key: key });
      expect([again.status, again.body]).toEqual([200, { ...first.body, duplicate: true, payload_mismatch: true }]);
    }
    const event = await api.get(first.headers.get('Location')!);
    expect(event.body).toMatchObject({ type: 'order.created', data: { n: 1 } });
  });

  it('white space between tokens makes no difference to a repeat; white space inside a string does', async () => {
    const bodyOf = (data: string): string => `{"type":"a","idempotency_key":"spaces","data":${data}}`;
    await api.post(PATH, bodyOf('{"a":"x  \\" y","b":[1,2]}'));

    const same = await api.post(PATH, bodyOf('{ "a" : "x  \\" y",\n\t"b":\r\n[1, 2] }'));
    const other = await api.post(PATH, bodyOf('{"a":"x \\" y","b":[1,2]}'));

    expect(same.body).not.toHaveProperty('payload_mismatch');
    expect(other.body).toMatchObject({ duplicate: true, payload_mismatch: true });
  });

  describe('the Idempotency-Key header', () => {
    const event = { type: 'order.created', data: { n: 1 } };
    const send = (body: object, key: string) => api.post(PATH, body, { 'Idempotency-Key': key });

    it("is the event's key, bare or in quotes, and equals the one in the body", async () => {
      const first = await send(event, 'by-header');
      const repeats = [
        await send(event, 'by-header'),
        await send(event, '"by-header"'),
        await send({ ...event, idempotency_key: 'by-header' }, 'by-header'),
        await api.post(PATH, { ...event, idempotency_key: 'by-header' }),
      ];

      expect(first.status).toBe(202);
      expect(repeats.map(({ status, body }) => [status, body.id])).toEqual(
        Array.from({ length: 4 }, () => [200, first.body.id]),
      );
    });

    it('is refused if it differs from the key in the body, or is malformed', async () => {
      const answers = [
        await send({ ...event, idempotency_key: 'one' }, 'another'),
        await send(event, 'x'.repeat(256)),
        await send(event, 'caf\u00e9'),
        await send(event, '""'),
      ];

      expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
        [400, '"Idempotency-Key" must be the same key as "idempotency_key".'],
        [400, '"Idempotency-Key" must have at most 255 characters.'],
        [400, '"Idempotency-Key" must be printable ASCII characters.'],
        [400, '"Idempotency-Key" must have at least one character.'],
      ]);
    });

    it.each(['k', ''])('is refused on a batch, whose events have their own keys: %j', async (key) => {
      const answer = await api.post(`${PATH}/batch`, { events: [event] }, { 'Idempotency-Key': key });

      expect([answer.status, answer.body.error]).toEqual([
        400,
        '"Idempotency-Key" is for one event: give each event of a batch an "idempotency_key".',
      ]);
    });
  });
});

describe('when Everpost itself has a problem', () => {
  it('while Temporal is down, events are accepted and the API is ready but degraded', async () => {
    const lonely = await buildApiWithoutTemporal(stack);
    const caller = await buildCaller(stack, { url: lonely.url });
    await caller.register({ url: 'http://127.0.0.1:1/' });

    const { deliveries } = await caller.ingest();
    const ready = await apiClient(lonely.url).get('/readyz');
    await lonely.close();

    expect(deliveries).toBe(1);
    expect([ready.status, ready.body]).toEqual([200, { status: 'degraded', mongodb: 'up', temporal: 'down' }]);
  });

  it('an unexpected error is a 500 that reveals only the id of its log line', async () => {
    const logged = await buildLoggedRole(stack.config, 'api');
    const caller = await buildCaller(stack, { url: logged.url, tier: 'developer' });
    await stack.mongo.db.command({ collMod: 'events', validator: { never_there: true } });

    const answer = await caller.post(PATH, { type: 'a', data: { n: 1 } });
    await stack.mongo.db.command({ collMod: 'events', validator: {} });
    await logged.close();

    expect([answer.status, answer.body]).toEqual([
      500,
      { error: expect.any(String), code: 'internal_error', request_id: answer.headers.get('X-Request-Id') },
    ]);
    for (const internal of ['never_there', 'Mongo', 'validat', 'everpost_test', ' at ', '.ts', 'collection']) {
      expect(answer.text).not.toContain(internal);
    }
    expect(answer.headers.get('X-RateLimit-Limit')).toBe('60');
    const line = logged
      .log()
      .split('\n')
      .find((text) => text.includes('internal_error'));
    expect(JSON.parse(line!)).toMatchObject({
      level: 50,
      request_id: answer.body.request_id,
      err: { type: 'MongoBulkWriteError' },
    });
  });
});

describe('GET /api/v1/webhooks/events/{event_id}', () => {
  it('200 with everything about an event without destinations', async () => {
    const ingest = await api.post(PATH, { type: 'order.created', data: { a: [1] }, idempotency_key: 'shown' });
    const { status, body } = await api.get(`${PATH}/${ingest.body.id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: ingest.body.id,
      type: 'order.created',
      data: { a: [1] },
      timestamp: ingest.body.timestamp,
      idempotency_key: 'shown',
      status: 'no_destinations',
      deliveries: [],
      attempts_total: 0,
    });
  });

  it('200 with pending deliveries before the first attempt', async () => {
    const own = await buildCaller(stack);
    const url = 'http://127.0.0.1:1/hook?token=x';
    const endpoint = await own.register({ url });
    const ingest = await own.ingest();
    const { body } = await own.get(`${PATH}/${ingest.id}`);
    expect(body).toMatchObject({ idempotency_key: null, status: 'pending' });
    expect(body.deliveries).toEqual([
      {
        id: `${ingest.id}.${endpoint.id}`,
        endpoint_id: endpoint.id,
        url,
        run: 1,
        state: 'pending',
        attempt_count: 0,
        max_attempts: 8,
        next_attempt_at: expect.any(String),
        held_for: null,
        held_since: null,
        completed_at: null,
        attempts: [],
      },
    ]);
  });

  it.each<[what: string, data: string]>([
    ['big integers and floats', '{"n":12345678901234567890,"x":1.0,"e":1E400,"z":-0,"h":1e-7}'],
    ['the order of keys', '{"b":1,"a":2,"2":0,"1":0}'],
    ['duplicate keys inside', '{"a":1,"a":2,"a":{"b":1,"b":2}}'],
    ['white space', '{ "a" :\t[ 1 ,\r\n 2 ] }'],
    ['escapes', '{"\\u0061":"\\u00e4\\/\\ud83d\\ude00\\ud800"}'],
    ['every plane', '{"ä":"路😀\u2028\ufeff"}'],
    ['__proto__', '{"__proto__":{"a":1},"constructor":null}'],
    ['brackets and quotes in strings', '{"a":"}]\\"\\\\","data":{"data":"{"}}'],
    ['nothing', '{}'],
  ])('200 with the exact bytes of data: %s', async (_what, data) => {
    for (const sent of [`{"type":"a","data":${data}}`, `{"data" :\n${data}\t, "type":"a"}`]) {
      const ingest = await api.post(PATH, sent);
      expect(ingest.status).toBe(202);
      const event = await api.get(`${PATH}/${ingest.body.id}`);
      expect(event.text).toContain(`,"data":${data},"timestamp":`);
    }
  });

  it.each(words('abc 1e3 1.0 0x10 +1 --1 1%20 %201 1,2 ٣ 1_000 NaN Infinity null %00 %E0%A4%A -'))(
    '400 for the id %s',
    async (id) => {
      const details = [{ path: 'event_id', message: 'must be an integer' }];
      const answer = await api.get(`${PATH}/${encodeURI(id).replaceAll('%25', '%')}`);
      expectError(answer, 400, { code: 'invalid_request', details });
    },
  );

  it("404 with the same body for every id that isn't the caller's", async () => {
    const theirs = await api.post(PATH, { type: 'a', data: {} });
    const own = await buildCaller(stack);
    const expected = { error: 'There is no event with this id.', code: 'event_not_found' };
    const ids = [theirs.body.id, 999_999_999, 0, -1, '9007199254740992', '-9007199254740993', `1${'0'.repeat(400)}`];
    for (const id of ids) {
      const { status, body } = await own.get(`${PATH}/${id}`);
      expect([status, body]).toEqual([404, { ...expected, request_id: expect.stringMatching(/^req_/) }]);
    }
  });

  it('leading zeros are accepted', async () => {
    const { body } = await api.post(PATH, { type: 'a', data: {} });
    const answer = await api.get(`${PATH}/00${body.id}`);
    expect([answer.status, answer.body.id]).toEqual([200, body.id]);
  });
});
