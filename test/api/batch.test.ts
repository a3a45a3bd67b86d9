import fc from 'fast-check';
import { apiClient, expectError, type ApiAnswer, type ApiClient } from '../support/api-client';
import { countStored, useApi } from '../support/build-api';
import { buildCaller, useCaller } from '../support/build-caller';
import { useStack } from '../support/build-stack';
import { buildRawConnection, formatRequest } from '../support/raw-http';

const EVENTS = '/api/v1/webhooks/events';
const BATCH = `${EVENTS}/batch`;

const tiers = [
  { id: 'tiny', name: 'Tiny', monthlyQuota: 12, perMinute: 10 },
  { id: 'poor', name: 'Poor', monthlyQuota: 3, perMinute: 100 },
  { id: 'enterprise', name: 'Enterprise', monthlyQuota: null, perMinute: 1_000_000 },
];
const stack = useStack({ role: 'api', env: { TIERS: JSON.stringify(tiers) } });
const second = useApi(stack);
const api = useCaller(stack);

const event = (changes: object = {}): object => ({ type: 'order.created', data: { n: 1 }, ...changes });
const keyed = (key: string, changes: object = {}): object => event({ idempotency_key: key, ...changes });
const send = (client: ApiClient, events: unknown): Promise<ApiAnswer> => client.post(BATCH, { events });
const counted = ({ headers }: ApiAnswer): number => Number(headers.get('X-Quota-Used'));

