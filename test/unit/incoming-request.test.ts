import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { createLimitedServer } from '../../src/platform/http-server';
import { buildRequest } from '../support/build-request';

const MIB = 1_024 * 1_024;

let server: Server | undefined;
afterEach(() => void server?.close());

/** A request, and its body. */
function buildBody(headers?: Record<string, string>) {
  const { request, socket } = buildRequest(headers);
  return {
    request,
    socket,
    arrive: async (...parts: Uint8Array[]) => {
      for (const part of parts) request.push(Buffer.from(part));
      await setImmediate();
    },
    end: () => void request.push(null),
  };
}

const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3_000 }), { maxLength: 20 });

it('a body is the same, however it is cut', async () => {
  await fc.assert(
    fc.asyncProperty(chunks, async (parts) => {
      const { request, arrive, end } = buildBody();
      const body = request.receive(60_000);
      await arrive(...parts);
      end();
      expect(await body).toEqual(Buffer.concat(parts));
    }),
  );
});

it('a body is read on from where a smaller limit stopped', async () => {
  await fc.assert(
    fc.asyncProperty(chunks, fc.nat(10_000), async (parts, limit) => {
      const whole = Buffer.concat(parts);
      const { request, arrive, end } = buildBody();
      const first = request.receive(limit);
      await arrive(...parts);
      end();
      expect(await first).toEqual(whole.length > limit ? undefined : whole);
      expect(await request.receive(60_000)).toEqual(whole);
    }),
  );
});

it('a body that arrives byte by byte is held in one buffer, not in a list of chunks', async () => {
  const { request, arrive } = buildBody({ 'content-length': '1001' });
  void request.receive(1_024).catch(() => undefined);

  for (let byte = 0; byte < 1_000; byte += 1) await arrive(Buffer.from('x'));

  expect(request.readableLength).toBe(0);
});

it.each([
  ['that is declared as larger than the limit is not read', { 'content-length': '101' }, 0],
  ['without a length is read up to the limit', { 'transfer-encoding': 'chunked' }, 101],
])('a body %s', async (_what, headers, bytes) => {
  const { request, socket, arrive } = buildBody(headers);
  const received = request.receive(100);
  await arrive(Buffer.alloc(bytes));

  expect(await received).toBeUndefined();
  expect(socket.isPaused()).toBe(true);
});

it('a client that leaves ends the wait for its body', async () => {
  const { request, arrive } = buildBody();
  const received = request.receive(100);
  await arrive(Buffer.from('x'));
  request.destroy();

  await expect(received).rejects.toThrow('the body ended before it was complete');
  await expect(request.receive(100)).rejects.toThrow('the body ended before it was complete');
});

it('the rest of a body is discarded a chunk at a time, and waits for its turn in the system', async () => {
  const { request, socket, arrive } = buildBody();
  const turns: (() => void)[] = [];
  request.discard(MIB, () => new Promise((resolve) => turns.push(resolve)));

  await arrive(Buffer.alloc(65_536), Buffer.from('of the same read'));
  expect(socket.isPaused()).toBe(true);
  expect(turns).toHaveLength(1);

  turns.shift()!();
  await setImmediate();
  await arrive(Buffer.alloc(65_536));
  expect(socket.isPaused()).toBe(true);
  expect(turns).toHaveLength(1);
  expect(request.readableLength).toBe(0);
});

it('a body that is discarded is read from the system a chunk in each turn', async () => {
  let turns = 0;
  const turn = async (): Promise<void> => {
    turns += 1;
    // Long enough to read everything, if the socket were not paused.
    for (let loop = 0; loop < 100; loop += 1) await setImmediate();
  };
  const complete = new Promise<void>((resolve) => {
    server = createLimitedServer(
      (request, response) => {
        request.once('end', resolve);
        void request.receive(100).then(() => {
          response.end();
          request.discard(MIB, turn);
        });
      },
      { maxConnections: 1 },
    );
  });
  await once(server!.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server!.address() as AddressInfo).port, '127.0.0.1');
  client.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${MIB}\r\n\r\n`);
  client.write(Buffer.alloc(MIB));
  await complete;
  client.destroy();

  // Node reads 64 KiB at most.
  expect(turns).toBeGreaterThanOrEqual(15);
});

it('the connection is closed when more than the limit would be discarded', async () => {
  const { request, socket, arrive } = buildBody();
  request.discard(4 * MIB, async () => undefined);

  for (let chunk = 0; chunk < 64; chunk += 1) await arrive(Buffer.alloc(65_536));
  expect(socket.destroyed).toBe(false);
  await arrive(Buffer.from('x'));
  expect(socket.destroyed).toBe(true);
});
