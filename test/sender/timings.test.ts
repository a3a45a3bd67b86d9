import type { SendResult } from '../../src/sender/http-sender';
import { buildRequest, buildResolver, named, useSenderTestbed } from './receivers';

// Where the time of an attempt went, and whether a request was sent at all.

const testbed = useSenderTestbed();

/** The phases that took part, without their durations. */
function phasesOf({ timings }: SendResult): string[] {
  return Object.keys(timings);
}

function untilStatus({ timings: { body: _body, ...until } }: SendResult): number {
  return Object.values(until).reduce((sum, ms) => sum + ms, 0);
}

it('a first request to a name has every phase; until the status, they add up to the latency', async () => {
  const receiver = await testbed.okay({}, 30);

  const result = await testbed.send(named(receiver), { resolver: buildResolver(['127.0.0.1']) });

  expect(phasesOf(result)).toEqual(['dns', 'connect', 'tls', 'first']);
  expect(result.timings.first).toBeGreaterThanOrEqual(29);
  expect(untilStatus(result)).toBe(result.latencyMs);
  expect(result.sent).toBe(true);
});

it('an address needs no look-up, and a kept connection neither connects nor shakes hands', async () => {
  const receiver = await testbed.okay();
  const sender = testbed.sender();

  const first = await sender.send(buildRequest(receiver.url));
  const second = await sender.send(buildRequest(receiver.url));

  expect(phasesOf(first)).toEqual(['connect', 'tls', 'first']);
  expect(phasesOf(second)).toEqual(['first']);
});

it('a failed look-up was not sent: its time is that of the look-up', async () => {
  const result = await testbed.send('https://receiver.test/', { resolver: buildResolver([]) });

  expect(result).toMatchObject({ errorCode: 'dns_error', sent: false, rawHeaders: null });
  expect(phasesOf(result)).toEqual(['dns']);
});

it('a refused connection was not sent', async () => {
  const receiver = await testbed.okay();
  await receiver.close();

  const result = await testbed.send(receiver.url);

  expect(result).toMatchObject({ errorCode: 'connection_refused', sent: false });
  expect(phasesOf(result)).toEqual(['connect']);
});

it('a failed TLS handshake was not sent', async () => {
  const receiver = await testbed.okay();

  const result = await testbed.send(receiver.url, { extraCaPem: [] });

  expect(result).toMatchObject({ errorCode: 'tls_error', sent: false });
  expect(phasesOf(result)).toEqual(['connect', 'tls']);
});

it('a time-out in the TLS handshake was not sent; one that waits for the status was', async () => {
  const silent = await testbed.tcp(() => undefined);
  const slow = await testbed.raw(() => undefined);

  const [inHandshake, inAnswer] = [
    await testbed.send(`https://127.0.0.1:${silent.port}/`, { timeoutMs: 300 }),
    await testbed.send(slow.url, { timeoutMs: 300 }),
  ];

  expect(inHandshake).toMatchObject({ errorCode: 'timeout', sent: false });
  expect(phasesOf(inHandshake)).toEqual(['connect', 'tls']);
  expect(inAnswer).toMatchObject({ errorCode: 'timeout', sent: true });
  expect(phasesOf(inAnswer)).toEqual(['connect', 'tls', 'first']);
});

it('a URL that the policy refuses was not sent', async () => {
  expect(await testbed.send('https://10.0.0.1/')).toMatchObject({ errorCode: 'blocked_address', sent: false });
});

it('the headers of a response are returned as received', async () => {
  const receiver = await testbed.raw((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nX-One: 1\r\nx-ONE: 2\r\nContent-Length: 0\r\n\r\n'),
  );

  const { rawHeaders } = await testbed.send(receiver.url);

  expect(rawHeaders).toEqual(['X-One', '1', 'x-ONE', '2', 'Content-Length', '0']);
});
