import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { SESSION_ROUTES, STRANGER_ROUTES, type StrangerRoute } from '../../bench/stranger-routes';
import { useStack } from '../support/build-stack';
import { buildCaller } from '../support/build-caller';
import { operations } from '../support/conformance';
import { countersIn } from '../support/limit-counters';
import { requestOf } from '../support/operation-requests';
import { signedUp } from '../dashboard/browser';

const stack = useStack({ role: 'api', env: { TRUSTED_PROXIES: '127.0.0.0/8', ESTIMATOR_PER_MINUTE: '100000' } });
const { countersOf } = countersIn(stack);

const open: Socket[] = [];
afterEach(() => open.splice(0).forEach((socket) => socket.destroy()));

async function dial(): Promise<Socket> {
  const { hostname, port } = new URL(stack.url);
  const socket = connect({ host: hostname, port: Number(port) });
  // It is reset when it sends too much.
  socket.on('error', () => undefined);
  open.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** As a page of the dashboard sends it, with the largest set of headers that Node takes, and no credentials. */
function headOf({ method, path }: StrangerRoute, framing: string): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\n${framing}\r\n`;
  return `${head}X-Long: ${'x'.repeat(8_100 - head.length)}\r\n\r\n`;
}

/** The answer's status line and headers, and the length of its body. */
async function answerOn(socket: Socket): Promise<{ status: number; length: number }> {
  let text = '';
  while (!text.includes('\r\n\r\n')) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString('latin1');
  }
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]),
    length: Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? Number.NaN),
  };
}

const named = STRANGER_ROUTES.map((route) => [route.name, route] as const);

it('every operation has a route in this test', () => {
  expect(named.length).toBeGreaterThan(60);
  expect(new Set(named.map(([name]) => name)).size).toBe(named.length);
});

describe('before authentication', () => {
  it.each(named)('%s answers an oversized body without reading it', async (_name, route) => {
    const socket = await dial();
    socket.write(headOf(route, `Content-Length: ${10 * 1_024 * 1_024}`));

    const { status, length } = await answerOn(socket);

    if (route.isPublic && route.reads === 0) return;
    expect([400, 401, 404, 405, 413]).toContain(status);
    expect(length).toBeLessThan(1_024);
  });

  it.each(named.filter(([, { reads }]) => reads > 0))('%s stops reading at its size limit', async (_name, route) => {
    const socket = await dial();
    socket.write(headOf(route, 'Transfer-Encoding: chunked'));
    const size = route.reads + 1;
    socket.write(`${size.toString(16)}\r\n${' '.repeat(size)}\r\n`);

    expect((await answerOn(socket)).status).toBe(413);
  });

  it.each(named)('%s closes the connection of a client that never stops sending', async (_name, route) => {
    let socketOfServer: Socket | undefined;
    const note = (message: unknown): void => {
      ({ socket: socketOfServer } = (message as { request: IncomingMessage }).request);
    };
    subscribe('http.server.request.start', note);
    const socket = await dial();
    // Not `once`, which takes the reset for a failure.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    socket.write(headOf(route, `Content-Length: ${1_024 ** 3}`));
    const chunk = Buffer.alloc(64 * 1_024, ' ');
    while (!socket.destroyed) {
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
    await closed;
    unsubscribe('http.server.request.start', note);

    // 4 MiB, the headers, and what came with the last look at the socket.
    expect(socketOfServer!.bytesRead).toBeLessThan(4.5 * 1_024 * 1_024);
  });

  it.each(named.filter(([, { isPublic, reads }]) => !isPublic || reads > 0))(
    '%s answers a body full of mistakes in few bytes',
    async (_name, { method, path, reads }) => {
      const keys = Array.from({ length: 30_000 }, (_, index) => `"k${index}":${index}`);
      const fitting = `{${keys.join(',').slice(0, Math.max(reads, 4_096) - 100)}`.replace(/,[^,]*$/, '}');
      for (const body of [fitting, '['.repeat(4_000), `{"items":[${'{},'.repeat(99)}{}]}`]) {
        const hasBody = method !== 'GET';
        const answer = await fetch(`${stack.url}${path}`, {
          method,
          headers: {
            'Sec-Fetch-Site': 'same-origin',
            'Content-Type': 'application/json',
            Authorization: 'Bearer nobody',
          },
          ...(hasBody && { body }),
        });
        const { byteLength } = await answer.arrayBuffer();
        // The estimator names each problem of its hundred items.
        expect(byteLength).toBeLessThan(reads > 4_096 ? 64 * 1_024 : 4 * 1_024);
      }
    },
  );
});

describe('with a key', () => {
  const counted = operations.filter(({ security }) => security === undefined);

  it.each(counted.map((operation) => [operation.id, operation] as const))(
    'every call of %s counts, whatever its outcome',
    async (_id, operation) => {
      const caller = await buildCaller(stack);
      // An account has counters from its first call on.
      await caller.get('/api/v1/keys/self');
      const { path, body } = await requestOf(operation, caller);
      const method = operation.method.toUpperCase();
      const json = { 'Content-Type': 'application/json' };
      const text = JSON.stringify(body ?? {});
      const calls: readonly (readonly [what: string, init: RequestInit, path?: string])[] = [
        ['with a valid request', { method, ...(operation.body && { headers: json, body: text }) }],
        ['with an unknown parameter', { method, ...(operation.body && { headers: json, body: text }) }, `${path}?x=1`],
        ['with an unsupported method', { method: 'PUT', headers: json, body: '{}' }],
        ['with a longer path', { method }, `${path}/nothing/at/all`],
        ...(operation.body
          ? ([
              ['with a body that is not JSON', { method, headers: json, body: '{' }],
              ['with a body of the wrong shape', { method, headers: json, body: '{"no_such_field":1}' }],
              ['with a body of another type', { method, headers: { 'Content-Type': 'text/plain' }, body: text }],
              ['with a body that is too large', { method, headers: json, body: ' '.repeat(2_200_000) }],
            ] as const)
          : []),
      ];
      for (const [what, init, at = path] of calls) {
        const { quota_used: before } = await countersOf(caller.accountId);
        const headers = { ...(init.headers as Record<string, string>), Authorization: `Bearer ${caller.key}` };
        const answer = await fetch(`${stack.url}${at}`, { ...init, headers });
        await answer.body?.cancel();
        expect([what, answer.status]).not.toEqual([what, 500]);
        expect([what, Number(answer.headers.get('X-Quota-Used')) > before]).toEqual([what, true]);
      }
    },
  );
});

describe('with a session', () => {
  it('every call counts: after the last one of the minute, operations and unknown paths answer 429', async () => {
    const { browser } = await signedUp(stack);
    const statuses = new Set<number>();
    // 600 in a minute, and as many again in case the minute ends meanwhile.
    for (let call = 0; call < 1_200 && !statuses.has(429); call += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => browser.get('/nothing')));
      for (const { status } of answers) statuses.add(status);
    }
    expect(statuses).toEqual(new Set([404, 429]));

    const nothing = { name: 'nothing', method: 'GET', path: '/dashboard/api/x' };
    for (const { name, method, path } of [...SESSION_ROUTES, nothing]) {
      expect([name, (await browser.call(method, path)).status]).toEqual([name, 429]);
    }
  });
});
