import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  createEverpost,
  EverpostError,
  SignatureError,
  verify,
  type Account,
  type AccountUsage,
  type Delivery,
  type Endpoint,
  type EventToSend,
} from '../../client/src/index';
import { createRetryingFetch } from '../../client/src/back-off';
import { signDelivery } from '../../src/sender/signature';
import { useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { useTemporaryFolder } from '../support/temporary-folder';

const ROOT = join(__dirname, '..', '..');
const folder = useTemporaryFolder();

describe('the package', () => {
  it('compiles on its own, without the rest of the repository, for `import` and for `require`', () => {
    const run = { cwd: folder(), encoding: 'utf8' } as const;
    execFileSync(process.execPath, [join(ROOT, 'client', 'build.mjs'), join(folder(), 'dist')], { stdio: 'inherit' });
    const print = 'console.log(typeof it.verify)';
    const esm = ['--input-type=module', '-e', `const it = await import('./dist/esm/verify.js'); ${print}`];
    expect(execFileSync(process.execPath, esm, run)).toBe('function\n');
    // As a Node does that can't require an ES module.
    const cjs = ['--no-experimental-require-module', '-e', `const it = require('./dist/cjs/verify.js'); ${print}`];
    expect(execFileSync(process.execPath, cjs, run)).toBe('function\n');
  });
});

describe('against the API', () => {
  const stack = useStack();
  const receiver = useReceiver();

  const client = async () => createEverpost({ baseUrl: stack.url, apiKey: (await stack.account()).key });

  it('registers an endpoint, sends events, and the receiver verifies them', async () => {
    const everpost = await client();
    const created = await everpost.api.POST('/api/v1/webhooks/endpoints', {
      body: { url: receiver.url, events: ['order.*'] },
    });
    expect([created.response.status, created.error]).toEqual([201, undefined]);
    const { secret } = created.data!;
    const event = { type: 'order.created', data: { order_id: 'ord_42' }, idempotency_key: 'ord_42_created' };
    const accepted = await everpost.events.send(event);
    expect(accepted).toMatchObject({ type: 'order.created', duplicate: false, deliveries: 1 });
    expect(await everpost.events.send(event)).toEqual({ ...accepted, duplicate: true });
    const [paid, refused] = await everpost.events.sendBatch([
      { type: 'order.paid', data: {} },
      { type: 'not a type', data: {} },
    ]);
    expect(paid).toMatchObject({ status: 202, type: 'order.paid' });
    expect(refused).toMatchObject({ status: 400, code: 'invalid_request' });

    const requests = await receiver.waitFor(2);
    const received = requests.map(({ body, headers }) => verify<{ order_id?: string }>({ secret, body, headers }));
    expect(received.find(({ id }) => id === accepted.id)?.data.order_id).toBe('ord_42');
    const { data } = await everpost.api.GET('/api/v1/webhooks/events/{event_id}', {
      params: { path: { event_id: accepted.id } },
    });
    expect(data!.deliveries).toHaveLength(1);
  });

  it("supports an endpoint's own secret and metadata, the look-up by idempotency key, and the replay of an event", async () => {
    const everpost = await client();
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const body = { url: receiver.url, events: ['moved.*'], secret, metadata: { tenant: 'acme' }, enabled: false };
    const endpoint = (await everpost.api.POST('/api/v1/webhooks/endpoints', { body })).data!;
    expect(endpoint).toMatchObject({ secret, metadata: { tenant: 'acme' }, status: 'paused' });
    const { id } = await everpost.events.send({ type: 'moved.in', data: {}, idempotency_key: 'moved_1' });

    const found = await everpost.api.GET('/api/v1/webhooks/events', {
      params: { query: { idempotency_key: 'moved_1', type: 'moved.*' } },
    });
    const replay = await everpost.api.POST('/api/v1/webhooks/events/{event_id}/replay', {
      params: { path: { event_id: id } },
      body: { endpoint_ids: [endpoint.id] },
    });

    expect(found.data!.events).toMatchObject([{ id, deliveries: [{ held_for: 'paused' }] }]);
    expect([replay.response.status, replay.error]).toMatchObject([409, { code: 'nothing_to_replay' }]);
  });

  it('iterates over a list page by page, from a given cursor', async () => {
    const everpost = await client();
    const body = { url: receiver.url, events: ['listed.*'], enabled: false };
    const { id: endpointId } = (await everpost.api.POST('/api/v1/webhooks/endpoints', { body })).data!;
    const sent: number[] = [];
    for (const type of ['listed.1', 'listed.2', 'listed.3'])
      sent.unshift((await everpost.events.send({ type, data: {} })).id);

    const listed: number[] = [];
    for await (const event of everpost.events.list({ type: 'listed.*', limit: 2 })) listed.push(event.id);
    expect(listed).toEqual(sent);
    const { events, next_cursor } = await everpost.events.list({ limit: 2 }).page();
    expect(events.map(({ id }) => id)).toEqual(sent.slice(0, 2));
    const rest = await everpost.events.list({ limit: 2, cursor: next_cursor }).page();
    expect([rest.events.map(({ id }) => id), rest.next_cursor]).toEqual([sent.slice(2), null]);
    const again = await everpost.events.list({ limit: 2, cursor: rest.next_cursor }).page();
    expect(again.events).toEqual(events);

    const deliveries: Delivery[] = [];
    for await (const delivery of everpost.deliveries.list({ event_id: sent[0]! })) deliveries.push(delivery);
    expect(deliveries).toMatchObject([{ event_id: sent[0], endpoint_id: endpointId, held_for: 'paused' }]);
    const endpoints: Endpoint[] = [];
    for await (const endpoint of everpost.endpoints.list()) endpoints.push(endpoint);
    expect(endpoints).toMatchObject([{ id: endpointId, status: 'paused' }]);
    for await (const replay of everpost.replays.list()) throw new Error(`nothing was replayed: ${replay.job_id}`);
    const refused = everpost.events.list({ cursor: 'nowhere' })[Symbol.asyncIterator]().next();
    await expect(refused).rejects.toMatchObject({ name: 'EverpostError', status: 400, code: 'invalid_request' });
  });

  it('gives the result of each event of a batch by its status', async () => {
    const everpost = await client();
    const results = await everpost.events.sendBatch([
      { type: 'a', data: {} },
      { type: 'everpost.a', data: {} },
    ]);
    // A union discriminated by `status`: neither side has the other's fields.
    const told = results.map((it) => (it.status === 200 || it.status === 202 ? it.deliveries : it.code));
    expect(told).toEqual([0, 'reserved_event_type']);
  });

  it('creates accounts with a management key, and acts for one of them', async () => {
    const { key } = await stack.managementKey();
    const everpost = createEverpost({ baseUrl: stack.url, apiKey: key });
    const made = await everpost.accounts.put('cus_1', { name: 'Acme', limits: { per_minute: 600 } });
    await everpost.accounts.put('cus_2');
    expect(made).toMatchObject({ external_id: 'cus_1', name: 'Acme', limits: { per_minute: 600 } });
    expect(await everpost.accounts.put('cus_1', { name: 'Acme' })).toEqual(made);
    expect(await everpost.accounts.get(made.id)).toEqual(made);
    const accounts: Account[] = [];
    for await (const account of everpost.accounts.list({ limit: 1 })) accounts.push(account);
    const ours = accounts.flatMap(({ external_id: id }) => (id === null ? [] : [id]));
    expect(ours).toEqual(['cus_2', 'cus_1']);

    const [one, other] = [everpost.account('cus_1'), everpost.account('cus_2')];
    const endpoint = await one.api.POST('/api/v1/webhooks/endpoints', { body: { url: receiver.url, enabled: false } });
    expect(endpoint.response.status).toBe(201);
    const sent = await one.events.send({ type: 'order.created', data: {} });
    const [inBatch] = await one.events.sendBatch([{ type: 'order.paid', data: {} }]);
    expect([sent.deliveries, inBatch!.status]).toEqual([1, 202]);
    const events: number[] = [];
    for await (const { id } of one.events.list({ limit: 1 })) events.push(id);
    expect(events).toHaveLength(2);
    expect((await other.events.list().page()).events).toEqual([]);
    await expect(everpost.events.send({ type: 'order.created', data: {} })).rejects.toMatchObject({
      status: 400,
      code: 'account_required',
    });

    const today = new Date();
    const dayOf = (offset: number) => new Date(today.getTime() + offset * 86_400_000).toISOString().slice(0, 10);
    const used = await eventually(
      async () => {
        const days: AccountUsage['usage'] = [];
        for await (const day of everpost.accounts.usage({ after: dayOf(-1), before: dayOf(2) })) days.push(day);
        return days.filter(({ external_id: id }) => id === 'cus_1');
      },
      // Each count is written by itself.
      ([day]) => day?.calls === 5 && day.events === 2 && day.deliveries === 2,
    );
    expect(used).toMatchObject([{ account_id: made.id, failed_attempts: 0 }]);

    const portal = await everpost.accounts.portalSessions.create('cus_1', { role: 'viewer', subject: 'user_7' });
    expect(portal).toEqual({
      url: expect.stringContaining('/portal#'),
      token: expect.stringMatching(/^svc_portal_/),
      expires_at: expect.any(String),
    });
    expect(await everpost.accounts.delete('cus_2')).toMatchObject({ external_id: 'cus_2', status: 'deleting' });
    await expect(everpost.accounts.get('nobody')).rejects.toMatchObject({ status: 404, code: 'account_not_found' });
  });

  it("throws an error with the API's message when a call is refused", async () => {
    const everpost = await client();
    const refusal = await everpost.events.send({ type: 'no type', data: {} }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(EverpostError);
    expect(refusal).toMatchObject({
      status: 400,
      code: 'invalid_request',
      requestId: expect.stringMatching(/^req_/),
      details: [{ path: 'type', message: expect.any(String) }],
    });
    const stranger = createEverpost({ baseUrl: stack.url, apiKey: `svc_live_weh_${'0'.repeat(32)}` });
    await expect(stranger.events.sendBatch([{ type: 'a', data: {} }])).rejects.toMatchObject({ status: 401 });
  });
});

describe('retries', () => {
  type Scripted = { status: number; retryAfter?: string } | 'hang up';
  let server: Server;
  let url: string;
  let answers: Scripted[];
  let bodies: string[];
  let waits: number[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        bodies.push(Buffer.concat(chunks).toString());
        const answer = answers.shift();
        if (answer === undefined || answer === 'hang up') return request.socket.destroy();
        const retryAfter = answer.retryAfter === undefined ? {} : { 'Retry-After': answer.retryAfter };
        return response.writeHead(answer.status, { 'Content-Type': 'application/json', ...retryAfter }).end('{}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    [bodies, waits] = [[], []];
  });

  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    createRetryingFetch({ fetch, sleep: async (ms) => void waits.push(ms), random: () => 0.5, now: () => 0 })(
      new Request(`${url}${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) }),
    );
  const EVENTS = '/api/v1/webhooks/events';

  it('wait for Retry-After, doubled each time and with jitter, and stop after five', async () => {
    answers = Array.from({ length: 9 }, () => ({ status: 429, retryAfter: '3' }));
    expect((await send('POST', EVENTS, { type: 'a', data: {} })).status).toBe(429);
    expect(waits).toEqual([3_250, 6_250, 12_250, 24_250, 48_250]);
    expect(new Set(bodies).size).toBe(1);
    expect(bodies).toHaveLength(6);
  });

  it("don't wait for the next month when the quota is used up", async () => {
    answers = [{ status: 429, retryAfter: '86400' }];
    expect((await send('GET', EVENTS)).status).toBe(429);
    expect(waits).toEqual([]);
  });

  it('repeat a repeatable call after 500, 503 or no answer', async () => {
    answers = ['hang up', { status: 500 }, { status: 503, retryAfter: '2' }, { status: 202 }];
    expect((await send('POST', EVENTS, { idempotency_key: 'k' })).status).toBe(202);
    expect(waits).toEqual([1_250, 2_250, 8_250]);
    answers = ['hang up', { status: 207 }];
    expect((await send('POST', `${EVENTS}/batch`, { events: [{ idempotency_key: 'k' }] })).status).toBe(207);
  });

  it.each([502, 504])('repeat it after %i of a proxy, which has no answer of the API', async (status) => {
    answers = [{ status }, { status: 202 }];
    expect((await send('POST', EVENTS, { idempotency_key: 'k' })).status).toBe(202);
    answers = [{ status }];
    expect((await send('POST', EVENTS, { type: 'a' })).status).toBe(status);
  });

  it('end when the caller aborts the call, also while they wait', async () => {
    answers = [{ status: 429, retryAfter: '60' }];
    const stop = new AbortController();
    const answer = new EventEmitter();
    const fetchAndTell = async (request: Request): Promise<Response> => {
      const response = await fetch(request);
      answer.emit('here');
      return response;
    };
    const { api } = createEverpost({ baseUrl: url, apiKey: 'k', fetch: fetchAndTell });
    const isHere = once(answer, 'here');
    const call = api.GET(EVENTS, { signal: stop.signal });
    await isHere;
    await setImmediate();
    stop.abort(new Error('no time'));
    await expect(call).rejects.toThrow('no time');
    expect(bodies).toHaveLength(1);
  });

  it("never repeat a call that isn't safe to repeat", async () => {
    answers = [{ status: 503, retryAfter: '2' }];
    expect((await send('POST', EVENTS, { type: 'a' })).status).toBe(503);
    answers = [{ status: 500 }];
    const batch = { events: [{ idempotency_key: 'k' }, {}] };
    expect((await send('POST', `${EVENTS}/batch`, batch)).status).toBe(500);
    answers = ['hang up'];
    await expect(send('POST', '/api/v1/webhooks/deliveries/1.ep_x/replay')).rejects.toThrow('fetch failed');
    expect(waits).toEqual([]);
  });

  it.each<[string, EventToSend]>([
    ['without one', { type: 'a', data: {} }],
    ['whose key is undefined', { type: 'a', data: {}, idempotency_key: undefined }],
  ])('`events.send` gives an event %s one idempotency key for all its tries', async (_, event) => {
    answers = ['hang up', { status: 202 }];
    const before = { ...event };
    await createEverpost({ baseUrl: url, apiKey: 'k' }).events.send(event);
    const keys = bodies.map((body) => (JSON.parse(body) as { idempotency_key: string }).idempotency_key);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), keys[0]]);
    expect(event).toEqual(before);
  });
});

describe('verify', () => {
  interface Vector {
    readonly name: string;
    readonly secret: string;
    readonly next_secret?: string;
    readonly headers: Record<string, string>;
    readonly body_base64: string;
  }
  const { accepted, refused } = JSON.parse(readFileSync(join(ROOT, 'docs', 'vectors', 'signatures.json'), 'utf8')) as {
    accepted: Vector[];
    refused: Vector[];
  };
  const bytesOf = ({ body_base64 }: Vector): Buffer => Buffer.from(body_base64, 'base64');
  const isStandard = ([name]: [string, string]): boolean => name.startsWith('webhook-');

  it.each(accepted)('accepts by both schemes: $name', (vector) => {
    const body = bytesOf(vector);
    const plain = Object.fromEntries(Object.entries(vector.headers).filter((entry) => !isStandard(entry)));
    const standard = Object.fromEntries(Object.entries(vector.headers).filter(isStandard));
    for (const headers of [plain, standard, new Headers(vector.headers)]) {
      const event = verify({ secret: vector.secret, body, headers, toleranceSeconds: 0, acceptUntimed: true });
      expect(event.checked).toBe(headers === plain ? 'x-webhook-signature' : 'webhook-signature');
      expect([String(event.id), event.type]).toEqual([
        vector.headers['X-Webhook-ID'],
        vector.headers['X-Webhook-Type'],
      ]);
    }
    if (vector.next_secret !== undefined) {
      for (const headers of [plain, standard]) {
        const secret = [`whsec_${'A'.repeat(32)}`, vector.next_secret];
        expect(() => verify({ secret, body, headers, toleranceSeconds: 0, acceptUntimed: true })).not.toThrow();
      }
    }
  });

  it.each(refused)('refuses: $name', (vector) => {
    const delivery = {
      secret: vector.secret,
      headers: vector.headers,
      body: bytesOf(vector),
      toleranceSeconds: 0,
      acceptUntimed: true,
    };
    expect(() => verify(delivery)).toThrow(SignatureError);
  });

  it('prints as a SignatureError', () => {
    const refusal = new SignatureError('no');
    expect([`${refusal}`, refusal.stack?.split('\n')[0]]).toEqual(['SignatureError: no', 'SignatureError: no']);
    const { stack } = new EverpostError(401, undefined);
    expect(stack?.split('\n')[0]).toBe('EverpostError: The API answered 401.');
  });

  const secret = `whsec_${Buffer.from('a secret that is long enough').toString('base64')}`;
  const body = Buffer.from('{"id":1,"type":"a","data":{},"timestamp":1}');
  const sign = (ageSeconds: number): Record<string, string> =>
    signDelivery({
      secrets: { current: secret },
      body,
      eventId: 1,
      eventType: 'a',
      timestampSeconds: Math.floor(Date.now() / 1_000) - ageSeconds,
    });

  it('refuses a replay without `webhook-signature`, whatever its age', () => {
    const { 'webhook-signature': signature, ...stripped } = sign(1_500);
    const replays = [
      stripped,
      { ...stripped, 'X-Webhook-Timestamp': String(Math.floor(Date.now() / 1_000)) },
      { ...sign(0), 'webhook-signature': '' },
      { ...sign(0), 'webhook-signature': [signature!, signature!] },
      new Headers(stripped),
    ];
    for (const headers of replays) expect(() => verify({ secret, body, headers })).toThrow(SignatureError);
    expect(() => verify({ secret, body, headers: stripped })).toThrow(
      'The header webhook-signature is missing: without it the age of the delivery is unknown.',
    );
  });

  it('accepts the untimed signature only when asked for, and says which one was checked', () => {
    const { 'webhook-signature': _, ...stripped } = sign(1_500);
    const untimed = { secret, body, headers: stripped, acceptUntimed: true };
    expect(verify(untimed)).toEqual({ id: 1, type: 'a', data: {}, timestamp: 1, checked: 'x-webhook-signature' });
    expect(verify({ ...untimed, headers: sign(0) }).checked).toBe('webhook-signature');
    expect(() => verify({ ...untimed, headers: sign(1_500) })).toThrow('s old, or from the future');
    const changed = { ...untimed, body: `${body.toString()} ` };
    expect(() => verify(changed)).toThrow('The signature in X-Webhook-Signature is wrong.');
  });

  it('reads the headers of any implementation of fetch', () => {
    const entries = new Map(Object.entries(sign(0)).map(([name, value]) => [name.toLowerCase(), value]));
    const headers = { get: (name: string) => entries.get(name.toLowerCase()) ?? null };
    expect(verify({ secret, body, headers })).toMatchObject({ id: 1, checked: 'webhook-signature' });
    entries.delete('webhook-signature');
    expect(() => verify({ secret, body, headers })).toThrow('webhook-signature is missing');
  });

  it.each(['', 'whsec_', ['', secret], undefined as unknown as string])(
    'throws for an empty secret, with which anyone can sign: %j',
    (empty) => {
      const forged = signDelivery({
        secrets: { current: '' },
        body,
        eventId: 1,
        eventType: 'a',
        timestampSeconds: Math.floor(Date.now() / 1_000),
      });
      expect(() => verify({ secret: empty, body, headers: forged })).toThrow('A signing secret is empty.');
    },
  );

  it.each([
    [{ id: 1 }, '`body` is a parsed one'],
    [undefined, '`body` is missing'],
  ])('says that it needs the raw body: %j', (parsed, message) => {
    const delivery = { secret, body: parsed as unknown as string, headers: sign(0) };
    expect(() => verify(delivery)).toThrow(TypeError);
    expect(() => verify(delivery)).toThrow(message);
    expect(() => verify(delivery)).toThrow("express.raw({ type: 'application/json' })");
  });

  it('takes the raw body as text, as bytes and as a buffer', () => {
    const bytes = Uint8Array.from(body);
    for (const raw of [body, body.toString(), bytes, bytes.buffer]) {
      expect(verify({ secret, body: raw, headers: sign(0) })).toMatchObject({ id: 1 });
    }
  });

  it('refuses deliveries that are older than 5 minutes, changed, signed with another secret, or unsigned', () => {
    expect(verify({ secret, body: body.toString(), headers: sign(290) })).toMatchObject({ id: 1, type: 'a' });
    const wrong = [
      { secret, body, headers: sign(310) },
      { secret, body, headers: sign(-310) },
      { secret, body, headers: sign(30), toleranceSeconds: 10 },
      { secret, body: `${body.toString()} `, headers: sign(0) },
      { secret: `whsec_${'A'.repeat(32)}`, body, headers: sign(0) },
      { secret, body, headers: { ...sign(0), 'webhook-timestamp': 'now' } },
      { secret, body, headers: {} },
      { secret: [], body, headers: sign(0) },
    ];
    for (const delivery of wrong) expect(() => verify(delivery)).toThrow(SignatureError);
  });
});
