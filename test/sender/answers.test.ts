import { gzipSync } from 'node:zlib';
import type { IncomingMessage } from 'node:http';
import { USER_AGENT } from '../../src/sender/user-agent';
import { SNIPPET_BYTES } from '../../src/sender/snippet';
import { MAX_READ_BYTES } from '../../src/sender/status-reader';
import packageJson from '../../package.json';
import { BODY, useSenderTestbed } from './receivers';

/** The time limit of the testbed's sends: whatever took less did not wait for it. */
const DEADLINE_MS = 5_000;

const testbed = useSenderTestbed();

/** Sends one request to a receiver that answers with these bytes, as they are. */
async function answerWith(bytes: string | Buffer, { end = true, timeoutMs = 5_000 } = {}) {
  const receiver = await testbed.raw((socket) => (end ? socket.end(bytes) : socket.write(bytes)));
  return testbed.send(receiver.url, { timeoutMs });
}

function http(status: string, body: string | Buffer = '', headers: readonly string[] = []): Buffer {
  const head = [`HTTP/1.1 ${status}`, `Content-Length: ${Buffer.byteLength(body)}`, ...headers];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

it("the request arrives as it was signed, and asks for no encoding that the sender doesn't support", async () => {
  let seen: IncomingMessage | undefined;
  const chunks: Buffer[] = [];
  const receiver = await testbed.https((request, response) => {
    seen = request;
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.end('thanks'));
  });

  const before = Date.now();
  const url = `https://127.0.0.1:${receiver.port}/a/b?token=x%20y`;
  const result = await testbed.send(url);

  expect(result).toEqual({
    startedAtMs: expect.any(Number),
    latencyMs: expect.any(Number),
    succeeded: true,
    statusCode: 200,
    errorCode: null,
    error: null,
    reading: expect.any(Object),
    retryAfter: null,
    snippet: 'thanks',
    isCut: false,
    warning: null,
    bodyMs: expect.any(Number),
    rawHeaders: expect.arrayContaining(['Date', 'Connection']),
    sent: true,
    timings: expect.any(Object),
    resends: 0,
    url,
    remoteAddress: '127.0.0.1',
  });
  expect(result.startedAtMs).toBeGreaterThanOrEqual(before);
  expect(result.startedAtMs).toBeLessThanOrEqual(Date.now());
  expect(result.latencyMs).toBeLessThan(DEADLINE_MS);
  expect([seen?.method, seen?.url]).toEqual(['POST', '/a/b?token=x%20y']);
  expect(Buffer.concat(chunks)).toEqual(BODY);
  expect(seen?.headers).toEqual({
    'user-agent': USER_AGENT,
    accept: '*/*',
    'content-type': 'application/json',
    'x-webhook-id': '1',
    host: `127.0.0.1:${receiver.port}`,
    'accept-encoding': 'identity',
    'content-length': String(BODY.length),
    connection: 'keep-alive',
  });
});

it('the user agent contains the version', () => {
  expect(`Everpost/${packageJson.version}`.startsWith(`${USER_AGENT}.`)).toBe(true);
});

it.each([200, 201, 202, 204, 206, 299])('%i is a success', async (statusCode) => {
  const result = await answerWith(http(`${statusCode} Whatever`));

  expect(result).toMatchObject({ succeeded: true, statusCode, errorCode: null, error: null, snippet: '' });
});

it.each([
  [304, 'The receiver answered 304 Not Modified.'],
  [400, 'The receiver answered 400 Bad Request.'],
  [404, 'The receiver answered 404 Not Found.'],
  [410, 'The receiver answered 410 Gone.'],
  [429, 'The receiver answered 429 Too Many Requests.'],
  [500, 'The receiver answered 500 Internal Server Error.'],
  [503, 'The receiver answered 503 Service Unavailable.'],
  // Not 599: proxy-chain, in the same process, gives Node a name for it.
  [598, 'The receiver answered 598.'],
  [999, 'The receiver answered 999.'],
])('%i is a failure, and its body is kept', async (statusCode, error) => {
  const result = await answerWith(http(`${statusCode} Whatever`, statusCode === 304 ? '' : '{"reason":"no"}'));

  expect(result).toMatchObject({ succeeded: false, statusCode, errorCode: 'http_status', error });
  expect(result.snippet).toBe(statusCode === 304 ? '' : '{"reason":"no"}');
});

