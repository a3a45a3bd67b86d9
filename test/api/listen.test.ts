import { Webhook } from 'standardwebhooks';
import { listen } from '../../src/cli/listen-commands';
import { followEvents, type StreamedEvent } from '../../src/cli/event-stream';
import { BY_COMMAND_LINE } from '../../src/domain/audit-actions';
import { createManagementKeyStore } from '../../src/keys/management-key-store';
import { revokeManagementKey } from '../../src/keys/manage-management-keys';
import { systemClock } from '../../src/platform/clock';
import { verifySignature } from '../../src/sender/signature';
import { apiClient, expectError, statusesOf, untilStatus } from '../support/api-client';
import { buildApi, useApi } from '../support/build-api';
import { buildCaller } from '../support/build-caller';
import { buildReceiver, useReceiver } from '../support/build-receiver';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';
import { cliOf } from '../support/run-cli';

const EVENTS = '/api/v1/webhooks/events';
const LISTEN = '/api/v1/webhooks/listen';

const stack = useStack({ role: 'api' });
const second = useApi(stack);
const receiver = useReceiver();

/** Follows a stream in the background, as `everpost listen` does. */
function follow(key: string, options: { url?: string; events?: string } = {}) {
  const seen: StreamedEvent[] = [];
  const notices: string[] = [];
  const stop = new AbortController();
  let opened = (): void => undefined;
  const open = new Promise<void>((resolve) => (opened = resolve));
  const ended = (async () => {
    const stream = followEvents({
      url: options.url ?? stack.url,
      key,
      events: options.events ?? '*',
      signal: stop.signal,
      onNotice: (text) => notices.push(text),
      onOpen: opened,
    });
    for await (const event of stream) seen.push(event);
  })();
  ended.catch(() => undefined);
  const ids = async (count: number): Promise<number[]> => {
    await eventually(
      async () => seen.length,
      (length) => length >= count,
    );
    return seen.map(({ id }) => id);
  };
  return {
    seen,
    notices,
    open,
    ended,
    ids,
    async close() {
      stop.abort();
      await ended.catch(() => undefined);
    },
  };
}

/** A connection as it is, with what came so far. */
async function connect(key: string, headers: Record<string, string> = {}, query = '', url = stack.url) {
  const stop = new AbortController();
  const answer = await fetch(`${url}${LISTEN}${query}`, {
    headers: { Authorization: `Bearer ${key}`, ...headers },
    signal: stop.signal,
  });
  let text = '';
  const ended = (async () => {
    for await (const chunk of answer.body!) text += Buffer.from(chunk as Uint8Array).toString();
  })();
  ended.catch(() => undefined);
  const has = (part: string): Promise<string> =>
    eventually(
      async () => text,
      (now) => now.includes(part),
    );
  return { answer, ended, has, close: () => stop.abort() };
}

/** How many change streams on events MongoDB has for this stack. */
async function openWatches(): Promise<number> {
  const { client, db } = stack.mongo;
  const running = [{ $currentOp: { idleCursors: true } }, { $match: { ns: `${db.databaseName}.events` } }];
  const found = await client.db('admin').aggregate(running).toArray();
  return found.filter((operation) => JSON.stringify(operation).includes('$changeStream')).length;
}

/** Where a stream that begins now begins. */
async function positionOf(key: string): Promise<string> {
  const connection = await connect(key);
  const text = await connection.has('event: position');
  connection.close();
  return /^id: (\S+)$/m.exec(text)![1]!;
}

