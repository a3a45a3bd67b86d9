import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import Koa from 'koa';
import { listen } from '../../src/http/server';
import type { RequestState } from '../../src/http/request-state';
import { defaultMaxConnections } from '../../src/platform/http-server';
import { useStack } from '../support/build-stack';
import { eventually } from '../support/eventually';

/** As in production, a hundred times as quick. */
const QUICK = { headersMs: 100, requestMs: 300, checkEveryMs: 10 };

const open: Socket[] = [];
afterEach(() => open.splice(0).forEach((socket) => socket.destroy()));

async function dial(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  // A refused connection may end by a reset.
  socket.on('error', () => undefined);
  open.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** What comes until the server closes. */
async function everything(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(socket, 'close');
  return text;
}

describe('a slow client', () => {
  it.each([
    ['says nothing', ''],
    ['stops in its headers', 'POST / HTTP/1.1\r\nHost: a\r\nX-One: 1'],
    ['stops before its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n'],
    ['stops in its body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe'],
  ])(
    'gets 408 and a closed connection when %s',
    async (_what, bytes) => {
      const app = new Koa<RequestState>();
      app.use(async (ctx) => {
        for await (const _chunk of ctx.req);
        ctx.body = 'read';
      });
      const server = await listen(app, { host: '127.0.0.1', port: 0, maxConnections: 10, times: QUICK }, () => ({}));
      try {
        const socket = await dial(server.url);
        socket.write(bytes);

        const answer = await everything(socket);

        expect(answer).toMatch(/^HTTP\/1\.1 408 /);
        expect(answer).toContain('"code":"request_timeout"');
      } finally {
        await server.close();
      }
      // Node by itself looks every 30 s only.
    },
    20_000,
  );

  it('is not cut off when only the answer takes longer than a request may', async () => {
    const app = new Koa<RequestState>();
    app.use(async (ctx) => {
      await new Promise((resolve) => setTimeout(resolve, 2 * (QUICK.requestMs + QUICK.checkEveryMs)));
      ctx.body = 'late';
    });
    const server = await listen(app, { host: '127.0.0.1', port: 0, maxConnections: 10, times: QUICK }, () => ({}));
    try {
      const answer = await fetch(server.url);
      expect([answer.status, await answer.text()]).toEqual([200, 'late']);
    } finally {
      await server.close();
    }
  });
});

describe('MAX_CONNECTIONS', () => {
  const stack = useStack({ role: 'api', env: { MAX_CONNECTIONS: '3' } });
  const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

  async function ask(socket: Socket): Promise<string> {
    socket.write(HEALTH);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString().slice(0, 12);
  }

  it('limits open connections; one more is closed and counted, and accepted once another ends', async () => {
    const three = [await dial(stack.url), await dial(stack.url), await dial(stack.url)];
    expect(await Promise.all(three.map(ask))).toEqual(three.map(() => 'HTTP/1.1 200'));

    expect(await everything(await dial(stack.url))).toBe('');

    const metrics = await (await fetch(stack.role.metricsUrl!)).text();
    expect(metrics).toMatch(/^everpost_connections_refused_total 1$/m);
    expect(await Promise.all(three.map(ask))).toEqual(three.map(() => 'HTTP/1.1 200'));

    three[0]!.destroy();
    await eventually(
      async () => {
        const late = await dial(stack.url);
        return Promise.race([ask(late), once(late, 'close').then(() => 'closed')]);
      },
      (answer) => answer === 'HTTP/1.1 200',
    );
  });
});

describe('a process', () => {
  const stack = useStack({ role: 'api' });

  /** The server behind an address of this very process. */
  async function serverOf(url: string): Promise<Server> {
    let server: Server | undefined;
    const note = (message: unknown): void => void ({ server } = message as { server: Server });
    subscribe('http.server.request.start', note);
    await (await fetch(url)).text();
    unsubscribe('http.server.request.start', note);
    return server!;
  }

  it('gives clients 10 s for headers and 30 s for a request, on the port of /metrics too', async () => {
    const [api, metrics] = [await serverOf(`${stack.url}/healthz`), await serverOf(stack.role.metricsUrl!)];

    const times = { headersTimeout: 10_000, requestTimeout: 30_000 };
    expect(api).toMatchObject(times);
    expect(metrics).toMatchObject(times);
  });

  it('accepts at most 100 connections to /metrics', async () => {
    const sockets = await Promise.all(Array.from({ length: 100 }, () => dial(stack.role.metricsUrl!)));

    expect(await everything(await dial(stack.role.metricsUrl!))).toBe('');

    for (const socket of sockets) socket.destroy();
  });

  it('reserves half of its file descriptors for deliveries', () => {
    expect(defaultMaxConnections()).toBeGreaterThan(0);
    expect(defaultMaxConnections()).toBeLessThanOrEqual(8_000);
  });
});
