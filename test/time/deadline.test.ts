import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { buildDnsServer } from '../sender/dns-server';
import { buildRequest, buildResolver, named, openTestbed } from '../sender/receivers';
import { useFixture } from '../support/fixture';

/** Long enough for a slow machine to get a first answer. Without a deadline each send would never end. */
const TIMEOUT_MS = 2_000;
/** A timer counts from the moment at which its turn of the event loop began, which a busy machine may make long ago. */
const EARLIEST_MS = TIMEOUT_MS / 2;

// Each waits for its own deadline, so they wait at the same time.

const testbed = useFixture('file', openTestbed, (it) => it.closeAll());
const kept: { close(): void }[] = [];
afterAll(() => {
  for (const one of kept) one.close();
});

/** Closes it after the tests. */
function keep<T extends { close(): void }>(opened: T): T {
  kept.push(opened);
  return opened;
}

/** Sends, and expects an end that is not before the deadline. */
async function sendUntilDeadline(url: string, deps = {}) {
  const started = performance.now();
  const result = await testbed.send(url, { timeoutMs: TIMEOUT_MS, ...deps });
  const tookMs = performance.now() - started;
  expect(tookMs).toBeGreaterThan(EARLIEST_MS);
  return result;
}

/** Writes a piece every 100 ms until the connection is gone: fewer than the interim answers that are a flood. */
function drip(socket: Socket, piece: string): void {
  const timer = setInterval(() => socket.write(piece), 100);
  socket.on('close', () => clearInterval(timer));
}

describe('silence in any phase is a timeout whose error names the phase', () => {
  it.concurrent.each<[phase: string, words: string, also: object, open: () => Promise<[string, object?]>]>([
    [
      'name servers',
      'its name was still being looked up',
      { remoteAddress: null },
      async () => {
        const { resolver } = keep(await buildDnsServer(() => undefined));
        return ['https://receiver.test:4430/', { resolver }];
      },
    ],
    [
      'connect',
      'the connection was not established',
      {},
      async () => [`https://127.0.0.1:${keep(await openBlackHole()).port}/`],
    ],
    ['TLS handshake', 'the TLS handshake was not finished', {}, async () => [(await testbed.tcp(() => undefined)).url]],
    [
      'answer',
      'the receiver was connected and sent no complete status',
      { remoteAddress: '127.0.0.1' },
      async () => [(await testbed.https(() => undefined)).url],
    ],
  ])('%s', async (_phase, words, also, open) => {
    const result = await sendUntilDeadline(...(await open()));

    expect(result).toMatchObject({ succeeded: false, statusCode: null, snippet: null, ...also });
    expect(result).toMatchObject({ errorCode: 'timeout', error: `No answer within 2s: ${words}.` });
    expect(result.latencyMs).toBeGreaterThan(EARLIEST_MS);
  });
});

describe("bytes that trickle in don't extend the deadline", () => {
  it.concurrent('a status line', async () => {
    const receiver = await testbed.raw((socket) => drip(socket, 'H'));
    const result = await testbed.send(receiver.url, { timeoutMs: TIMEOUT_MS });
    // "HH" is not HTTP; it may arrive in time, or not.
    expect(['protocol_error', 'timeout']).toContain(result.errorCode);
  });

  it.concurrent.each([
    ['interim answers', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['headers of an interim answer', 'HTTP/1.1 103 Early Hints\r\n', 'X-Drip: 1\r\n'],
  ])('%s', async (_what, head, piece) => {
    const receiver = await testbed.raw((socket) => {
      socket.write(head);
      drip(socket, piece);
    });

    expect(await sendUntilDeadline(receiver.url)).toMatchObject({ errorCode: 'timeout', statusCode: null });
  });
});

it.concurrent('an address that drops packets is skipped for the next one', async () => {
  const receiver = await testbed.okay();
  keep(await openBlackHole('127.0.0.2', receiver.port));
  const resolver = buildResolver(['127.0.0.2', '127.0.0.1']);

  const result = await testbed.send(named(receiver), { timeoutMs: 10_000, resolver });

  expect(result).toMatchObject({ succeeded: true, remoteAddress: '127.0.0.1' });
});

it.concurrent("an address family whose DNS look-up gets no answer doesn't delay the other one for long", async () => {
  const receiver = await testbed.okay();
  const { resolver } = keep(await buildDnsServer((_name, family) => (family === 4 ? ['127.0.0.1'] : undefined)));

  const result = await testbed.send(named(receiver), { timeoutMs: 10_000, resolver });

  expect(result).toMatchObject({ succeeded: true });
});

it.concurrent('a replaced connection shares the deadline of its attempt', async () => {
  // Half is spent before the replacement, so that a machine that stops for seconds changes nothing.
  const timeoutMs = 4 * TIMEOUT_MS;
  let requests = 0;
  let replacedAt = 0;
  const receiver = await testbed.raw((socket) => {
    requests += 1;
    if (requests === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    if (requests === 2) setTimeout(() => socket.destroy(), timeoutMs / 2);
    if (requests === 3) replacedAt = performance.now();
  });
  const sender = testbed.sender({ timeoutMs });
  await sender.send(buildRequest(receiver.url));

  const result = await sender.send(buildRequest(receiver.url));

  expect(result).toMatchObject({ errorCode: 'timeout', resends: 1 });
  // A deadline of its own would end it this much later.
  expect(performance.now() - replacedAt).toBeLessThan(timeoutMs);
});

it.concurrent("the connection is closed at the deadline, so a late answer can't reach the next request", async () => {
  const answers: (() => void)[] = [];
  const receiver = await testbed.https((_request, response) => answers.push(() => response.end('late')));
  const sender = testbed.sender({ timeoutMs: TIMEOUT_MS });

  const first = await sender.send(buildRequest(receiver.url));
  const second = sender.send(buildRequest(receiver.url));
  while (answers.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  answers[0]!();
  answers[1]!();

  expect([first.errorCode, (await second).statusCode, receiver.connections()]).toEqual(['timeout', 200, 2]);
});

/** A port whose connections are never accepted: a full backlog of a process that does not run. */
async function openBlackHole(host = '127.0.0.1', wanted = 0): Promise<{ port: number; close(): void }> {
  const program =
    `const s = require('net').createServer().listen({port: ${wanted}, host: '${host}', backlog: 1}, () => ` +
    '{ process.stdout.write(String(s.address().port)); });';
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<number>((resolve) => child.stdout.once('data', (text) => resolve(Number(text))));
  child.kill('SIGSTOP');
  const fillers: Socket[] = [];
  for (let full = false; !full;) {
    const filler = connect(port, host);
    filler.on('error', () => undefined);
    fillers.push(filler);
    full = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(true), 250);
      filler.once('connect', () => {
        clearTimeout(timer);
        resolve(false);
      });
    });
  }
  return {
    port,
    close() {
      for (const filler of fillers) filler.destroy();
      child.kill('SIGKILL');
    },
  };
}
