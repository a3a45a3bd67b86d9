import type { ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually';
import { buildRequest, buildResolver, named, useSenderTestbed } from './receivers';

jest.setTimeout(20_000);

const testbed = useSenderTestbed();

const okWith = (header: string) => `HTTP/1.1 200 OK\r\n${header}Content-Length: 2\r\n\r\nok`;
const OK = okWith('');
const FAILED = 'HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno';

/** A receiver with a script: one step for each request number over all connections. */
async function script(...steps: ((socket: Socket) => void)[]) {
  let requests = 0;
  const receiver = await testbed.raw((socket) => {
    steps[Math.min(requests, steps.length - 1)]!(socket);
    requests += 1;
  });
  return { ...receiver, requests: () => requests };
}

const answer = (bytes: string) => (socket: Socket) => void socket.write(bytes);
const reset = (socket: Socket) => socket.destroy();

/** Sends as many requests, one after the other, with one sender. */
async function sendTimes(count: number, url: string, sender = testbed.sender()) {
  const results = [];
  for (let number = 0; number < count; number += 1) results.push(await sender.send(buildRequest(url)));
  return results;
}

/** Sends as many at the same time. */
function sendTogether(count: number, url: string, sender = testbed.sender()) {
  return Promise.all(Array.from({ length: count }, () => sender.send(buildRequest(url))));
}

describe('connections are kept alive', () => {
  it('for many requests on one connection, whatever the status', async () => {
    const receiver = await script(answer(OK), answer(FAILED));

    await sendTimes(20, receiver.url);

    expect([receiver.requests(), receiver.connections()]).toEqual([20, 1]);
  });

  it('without leaving listeners on the connection', async () => {
    const receiver = await script(answer(OK));
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', note);

    await sendTimes(20, receiver.url);
    await new Promise(setImmediate);

    process.off('warning', note);
    expect([receiver.connections(), warnings]).toEqual([1, []]);
  });

  it('with one DNS look-up, even without a cache', async () => {
    const receiver = await script(answer(OK));
    const resolver = buildResolver(['127.0.0.1']);

    await sendTimes(5, named(receiver), testbed.sender({ resolver, dnsCacheMs: 0 }));

    expect([receiver.requests(), receiver.connections(), resolver.lookups]).toEqual([5, 1, 1]);
  });

  it("and a hundred hanging requests to one host don't block another host", async () => {
    const hanging: ServerResponse[] = [];
    const receiver = await testbed.https((request, response) => {
      if (request.url === '/hook') hanging.push(response);
      else response.end('ok');
    });
    const sender = testbed.sender({ timeoutMs: 15_000 });
    const unanswered = sendTogether(100, receiver.url, sender);
    await eventually(
      () => hanging.length,
      (count) => count >= 64,
    );

    const results = await sendTimes(20, receiver.url.replace('/hook', '/other'), sender);

    expect(results.filter(({ succeeded }) => succeeded)).toHaveLength(20);
    await eventually(
      () => hanging.length,
      (count) => count === 100,
    );
    for (const response of hanging) response.end('late');
    expect((await unanswered).every(({ statusCode }) => statusCode === 200)).toBe(true);
  });

  it('with one DNS look-up for connections opened together', async () => {
    const receiver = await testbed.okay({}, 50);
    const resolver = buildResolver(['127.0.0.1']);

    await sendTogether(8, named(receiver), testbed.sender({ resolver }));

    expect([receiver.connections(), resolver.lookups]).toEqual([8, 1]);
  });

  it.each([
    ['not when the receiver sends Connection: close', 'Connection: close\r\n'],
    ['not when the receiver keeps them for one second', 'Keep-Alive: timeout=1\r\n'],
  ])('%s', async (_what, header) => {
    const receiver = await script(answer(okWith(header)));

    const [first, second] = await sendTimes(2, receiver.url);

    for (const result of [first, second]) expect(result).toMatchObject({ succeeded: true, resends: 0 });
    expect(receiver.connections()).toBe(2);
  });

  it("for a second less than the receiver's timeout", async () => {
    let close = (): void => undefined;
    const closed = new Promise<void>((resolve) => (close = resolve));
    const receiver = await script((socket) => {
      socket.once('close', close);
      socket.write(okWith('Keep-Alive: timeout=2\r\n'));
    });
    const sender = testbed.sender();

    await sendTimes(2, receiver.url, sender);
    expect(receiver.connections()).toBe(1);
    // After a second: this receiver would never close it.
    await closed;
    await sender.send(buildRequest(receiver.url));

    expect(receiver.connections()).toBe(2);
  });

  it('and new ones resume TLS sessions', async () => {
    const resumed: boolean[] = [];
    const receiver = await testbed.https(
      (request, response) => {
        resumed.push((request.socket as TLSSocket).isSessionReused());
        response.setHeader('Connection', 'close');
        response.end('ok');
      },
      // With TLS 1.3 tickets come after the handshake; the answer may come before them.
      { maxVersion: 'TLSv1.2' },
    );

    await sendTimes(3, receiver.url);

    expect(resumed).toEqual([false, true, true]);
  });
});

describe('a reused connection that turns out to be dead', () => {
  it.each([
    ['by a new one, inside the attempt', answer(OK), { succeeded: true, statusCode: 200, resends: 1 }],
    ['only once', reset, { succeeded: false, errorCode: 'connection_reset', resends: 1 }],
  ])('is replaced %s', async (_how, third, expected) => {
    const receiver = await script(answer(OK), reset, third);

    const [first, second] = await sendTimes(2, receiver.url);

    expect(first).toMatchObject({ succeeded: true, resends: 0 });
    expect(second).toMatchObject(expected);
    expect([receiver.requests(), receiver.connections()]).toEqual([3, 2]);
  });

  it('is replaced by a new connection even if others are idle', async () => {
    let dead = false;
    const receiver = await testbed.raw((socket, _request, number) => {
      if (dead && number > 1) socket.destroy();
      else setTimeout(() => socket.write(OK), 30);
    });
    const sender = testbed.sender();
    await sendTogether(5, receiver.url, sender);
    dead = true;

    const result = await sender.send(buildRequest(receiver.url));

    expect(result).toMatchObject({ succeeded: true, resends: 1 });
    expect(receiver.connections()).toBe(6);
  });

  it.each<[what: string, (socket: Socket) => void, errorCode: string]>([
    ['a part of an answer', (socket) => socket.end('HTTP/1.1 2'), 'connection_reset'],
    ['an interim answer', (socket) => socket.end('HTTP/1.1 102 Processing\r\n\r\n'), 'connection_reset'],
    ['garbage', answer('garbage'), 'protocol_error'],
    ['silence', () => undefined, 'timeout'],
  ])('is not replaced after %s', async (_what, second, errorCode) => {
    const receiver = await script(answer(OK), second);

    const [, result] = await sendTimes(2, receiver.url, testbed.sender({ timeoutMs: 1_000 }));

    expect(result).toMatchObject({ succeeded: false, errorCode, resends: 0 });
    expect(receiver.requests()).toBe(2);
  });

  it('is usually noticed while idle', async () => {
    const receiver = await script((socket) => socket.end(OK), answer(OK));
    const sender = testbed.sender();

    await sender.send(buildRequest(receiver.url));
    await sleep(50);
    const second = await sender.send(buildRequest(receiver.url));

    expect(second).toMatchObject({ succeeded: true, resends: 0 });
    expect(receiver.connections()).toBe(2);
  });
});

describe('unexpected bytes', () => {
  it('a second answer to one request is not used for the next request', async () => {
    const receiver = await script(answer(OK + OK), answer(FAILED));

    const results = await sendTimes(2, receiver.url);

    expect(results.map(({ statusCode }) => statusCode)).toEqual([200, 500]);
  });

  it('nor is one that arrives while the connection is idle', async () => {
    // Proxies do this: a 408 on a connection that was idle for too long.
    const receiver = await script((socket) => {
      socket.write(OK);
      setTimeout(() => socket.write('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n'), 30);
    }, answer(FAILED));
    const sender = testbed.sender();

    await sender.send(buildRequest(receiver.url));
    await sleep(100);
    const second = await sender.send(buildRequest(receiver.url));

    expect(second).toMatchObject({ statusCode: 500, resends: 0 });
    expect(receiver.connections()).toBe(2);
  });
});