describe('POST /api/v1/webhooks/events/batch', () => {
  it("207 with each event's answer in its place; a refused event doesn't affect the others", async () => {
    const [{ body: earlier }, before] = await Promise.all([
      api.post(EVENTS, keyed('earlier', { type: 'order.paid' })),
      countStored(stack.mongo),
    ]);
    const { status, body } = await send(api, [
      event(),
      keyed('earlier', { type: 'order.paid' }),
      { type: 'order.created' },
      'not an object',
      keyed('k1', { data: { big: 12_345_678_901_234_567_890n.toString() } }),
      event({ type: 'everpost.endpoint.disabled' }),
      event({ data: { text: 'x'.repeat(262_144) } }),
      event({ idempotencyKey: 'typo' }),
      event({ type: 'order shipped' }),
    ]);
    expect(status).toBe(207);
    const [first, repeat, missing, text, last, reserved, large, typo, type] = body.results;
    expect(body.results).toHaveLength(9);
    expect(first).toEqual({
      status: 202,
      id: expect.any(Number),
      type: 'order.created',
      timestamp: expect.any(Number),
      duplicate: false,
      deliveries: 0,
    });
    expect(repeat).toEqual({ ...earlier, status: 200, duplicate: true });
    expect(missing).toEqual({
      status: 400,
      error: '"data" is required.',
      code: 'invalid_request',
      details: [{ path: 'data', message: 'is required' }],
    });
    expect(text).toMatchObject({ status: 400, error: 'The event must be an object.' });
    expect(last).toMatchObject({ status: 202, duplicate: false });
    expect(reserved).toMatchObject({ status: 422, code: 'reserved_event_type', details: [{ path: 'type' }] });
    expect(large).toMatchObject({ status: 413, code: 'payload_too_large' });
    expect(typo).toMatchObject({ status: 400, details: [{ path: 'idempotencyKey' }] });
    expect(type).toMatchObject({ status: 400, details: [{ path: 'type' }] });
    const after = await countStored(stack.mongo);
    expect(after['events']! - before['events']!).toBeLessThanOrEqual(3);
    expect((await api.get(`${EVENTS}/${last.id}`)).body.idempotency_key).toBe('k1');
  });

  it('the first of several events with one key is the original, in one batch and in concurrent batches', async () => {
    const { body } = await send(api, [
      keyed('twice', { data: { n: 1 } }),
      keyed('once'),
      keyed('twice', { data: { n: 1 } }),
      keyed('twice', { data: { n: 2 } }),
    ]);
    const [first, other, same, different] = body.results;
    expect([first.status, other.status, same.status, different.status]).toEqual([202, 202, 200, 200]);
    expect(same).toEqual({ ...first, status: 200, duplicate: true });
    expect(different).toEqual({ ...first, status: 200, duplicate: true, payload_mismatch: true });

    const events = Array.from({ length: 40 }, (_, index) => keyed(`at-once-${index}`));
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(api, events)));
    for (const index of events.keys()) {
      const results = answers.map((answer) => answer.body.results[index]);
      expect(results.filter(({ status }) => status === 202)).toHaveLength(1);
      expect(new Set(results.map(({ id }) => id)).size).toBe(1);
    }
  });

  it('the data of each event is kept byte for byte', async () => {
    const datas = [
      '{"n":1.0,"big":12345678901234567890}',
      '{ "b" : 1E400 , "a":[ ],"b":2 }',
      '{"2":"é\\u0041","1":-0}',
    ];
    const body = `{ "events" : [ ${datas.map((data) => `{"data" : ${data} ,"type":"raw"}`).join(' , ')} ] }`;
    const answer = await api.post(BATCH, body);
    expect(answer.status).toBe(207);
    for (const [index, { id }] of answer.body.results.entries()) {
      expect((await api.get(`${EVENTS}/${id}`)).text).toContain(`"data":${datas[index]}`);
    }
  });

  it('a batch is accepted in its own order during concurrent calls', async () => {
    const noise = Array.from({ length: 100 }, () => api.post(EVENTS, event()));
    const batches = await Promise.all(
      Array.from({ length: 6 }, () =>
        send(
          api,
          Array.from({ length: 100 }, (_, index) => (index % 3 === 0 ? event() : keyed(`${Math.random()}`))),
        ),
      ),
    );
    await Promise.all(noise);
    for (const { body } of batches) {
      const ids: number[] = body.results.map(({ id }: { id: number }) => id);
      const stored = await stack.mongo.db
        .collection<{ _id: number }>('events')
        .find({ _id: { $in: ids } })
        .sort({ accepted_at: 1, _id: 1 })
        .map(({ _id }) => _id)
        .toArray();
      expect(stored).toEqual(ids);
    }
  });

  it('400 for a malformed batch, 413 above 2 MiB; a batch of nearly 2 MiB is accepted', async () => {
    const cases: [unknown, object][] = [
      ['{"events":[}', { code: 'invalid_json' }],
      [{}, { details: [{ path: 'events', message: 'is required' }] }],
      [{ events: [] }, { details: [{ path: 'events', message: 'must hold at least one entry' }] }],
      [
        { events: Array.from({ length: 101 }, () => event()) },
        { details: [{ path: 'events', message: 'must hold at most 100 entries' }] },
      ],
      [{ events: [event()], event: 1 }, { details: [{ path: 'event', message: 'is not a known field' }] }],
      [{ events: event() }, { details: [{ path: 'events', message: 'must be an array' }] }],
      ['{"events":[],"events":[{"type":"a","data":{}}]}', { code: 'duplicate_member' }],
    ];
    for (const [body, expected] of cases) {
      expectError(await api.post(BATCH, body), 400, expected);
    }
    const large = await send(
      api,
      Array.from({ length: 9 }, () => event({ data: { text: 'x'.repeat(240_000) } })),
    );
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
    const fits = await send(
      api,
      Array.from({ length: 8 }, () => event({ data: { text: 'x'.repeat(260_000) } })),
    );
    expect(fits.body.results.map(({ status }: { status: number }) => status)).toEqual(Array(8).fill(202));
  });

  it('an event may be nested 256 levels deep, as outside a batch', async () => {
    const nested = (levels: number): string => `{"type":"deep","data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
    const { body } = await api.post(BATCH, `{"events":[${nested(255)},${nested(256)}]}`);
    expect(body.results).toMatchObject([{ status: 202 }, { status: 400, code: 'nested_too_deeply' }]);
  });
});

describe('a batch counts as one call for each of its events, all or none', () => {
  it("burst limit: a batch that doesn't fit gets 429 with what is left, counts as one call, and ingests nothing", async () => {
    const client = await buildCaller(stack, { tier: 'tiny' });
    const seven = await send(client, Array(7).fill(event()));
    expect([seven.status, seven.headers.get('X-RateLimit-Remaining'), counted(seven)]).toEqual([207, '3', 7]);
    const before = await countStored(stack.mongo);
    const four = await send(client, Array(4).fill(event()));
    expect([four.status, four.body]).toEqual([
      429,
      {
        error: expect.stringMatching(/^4 events count as 4 calls; 2 of 10 are left in this minute\. Wait \d+ s/),
        code: 'rate_limit_exceeded',
        retry_after: Number(four.headers.get('Retry-After')),
        remaining: 0,
        request_id: expect.any(String),
      },
    ]);
    expect([four.headers.get('X-RateLimit-Remaining'), counted(four)]).toEqual(['2', 8]);
    const two = await send(client, Array(2).fill(event()));
    expect([two.status, two.headers.get('X-RateLimit-Remaining'), counted(two)]).toEqual([207, '0', 10]);
    expect((await send(client, [event()])).status).toBe(429);
    expect((await countStored(stack.mongo))['events']! - before['events']!).toBe(2);
  });

  it('quota: 429 says how many calls are left this month', async () => {
    const client = await buildCaller(stack, { tier: 'tiny' });
    await send(client, Array(8).fill(event()));
    await stack.mongo.db
      .collection<{ _id: string }>('accounts')
      .updateOne({ _id: client.accountId }, { $set: { 'limits.window_used': 0 } });
    const answer = await send(client, Array(5).fill(event()));
    expectError(answer, 429, {
      error: expect.stringContaining('5 events count as 5 calls; 3 of the monthly quota of 12 are left.'),
      code: 'quota_exceeded',
      quota_limit: 12,
      quota_used: 9,
    });
    expect((await send(client, Array(3).fill(event()))).status).toBe(207);
  });

  it('repeated batches that never fit are refused before their bodies are read', async () => {
    const client = await buildCaller(stack, { tier: 'tiny' });
    await send(client, [event()]);
    const statuses: number[] = [];
    for (let call = 0; call < 9; call += 1) statuses.push((await send(client, Array(10).fill(event()))).status);
    expect(new Set(statuses)).toEqual(new Set([429]));
    // An invalid batch would get 400 if its body were read.
    expect((await client.post(BATCH, '{')).status).toBe(429);
  });

  it('422 names the limit for a batch that can never fit; it counts as one call, like a malformed batch', async () => {
    const client = await buildCaller(stack, { tier: 'tiny' });
    const large = await send(client, Array(11).fill(event()));
    expectError(large, 422, {
      error: '11 events count as 11 calls, and your tier allows 10 a minute: send at most 10 in a batch.',
      code: 'batch_exceeds_limit',
    });
    expect(counted(large)).toBe(1);
    expect(counted(await client.post(BATCH, '{'))).toBe(2);
    const poor = await buildCaller(stack, { tier: 'poor' });
    expect((await send(poor, Array(4).fill(event()))).body.error).toMatch(/your tier allows 3 a month/);
  });

  it("429 before the body has arrived when the month's quota is used up", async () => {
    const client = await buildCaller(stack, { tier: 'poor' });
    expect((await send(client, Array(3).fill(event()))).status).toBe(207);
    const connection = buildRawConnection(stack.url);
    const headers = { Authorization: `Bearer ${client.key}`, 'Content-Type': 'application/json' };
    const bytes = formatRequest({ method: 'POST', path: BATCH, headers: { ...headers, 'Content-Length': '100000' } });

    const [answer] = await connection.send({ bytes });

    connection.close();
    expect([answer!.status, JSON.parse(answer!.text).code]).toEqual([429, 'quota_exceeded']);
  });

  it('a refused batch costs one update of the account', async () => {
    const { db } = stack.mongo;
    const client = await buildCaller(stack, { tier: 'tiny' });
    expect((await send(client, Array(7).fill(event()))).status).toBe(207);
    await db.command({ profile: 2 });
    const tooMany = await send(client, Array(11).fill(event()));
    const notNow = await send(client, Array(4).fill(event()));
    await db.command({ profile: 0 });

    expect([tooMany.status, notNow.status]).toEqual([422, 429]);
    const updates = { 'command.findAndModify': 'accounts', 'command.query._id': client.accountId };
    expect(await db.collection('system.profile').countDocuments(updates)).toBe(2);
  });

  it('counts exactly when batches and single calls run at once in two API processes', async () => {
    const { key } = await stack.account({ tier: 'business' });
    const clients = [apiClient(stack.url, key), apiClient(second.url, key)];
    const sizes = fc.sample(fc.integer({ min: 1, max: 100 }), 40);

    const results = await Promise.all(
      sizes.map(async (any, index) => {
        const size = index % 4 === 0 ? 1 : any;
        const client = clients[index % 2]!;
        const { status } =
          size === 1 ? await client.post(EVENTS, event()) : await send(client, Array(size).fill(event()));
        return { size, status };
      }),
    );

    const passed = results.filter(({ status }) => status === 207 || status === 202);
    const refused = results.filter(({ status }) => status === 429);
    // A batch that is refused is one call, if there is one left.
    const callsOf = (some: typeof results) => some.reduce((sum, { size }) => sum + size, 0);
    expect(callsOf(passed)).toBeLessThanOrEqual(600);
    // A server under load may say that it can't tell whether it took them.
    const unknown = results.filter((result) => !passed.includes(result) && !refused.includes(result));
    for (const { status } of unknown) expect(status).toBe(503);
    const used = callsOf(passed) + callsOf(unknown);
    // What was refused did not fit into what was left at the end.
    for (const { size } of refused) expect(used + refused.length + size).toBeGreaterThan(600);
  });
});
