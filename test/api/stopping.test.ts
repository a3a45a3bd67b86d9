import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import Koa from 'koa';
import { listen } from '../../src/http/server';
import type { RequestState } from '../../src/http/request-state';
import { eventually } from '../support/eventually';
import { buildRawConnection, formatRequest, type RawAnswer } from '../support/raw-http';

/** A server whose answers to `/waiting…` and `/begun…` wait until the test lets them go. */
async function build() {
  const arrived: string[] = [];
  const letGo = new Map<string, () => void>();
  const app = new Koa<RequestState>();
  app.use(async (ctx) => {
    arrived.push(ctx.path);
    ctx.status = 200;
    if (ctx.path.startsWith('/begun')) ctx.flushHeaders();
    if (/^\/(waiting|begun)/.test(ctx.path)) await new Promise<void>((resolve) => letGo.set(ctx.path, resolve));
    ctx.body = ctx.path;
  });
  const server = await listen(app, { host: '127.0.0.1', port: 0, maxConnections: 100 }, () => ({}));
  return {
    server,
    arrived,
    answer: (path: string) => letGo.get(path)!(),
    until: (path: string) =>
      eventually(
        () => arrived,
        (all) => all.includes(path),
      ),
  };
}

const get = (path: string) => formatRequest({ method: 'GET', path });
const seen = ({ status, text, headers }: RawAnswer) => [status, text, headers.get('connection')];

describe('an API that is told to stop', () => {
  it('answers what is under way, ends each connection with its answer, and then ends itself', async () => {
    const api = await build();
    const [idle, waiting, begun] = [0, 1, 2].map(() => buildRawConnection(api.server.url));
    const kept = await idle!.send({ bytes: get('/quick') });
    const answers = [waiting!.send({ bytes: get('/waiting') }), begun!.send({ bytes: get('/begun') })];
    await Promise.all([api.until('/waiting'), api.until('/begun')]);

    const closed = api.server.close();
    api.answer('/waiting');
    api.answer('/begun');

    expect(kept.map(seen)).toEqual([[200, '/quick', 'keep-alive']]);
    expect((await answers[0]!).map(seen)).toEqual([[200, '/waiting', 'close']]);
    // Its head was sent before: the connection ends when it is idle.
    expect((await answers[1]!).map(seen)).toEqual([[200, '/begun', 'keep-alive']]);
    await closed;
  });

  it('takes a body that is on its way, and nothing that was sent behind an answer that ends its connection', async () => {
    const api = await build();
    const { hostname, port } = new URL(api.server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const ended = once(socket, 'close');
    socket.write(get('/waiting'));
    await api.until('/waiting');
    const slow = connect({ host: hostname, port: Number(port) });
    let slowText = '';
    slow.on('data', (chunk: Buffer) => (slowText += chunk.toString()));
    const slowEnded = once(slow, 'close');
    slow.write('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab');
    await api.until('/waiting');

    // A round trip: the half body has arrived when this later connection is answered.
    await buildRawConnection(api.server.url).send({ bytes: get('/quick') });
    const closed = api.server.close();
    socket.write(get('/behind'));
    slow.write('cd');
    await Promise.all([slowEnded, api.until('/slow')]);
    api.answer('/waiting');
    await Promise.all([ended, closed]);

    expect(text).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close[^]*\/waiting$/);
    expect(slowText).toMatch(/^HTTP\/1\.1 200 [^]*Connection: close[^]*\/slow$/);
    expect(api.arrived).toEqual(['/waiting', '/quick', '/slow']);
  });

  it('cuts no call of clients that keep their connections busy', async () => {
    const api = await build();
    const agent = new Agent({ keepAlive: true });
    let answered = 0;
    let stops = false;
    const call = (): Promise<void> =>
      new Promise((resolve, reject) => {
        request(api.server.url, { agent, path: '/quick' }, (answer) => {
          answer.resume().once('end', () => {
            answered += 1;
            resolve();
          });
        })
          .once('error', reject)
          .end();
      });
    const client = async (): Promise<void> => {
      for (;;) {
        try {
          await call();
        } catch (error) {
          // An idle connection may be closed just as the client uses it again: such a call did not arrive.
          if (stops) return;
          throw error;
        }
      }
    };
    const clients = Array.from({ length: 20 }, client);
    await eventually(
      () => answered,
      (count) => count > 200,
    );

    stops = true;
    await api.server.close();
    await Promise.all(clients);

    expect(answered).toBe(api.arrived.length);
    agent.destroy();
  });
});