it.each([301, 302, 303, 307, 308])('%i is a failure, and is not followed', async (statusCode) => {
  const next = await testbed.https((_request, response) => response.end());
  const result = await answerWith(http(`${statusCode} Moved`, '', [`Location: ${next.url}`]));

  expect(result).toMatchObject({ succeeded: false, statusCode, errorCode: 'http_status' });
  expect(result.error).toContain('redirects are never followed');
  expect(next.connections()).toBe(0);
});

it('a body is kept up to 1 KiB, without a cut character at the end', async () => {
  const result = await answerWith(http('500 No', `a${'é'.repeat(2_000)}`));

  expect(result.snippet).toBe(`a${'é'.repeat((SNIPPET_BYTES - 2) / 2)}`);
});

it('bytes that are not text are replaced', async () => {
  const result = await answerWith(http('500 No', Buffer.from('a\0b\x1b[31m\xff\ttab\r\nend', 'latin1')));

  expect(result.snippet).toBe('a�b�[31mÿ\ttab\r\nend');
});

it('a compressed body is not decompressed, whatever its label', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const before = process.memoryUsage().rss;

  const result = await answerWith(http('200 OK', bomb, ['Content-Encoding: gzip']));

  expect(result).toMatchObject({ succeeded: true, statusCode: 200 });
  expect(result.snippet!.length).toBeLessThanOrEqual(SNIPPET_BYTES);
  expect(process.memoryUsage().rss - before).toBeLessThan(30_000_000);
});

it.each([200, 500])('an endless body after %i ends at 16 KiB and drops the connection', async (statusCode) => {
  let sent = 0;
  let drop = (): void => undefined;
  const dropped = new Promise<void>((resolve) => (drop = resolve));
  const { url } = await testbed.https((_request, response) => {
    response.writeHead(statusCode);
    const pump = () => {
      while (response.write('x'.repeat(4_096)) && !response.destroyed) sent += 4_096;
    };
    response.on('drain', pump);
    response.on('close', drop);
    pump();
  });

  const result = await testbed.send(url);
  await dropped;

  expect(result).toMatchObject({ succeeded: statusCode === 200, statusCode, snippet: 'x'.repeat(SNIPPET_BYTES) });
  expect(result.latencyMs).toBeLessThan(DEADLINE_MS);
  // What kernel buffers hold may have been sent; not what the receiver would have liked to send.
  expect(sent).toBeLessThan(MAX_READ_BYTES + 20_000_000);
});

it('a success stays a success when the connection is reset in the body', async () => {
  const receiver = await testbed.raw((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () => setTimeout(() => socket.destroy(), 50));
  });

  const result = await testbed.send(receiver.url);

  expect(result).toMatchObject({ succeeded: true, statusCode: 200, snippet: 'half' });
});

const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n';
it.each([
  ['interim answers are skipped', INTERIM, []],
  ['an offer to upgrade is ignored', '', ['Upgrade: h2,h2c', 'Connection: Upgrade']],
])('%s', async (_what, before, headers) => {
  const result = await answerWith(Buffer.concat([Buffer.from(before), http('200 OK', 'yes', headers)]));

  expect(result).toMatchObject({ succeeded: true, statusCode: 200, snippet: 'yes' });
});

describe('an answer that is not HTTP/1.1 is a protocol error', () => {
  const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\n';

  it.each([
    ['a switch of protocols', `${SWITCH}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`, /101/],
    ['a switch of protocols without Upgrade', `${SWITCH}\r\n`, /101/],
    [
      'a status below 100',
      'HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n',
      /^The receiver answered 99, which is not a final status/,
    ],
    ['garbage', 'EHLO mail.example\r\n\r\n', /not valid HTTP/],
    ['binary', Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10]), /not valid HTTP/],
    ['an HTTP/2 preface', Buffer.from([0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 5, 0, 0, 64, 0]), /not valid HTTP/],
    ['a broken status line', 'HTTP/1.1 two hundred\r\n\r\n', /not valid HTTP/],
    ['a flood of interim answers', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(5_000), /interim/],
  ])('%s', async (_what, bytes, words) => {
    const result = await answerWith(bytes, { end: false });

    expect(result).toMatchObject({ succeeded: false, statusCode: null, errorCode: 'protocol_error', snippet: null });
    expect(result.error).toMatch(words);
    expect(result.latencyMs).toBeLessThan(DEADLINE_MS);
  });
});
