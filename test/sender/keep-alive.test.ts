import type { TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';
import { buildRequest, buildResolver, openStage, type Stage } from './receivers';

jest.setTimeout(20_000);

let stage: Stage;
beforeAll(async () => (stage = await openStage()));
afterEach(() => stage.closeAll());

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const FAILED = 'HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno';

/** A receiver that does what each request number (over all connections) says. */
async function script(...steps: ((socket: Socket) => void)[]) {
  let requests = 0;
  const receiver = await stage.raw((socket) => {
    steps[Math.min(requests, steps.length - 1)]!(socket);
    requests += 1;
  });
  return { ...receiver, requests: () => requests };
}

const answer = (bytes: string) => (socket: Socket) => void socket.write(bytes);
const reset = (socket: Socket) => socket.destroy();

describe('connections are kept', () => {
  test('many requests, one connection, whatever the status', async () => {
    const receiver = await script(answer(OK), answer(FAILED));
    const sender = stage.sender();

    for (let number = 0; number < 20; number += 1) await sender.send(buildRequest(receiver.url));

    expect([receiver.requests(), receiver.connections()]).toEqual([20, 1]);
  });

  test('one look-up for a kept connection, even without a cache', async () => {
    const receiver = await script(answer(OK));
    const resolver = buildResolver(['127.0.0.1']);
    const sender = stage.sender({ resolver, dnsCacheMs: 0 });

    for (let number = 0; number < 5; number += 1)
      await sender.send(buildRequest(`https://receiver.test:${receiver.port}/`));

    expect([receiver.requests(), receiver.connections(), resolver.lookups]).toEqual([5, 1, 1]);
  });

  test('at most so many at a time to one destination; the others wait for one', async () => {
    const receiver = await stage.https((_request, response) => setTimeout(() => response.end('ok'), 20));
    const sender = stage.sender({ maxConnectionsPerDestination: 3 });

    const results = await Promise.all(Array.from({ length: 12 }, () => sender.send(buildRequest(receiver.url))));

    expect(results.filter(({ succeeded }) => succeeded)).toHaveLength(12);
    expect(receiver.connections()).toBe(3);
  });

  test('one look-up for connections that are opened together', async () => {
    const receiver = await stage.https((_request, response) => setTimeout(() => response.end('ok'), 50));
    const resolver = buildResolver(['127.0.0.1']);
    const sender = stage.sender({ resolver });

    await Promise.all(
      Array.from({ length: 8 }, () => sender.send(buildRequest(`https://receiver.test:${receiver.port}/`))),
    );

    expect([receiver.connections(), resolver.lookups]).toEqual([8, 1]);
  });

  test('not when the receiver says close', async () => {
    const receiver = await script(answer('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok'));
    const sender = stage.sender();

    const results = [await sender.send(buildRequest(receiver.url)), await sender.send(buildRequest(receiver.url))];

    // prettier-ignore
    expect(results.map(({ succeeded, resends }) => [succeeded, resends])).toEqual([[true, 0], [true, 0]]);
    expect(receiver.connections()).toBe(2);
  });

  test('not longer than the receiver says, less a second', async () => {
    const receiver = await script(answer('HTTP/1.1 200 OK\r\nKeep-Alive: timeout=3\r\nContent-Length: 2\r\n\r\nok'));
    const sender = stage.sender();

    await sender.send(buildRequest(receiver.url));
    await sender.send(buildRequest(receiver.url));
    expect(receiver.connections()).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    await sender.send(buildRequest(receiver.url));

    expect(receiver.connections()).toBe(2);
  });

  test('not at all when the receiver says a second', async () => {
    const receiver = await script(answer('HTTP/1.1 200 OK\r\nKeep-Alive: timeout=1\r\nContent-Length: 2\r\n\r\nok'));
    const sender = stage.sender();

    await sender.send(buildRequest(receiver.url));
    await sender.send(buildRequest(receiver.url));

    expect(receiver.connections()).toBe(2);
  });

  test('TLS sessions are resumed on new connections', async () => {
    const resumed: boolean[] = [];
    const receiver = await stage.https(
      (request, response) => {
        resumed.push((request.socket as TLSSocket).isSessionReused());
        response.setHeader('Connection', 'close');
        response.end('ok');
      },
      // With TLS 1.3 tickets come after the handshake; the answer may come before them.
      { maxVersion: 'TLSv1.2' },
    );
    const sender = stage.sender();

    for (let number = 0; number < 3; number += 1) await sender.send(buildRequest(receiver.url));

    expect(resumed).toEqual([false, true, true]);
  });
});

describe('a kept connection that turns out to be dead', () => {
  test('is replaced by a new one, once, inside the attempt', async () => {
    const receiver = await script(answer(OK), reset, answer(OK));
    const sender = stage.sender();

    const first = await sender.send(buildRequest(receiver.url));
    const second = await sender.send(buildRequest(receiver.url));

    expect(first).toMatchObject({ succeeded: true, resends: 0 });
    expect(second).toMatchObject({ succeeded: true, statusCode: 200, resends: 1 });
    expect([receiver.requests(), receiver.connections()]).toEqual([3, 2]);
  });

  test('is replaced only once', async () => {
    const receiver = await script(answer(OK), reset, reset);
    const sender = stage.sender();

    await sender.send(buildRequest(receiver.url));
    const second = await sender.send(buildRequest(receiver.url));

    expect(second).toMatchObject({ succeeded: false, errorCode: 'connection_reset', resends: 1 });
    expect([receiver.requests(), receiver.connections()]).toEqual([3, 2]);
  });

  test('is replaced by a new connection even if others are idle', async () => {
    let dead = false;
    const receiver = await stage.raw((socket, _request, number) => {
      if (dead && number > 1) socket.destroy();
      else setTimeout(() => socket.write(OK), 30);
    });
    const sender = stage.sender();
    await Promise.all(Array.from({ length: 5 }, () => sender.send(buildRequest(receiver.url))));
    dead = true;

    const result = await sender.send(buildRequest(receiver.url));

    expect(result).toMatchObject({ succeeded: true, resends: 1 });
    expect(receiver.connections()).toBe(6);
  });

  test('is not replaced after a part of an answer', async () => {
    const receiver = await script(answer(OK), (socket) => socket.end('HTTP/1.1 2'));
    const sender = stage.sender();

    await sender.send(buildRequest(receiver.url));
    const second = await sender.send(buildRequest(receiver.url));

    expect(second).toMatchObject({ succeeded: false, errorCode: 'connection_reset', resends: 0 });
    expect(receiver.requests()).toBe(2);
  });

  test('is not replaced after an interim answer', async () => {
    const receiver = await script(answer(OK), (socket) => socket.end('HTTP/1.1 102 Processing\r\n\r\n'));
    const sender = stage.sender();

    await sender.send(buildRequest(receiver.url));
    const second = await sender.send(buildRequest(receiver.url));

    expect(second).toMatchObject({ errorCode: 'connection_reset', resends: 0 });
    expect(receiver.requests()).toBe(2);
  });

  test('is not replaced after garbage or silence', async () => {
    const garbage = await script(answer(OK), answer('garbage'));
    const silence = await script(answer(OK), () => undefined);
    const sender = stage.sender({ timeoutMs: 1_000 });

    for (const { url } of [garbage, silence]) await sender.send(buildRequest(url));
    const results = [await sender.send(buildRequest(garbage.url)), await sender.send(buildRequest(silence.url))];

    // prettier-ignore
    expect(results.map(({ errorCode, resends }) => [errorCode, resends])).toEqual([['protocol_error', 0], ['timeout', 0]]);
    expect([garbage.requests(), silence.requests()]).toEqual([2, 2]);
  });

  test('shares the deadline of the attempt with its replacement', async () => {
    const receiver = await script(
      answer(OK),
      (socket) => setTimeout(() => socket.destroy(), 500),
      () => undefined,
    );
    const sender = stage.sender({ timeoutMs: 1_000 });
    await sender.send(buildRequest(receiver.url));
    const started = performance.now();

    const result = await sender.send(buildRequest(receiver.url));

    expect(result).toMatchObject({ errorCode: 'timeout', resends: 1 });
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test('is noticed while idle, mostly', async () => {
    const receiver = await script((socket) => socket.end(OK), answer(OK));
    const sender = stage.sender();

    await sender.send(buildRequest(receiver.url));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const second = await sender.send(buildRequest(receiver.url));

    expect(second).toMatchObject({ succeeded: true, resends: 0 });
    expect(receiver.connections()).toBe(2);
  });

  test('a connection handed over directly to a waiting request counts as used', async () => {
    const receiver = await script((socket) => setTimeout(() => socket.write(OK), 50), reset, answer(OK));
    const sender = stage.sender({ maxConnectionsPerDestination: 1 });

    const results = await Promise.all([
      sender.send(buildRequest(receiver.url)),
      sender.send(buildRequest(receiver.url)),
    ]);

    // prettier-ignore
    expect(results.map(({ succeeded, resends }) => [succeeded, resends])).toEqual([[true, 0], [true, 1]]);
  });
});

describe('bytes that nobody asked for', () => {
  test('a second answer to one request is not taken for the answer to the next', async () => {
    const receiver = await script(answer(OK + OK), answer(FAILED));
    const sender = stage.sender();

    const results = [await sender.send(buildRequest(receiver.url)), await sender.send(buildRequest(receiver.url))];

    expect(results.map(({ statusCode }) => statusCode)).toEqual([200, 500]);
  });

  test('neither is one that comes while the connection is idle', async () => {
    // Proxies do this: a 408 on a connection that was idle for too long.
    const receiver = await script((socket) => {
      socket.write(OK);
      setTimeout(() => socket.write('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n'), 30);
    }, answer(FAILED));
    const sender = stage.sender();

    await sender.send(buildRequest(receiver.url));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const second = await sender.send(buildRequest(receiver.url));

    expect(second).toMatchObject({ statusCode: 500, resends: 0 });
    expect(receiver.connections()).toBe(2);
  });
});