describe('GET /api/v1/webhooks/listen', () => {
  it("streams accepted events of the chosen patterns from every API process, and only the account's own", async () => {
    const [own, other] = [await buildCaller(stack), await buildCaller(stack)];
    const mine = follow(own.key, { url: second.url, events: 'order.*, user.created' });
    const theirs = follow(other.key);
    await Promise.all([mine.open, theirs.open]);

    const sent: number[] = [];
    for (const type of ['order.created', 'orders.created', 'user.created', 'user.deleted', 'order.paid']) {
      sent.push((await own.ingest({ type })).id);
    }
    const batch = await own.post(`${EVENTS}/batch`, {
      events: Array.from({ length: 50 }, () => ({ type: 'order.bulk', data: {} })),
    });

    const expected = [sent[0], sent[2], sent[4], ...batch.body.results.map(({ id }: { id: number }) => id)];
    expect(await mine.ids(expected.length)).toEqual(expected);
    expect(theirs.seen).toEqual([]);
    await Promise.all([mine.close(), theirs.close()]);
  });

  it('sends exactly the bytes that a delivery would send', async () => {
    const { key } = await stack.account();
    const listener = follow(key);
    await listener.open;
    const datas = [
      '{"n":1.0,"big":12345678901234567890}',
      '{\r\n "a"\r:\n[ ],\t"é\\u0041": "\\ud83d" }',
      '{"b":"\u2028"}',
    ];

    for (const data of datas) await apiClient(stack.url, key).post(EVENTS, `{"type":"raw","data":${data}}`);
    await listener.ids(datas.length);
    await listener.close();

    expect(listener.seen.map(({ id, timestamp, body }) => [body, timestamp > 0 && id > 0])).toEqual(
      datas.map((data, index) => {
        const { id, timestamp } = listener.seen[index]!;
        return [`{"id":${id},"type":"raw","data":${data},"timestamp":${timestamp}}`, true];
      }),
    );
  });

  it('a new connection resumes where the last one ended: no event is missed or repeated', async () => {
    const api = await buildCaller(stack);
    const first = await connect(api.key);
    const text = await first.has('event: position');
    const position = /^id: (\S+)$/m.exec(text)![1]!;
    // MongoDB's own position counts the writes of all accounts.
    expect(position).toMatch(/^[0-9a-f]{8}~/);
    const one = (await api.ingest()).id;
    const id = /^id: (\S+)\nevent: event$/m.exec(await first.has(`"id":${one}`))![1]!;
    first.close();
    const two = (await api.ingest()).id;

    const again = await connect(api.key, { 'Last-Event-ID': id });
    const later = await again.has(`"id":${two}`);
    expect(later).not.toContain(`"id":${one},`);
    again.close();
    const fromStart = await connect(api.key, { 'Last-Event-ID': position });
    expect(await fromStart.has(`"id":${two}`)).toContain(`"id":${one},`);
    fromStart.close();
  });

  it.each([
    ['an unknown position', '82'.repeat(20)],
    ['what is not a position', 'abc'],
  ])('%s is reported as a gap, and the stream continues from now', async (_, position) => {
    const { key } = await stack.account();
    const connection = await connect(key, { 'Last-Event-ID': position });
    await connection.has('event: gap');
    await connection.has('event: position');
    const { id } = (await apiClient(stack.url, key).post(EVENTS, { type: 'a', data: {} })).body;
    expect(await connection.has(`"id":${id}`)).toMatch(/event: gap[^]*event: position[^]*event: event/);
    connection.close();
  });

  it('counts as one call with limit headers, and answers 400 for an invalid pattern', async () => {
    const { key } = await stack.account({ tier: 'developer' });
    const connection = await connect(key);
    expect([connection.answer.status, connection.answer.headers.get('Content-Type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect(connection.answer.headers.get('X-Quota-Used')).toBe('1');
    connection.close();
    const wrong = await apiClient(stack.url, key).get(`${LISTEN}?events=order.*,no%20pattern`);
    expectError(wrong, 400, { details: [{ path: 'events[1]', message: expect.any(String) }] });
    expect((await apiClient(stack.url).get(LISTEN)).status).toBe(401);
  });

  it("429 for an account's sixth stream; a stream that ends makes room", async () => {
    const { key } = await stack.account();
    const five = await Promise.all(Array.from({ length: 5 }, () => connect(key)));
    expectError(await apiClient(stack.url, key).get(LISTEN), 429, 'too_many_streams');
    five[0]!.close();
    await eventually(
      async () => {
        const again = await connect(key);
        again.close();
        return again.answer.status;
      },
      (status) => status === 200,
    );
    for (const connection of five) connection.close();
  });

  it('idle streams of many accounts share one MongoDB change stream and block no other account', async () => {
    const [victim, ...idlers] = await Promise.all(Array.from({ length: 41 }, () => stack.account()));
    const idle = await Promise.all(idlers.flatMap(({ key }) => Array.from({ length: 5 }, () => connect(key))));
    expect(statusesOf(idle.map(({ answer }) => answer))).toEqual(idle.map(() => 200));
    await Promise.all(idle.map(({ has }) => has('event: position')));
    const listener = follow(victim!.key);
    await listener.open;

    const sent = await Promise.all(
      Array.from({ length: 50 }, () => apiClient(stack.url, victim!.key).post(EVENTS, { type: 'a', data: {} })),
    );
    expect(new Set(await listener.ids(50))).toEqual(new Set(sent.map(({ body }) => body.id)));
    // Streams of the tests before may still be closing.
    expect(await eventually(openWatches, (count) => count === 1)).toBe(1);
    for (const connection of idle) connection.close();
    await listener.close();
  });

  it('a listener that stops reading gets the missed events later, in order, once', async () => {
    const api = await buildCaller(stack);
    const slow = await connect(api.key, { 'Last-Event-ID': await positionOf(api.key) });
    // More than a stream keeps for its listener.
    const sent: number[] = [];
    for (let batch = 0; batch < 12; batch += 1) {
      const events = Array.from({ length: 100 }, () => ({ type: 'a', data: { text: 'x'.repeat(2_000) } }));
      const { body } = await api.post(`${EVENTS}/batch`, { events });
      sent.push(...body.results.map(({ id }: { id: number }) => id));
    }
    const text = await slow.has(`"id":${sent.at(-1)!},`);
    expect([...text.matchAll(/^data: \{"id":(\d+)/gm)].map(([, id]) => Number(id))).toEqual(sent);
    slow.close();
  });

  it.each([
    ['its key is revoked', (of: { keyId: string }) => ['key', 'revoke', '--id', of.keyId], 401, 'invalid_api_key'],
    [
      'its account is suspended',
      (of: { accountId: string }) => ['account', 'suspend', '--id', of.accountId],
      403,
      'account_suspended',
    ],
  ] as const)('a stream ends in every process when %s', async (_what, commandFor, status, code) => {
    const own = await stack.account();
    const streams = await Promise.all([stack.url, second.url].map((url) => connect(own.key, {}, '', url)));
    try {
      await Promise.all(streams.map((stream) => stream.has('event: position')));

      await cliOf(stack).json(...commandFor(own));

      await Promise.all(streams.map((stream) => stream.has('event: end')));
      await Promise.all(streams.map((stream) => stream.ended));
    } finally {
      for (const stream of streams) stream.close();
    }
    const again = await untilStatus(() => apiClient(stack.url, own.key).get(LISTEN), status);
    expect(again.body.code).toBe(code);
  });

  it('a stream of a management key ends when its account is suspended, and when the key is revoked', async () => {
    const [one, other] = [await stack.account(), await stack.account()];
    const { key, keyId } = await stack.managementKey();
    const [ofOne, ofOther] = await Promise.all(
      [one, other].map(({ accountId }) => connect(key, { 'Everpost-Account': accountId })),
    );
    await Promise.all([ofOne!.has('event: position'), ofOther!.has('event: position')]);

    await cliOf(stack).json('account', 'suspend', '--id', one.accountId);
    await ofOne!.has('the account was suspended');
    await revokeManagementKey(
      { managementKeys: createManagementKeyStore(stack.mongo.db), clock: systemClock },
      keyId,
      BY_COMMAND_LINE,
    );
    await ofOther!.has('the API key was revoked');

    const again = await untilStatus(
      () => apiClient(stack.url, key).get(LISTEN, { 'Everpost-Account': other.accountId }),
      401,
    );
    expect(again.body.code).toBe('invalid_api_key');
    await Promise.all([ofOne!.ended, ofOther!.ended]);
  });

  it('a process that stops ends its streams, and the listener reconnects to another', async () => {
    const api = await buildCaller(stack);
    const first = await buildApi(stack.config);
    const listener = follow(api.key, { url: first.url });
    const connection = await connect(api.key, {}, '', first.url);
    await listener.open;
    const one = (await api.ingest()).id;
    await listener.ids(1);

    await first.close();
    const two = (await api.ingest()).id;
    const next = await buildApi(stack.config, { port: Number(new URL(first.url).port) });

    expect(await listener.ids(2)).toEqual([one, two]);
    // The stream ended properly. A connection that delays the process is cut instead.
    await expect(connection.ended).resolves.toBeUndefined();
    await listener.close();
    await next.close();
  });
});

describe('everpost listen', () => {
  it('forwards each event signed like a delivery, in order, and prints a line for each', async () => {
    const { key } = await stack.account();
    const lines: string[] = [];
    const stop = new AbortController();
    const options = { forward: receiver.url, key, events: 'order.*', url: `${stack.url}/` };
    const running = listen(options, (line) => lines.push(line), stop.signal);
    await eventually(
      async () => lines.length,
      (count) => count >= 2,
    );
    expect(lines[1]).toBe(`Forwarding order.* to ${receiver.url} (Ctrl-C ends it)`);
    const secret = /^Signing secret: (whsec_\S+)/.exec(lines[0]!)![1]!;

    receiver.answerWith((_request, count) => (count === 2 ? 500 : 200));
    const ids: number[] = [];
    for (const data of ['{"n":1.0}', '{"n":2}']) {
      ids.push((await apiClient(stack.url, key).post(EVENTS, `{"type":"order.created","data":${data}}`)).body.id);
    }
    const requests = await receiver.waitFor(2);
    await eventually(
      async () => lines.length,
      (count) => count >= 4,
    );
    for (const [index, { headers, body }] of requests.entries()) {
      expect(JSON.parse(body.toString())).toMatchObject({ id: ids[index], type: 'order.created' });
      expect(verifySignature(secret, body, headers['x-webhook-signature'])).toBe(true);
      expect(() => new Webhook(secret).verify(body.toString(), headers as Record<string, string>)).not.toThrow();
      expect(headers).toMatchObject({ 'x-webhook-id': String(ids[index]), 'x-webhook-type': 'order.created' });
    }
    expect(requests[0]!.body.toString()).toContain('"data":{"n":1.0}');
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  200  order\\.created  ${ids[0]}  \\d+ ms$`)),
      expect.stringMatching(new RegExp(`^\\d\\d:\\d\\d:\\d\\d  500  order\\.created  ${ids[1]}  \\d+ ms$`)),
    ]);
    stop.abort();
    await running;
  });

  it('says once that a receiver answering 401 needs its own secret, unless --secret was given', async () => {
    const { key } = await stack.account();
    const { id } = (await apiClient(stack.url, key).post(EVENTS, { type: 'a', data: {} })).body;
    receiver.answerWith(401);
    const printed = async (options: { secret?: string }): Promise<string[]> => {
      const lines: string[] = [];
      const all = {
        forward: receiver.url,
        key,
        events: '*',
        url: stack.url,
        replay: [String(id), String(id)],
        ...options,
      };
      // The command ends with 1.
      await expect(listen(all, (line) => lines.push(line), new AbortController().signal)).rejects.toThrow(
        '2 of 2 events were not accepted by the receiver.',
      );
      return lines.slice(1);
    };
    expect(await printed({})).toEqual([
      expect.stringMatching(/  401  /),
      expect.stringMatching(/^… .*401.*--secret$/),
      expect.stringMatching(/  401  /),
    ]);
    const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;
    expect(await printed({ secret })).toEqual([expect.stringMatching(/  401  /), expect.stringMatching(/  401  /)]);
  });

  it('--replay forwards past events once, with a given secret, and ends', async () => {
    const { key } = await stack.account();
    const api = apiClient(stack.url, key);
    const { id } = (await api.post(EVENTS, '{"type":"order.paid","data":{ "total" : 1.10 }}')).body;
    const lines: string[] = [];
    const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`;
    receiver.answerWith(204);
    const options = {
      forward: receiver.url,
      key,
      events: '*',
      url: stack.url,
      secret,
      replay: [String(id), String(id)],
    };
    await listen(options, (line) => lines.push(line), new AbortController().signal);
    const { requests } = receiver;
    expect(requests).toHaveLength(2);
    expect(requests[0]!.body.toString()).toContain('"data":{ "total" : 1.10 },"timestamp"');
    expect(verifySignature(secret, requests[0]!.body, requests[0]!.headers['x-webhook-signature'])).toBe(true);
    expect(lines).toEqual([
      `Signing secret: ${secret}`,
      expect.stringMatching(/  204  /),
      expect.stringMatching(/  204  /),
    ]);

    const unknown = { ...options, replay: ['999999999'] };
    await expect(listen(unknown, () => undefined, new AbortController().signal)).rejects.toThrow(
      'Event 999999999: There is no event with this id.',
    );
  });

  it("says why the receiver gave no answer, and ends with the API's error for a wrong key", async () => {
    const { key } = await stack.account();
    const { id } = (await apiClient(stack.url, key).post(EVENTS, { type: 'a', data: {} })).body;
    const gone = await buildReceiver();
    await gone.close();
    const lines: string[] = [];
    const options = { forward: gone.url, key, events: '*', url: stack.url, replay: [String(id)] };
    await expect(listen(options, (line) => lines.push(line), new AbortController().signal)).rejects.toThrow(
      '1 of 1 events were not accepted',
    );
    expect(lines[1]).toMatch(/  no answer  a  \d+  \d+ ms  ECONNREFUSED$/);

    const away = { ...options, url: new URL(gone.url).origin };
    await expect(listen(away, () => undefined, new AbortController().signal)).rejects.toThrow(
      `Event ${id}: no connection (ECONNREFUSED) to ${away.url}`,
    );

    const wrong = { forward: receiver.url, key: `svc_live_weh_${'0'.repeat(32)}`, events: '*', url: stack.url };
    await expect(listen(wrong, () => undefined, new AbortController().signal)).rejects.toThrow(
      'This API key does not exist or was revoked.',
    );
    await expect(
      listen({ ...wrong, forward: 'localhost' }, () => undefined, new AbortController().signal),
    ).rejects.toThrow('--forward must be a URL such as http://localhost:3000/hook.');
  });

  it('says that another server than Everpost answers at --url, instead of waiting for its events', async () => {
    const { key } = await stack.account();
    // The receiver itself: an easy mistake.
    receiver.answerWith(200);
    const options = { forward: receiver.url, key, events: '*', url: new URL(receiver.url).origin };
    const reason = `${options.url} does not answer as Everpost does: is it the address of the API?`;
    for (const replay of [undefined, ['1001']])
      await expect(
        listen({ ...options, ...(replay && { replay }) }, () => undefined, AbortSignal.timeout(5_000)),
      ).rejects.toThrow(reason);

    receiver.answerWith(502);
    const behindProxy = { ...options, replay: ['1001'] };
    await expect(listen(behindProxy, () => undefined, AbortSignal.timeout(5_000))).rejects.toThrow(
      'Event 1001: the API answered 502',
    );
  });
});
