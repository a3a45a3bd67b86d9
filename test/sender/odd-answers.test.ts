import { deflateSync, gzipSync, brotliCompressSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { createStatusReader } from '../../src/sender/status-reader';
import { buildRequest, useSenderTestbed } from './receivers';

// A complete status decides an attempt, whatever is odd in the rest of the answer (ADR 58).

const testbed = useSenderTestbed();

/** Sends one request to a receiver that answers with these bytes, as they are. */
async function answerWith(bytes: string | Buffer, { end = true } = {}) {
  const receiver = await testbed.raw((socket) => (end ? socket.end(bytes) : socket.write(bytes)));
  return testbed.send(receiver.url);
}

const OK = 'HTTP/1.1 200 OK\r\n';
const INVALID = /^The rest of the answer is not valid HTTP\/1\.1 \(/;
const BROKE = /^The connection broke before the /;

/** What is odd, the answer, the snippet, and the warning. */
const ODD: [what: string, bytes: string, snippet: string, warning: RegExp][] = [
  ['LF line ends', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', 'ok', INVALID],
  ['LF line ends after an interim answer', 'HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\n\nok', 'ok', INVALID],
  ['CR line ends', 'HTTP/1.1 200 OK\rContent-Length: 2\r\rok', 'ok', INVALID],
  ['one LF line end', `${OK}A: 1\nContent-Length: 2\r\n\r\nok`, 'ok', INVALID],
  [
    'Content-Length and chunked',
    `${OK}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
    'ok',
    INVALID,
  ],
  [
    'chunked and Content-Length',
    `${OK}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n`,
    'ok',
    INVALID,
  ],
  ['two lengths', `${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nok`, 'o', INVALID],
  ['the same length twice', `${OK}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`, 'ok', INVALID],
  ['a list of lengths', `${OK}Content-Length: 2, 2\r\n\r\nok`, 'ok', INVALID],
  ['a length that is none', `${OK}Content-Length: two\r\n\r\nok`, 'ok', INVALID],
  ['a negative length', `${OK}Content-Length: -1\r\n\r\nok`, 'ok', INVALID],
  ['a length beyond all numbers', `${OK}Content-Length: 99999999999999999999999\r\n\r\nok`, 'ok', INVALID],
  ['a NUL in a name', `${OK}Bad\0Header: x\r\n\r\nok`, 'ok', INVALID],
  ['a space in a name', `${OK}Bad Header: x\r\n\r\nok`, 'ok', INVALID],
  ['a control character in a value', `${OK}Bad: \x01\r\n\r\nok`, 'ok', INVALID],
  ['a header without a colon', `${OK}nonsense\r\n\r\nok`, 'ok', INVALID],
  ['a header without a name', `${OK}: x\r\n\r\nok`, 'ok', INVALID],
  ['a white space before the first header', `${OK} A: 1\r\n\r\nok`, 'ok', INVALID],
  ['an unfinished chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok`, 'ok', BROKE],
  ['a chunk size that is none', `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n`, 'ok', INVALID],
  [
    'a chunk that is longer than it says',
    `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\nokay\r\n0\r\n\r\n`,
    'ok',
    INVALID,
  ],
  ['a body that breaks off', `${OK}Content-Length: 9\r\n\r\nok`, 'ok', BROKE],
  ['headers that break off', `${OK}Content-Le`, '', BROKE],
  ['nothing behind its status line', OK, '', BROKE],
  ['nothing behind its status', 'HTTP/1.1 200 ', '', BROKE],
  [
    'another answer behind it',
    `${OK}Content-Length: 2\r\nConnection: close\r\n\r\nokHTTP/1.1 500 No\r\n\r\n`,
    'ok',
    INVALID,
  ],
  ['garbage behind it', `${OK}Content-Length: 2\r\n\r\nok!!`, 'ok', INVALID],
  ['too large headers', `${OK}X-Big: ${'x'.repeat(20_000)}\r\n\r\nok`, 'ok', /larger than 16 KiB/],
  ['an unknown version of HTTP', 'HTTP/3.7 200 OK\r\nContent-Length: 2\r\n\r\nok', 'ok', INVALID],
  ['two spaces before its status', 'HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\nok', 'ok', INVALID],
];

it.each(ODD)('a 2xx with %s is a success, and says what is odd', async (_what, bytes, snippet, warning) => {
  const result = await answerWith(bytes);

  expect(result).toMatchObject({ succeeded: true, statusCode: 200, errorCode: null, error: null, snippet });
  expect(result.warning).toMatch(warning);
});

it.each([
  ['no reason', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok'],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nok'],
  ['a control character in its reason', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\nok'],
  ['no length', `${OK}\r\nok`],
  ['an empty line before it', `\r\n${OK}Content-Length: 2\r\n\r\nok`],
  ['a header of another charset', `${OK}X-Name: J\xfcrgen\r\nContent-Length: 2\r\n\r\nok`],
])('a 2xx with %s is a success, and not odd', async (_what, bytes) => {
  const result = await answerWith(Buffer.from(bytes, 'latin1'));

  expect(result).toMatchObject({ succeeded: true, statusCode: 200, snippet: 'ok', warning: null });
});

it('with `Transfer-Encoding: identity` too', async () => {
  const result = await answerWith(`${OK}Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\nok`);

  expect(result).toMatchObject({ succeeded: true, statusCode: 200, snippet: 'ok' });
});

it('interim answers of more than 32 KiB in one piece hide no status', () => {
  const hints = `HTTP/1.1 103 Early Hints\r\nLink: ${'x'.repeat(12_000)}\r\n\r\n`.repeat(4);

  expect(createStatusReader().read(Buffer.from(`${hints}${OK}\r\n`))).toBe(200);
});

it('a failure keeps its status and its Retry-After, however odd the rest is', async () => {
  const result = await answerWith('HTTP/1.1 503 Busy\nRetry-After: 7\nX-A: b\n c\n\nlater');

  expect(result).toMatchObject({ succeeded: false, statusCode: 503, errorCode: 'http_status', retryAfter: '7' });
  expect(result).toMatchObject({ snippet: 'later', rawHeaders: ['Retry-After', '7', 'X-A', 'b c'] });
});

const KEPT_OPEN = ODD.filter(([, , , warning]) => warning !== BROKE);

it.each(KEPT_OPEN)('the connection of a 2xx with %s is not used again', async (_what, bytes) => {
  const receiver = await testbed.raw((socket) => socket.write(bytes));
  const sender = testbed.sender();

  await sender.send(buildRequest(receiver.url));
  const second = await sender.send(buildRequest(receiver.url));

  expect([second.statusCode, second.resends, receiver.connections()]).toEqual([200, 0, 2]);
});

describe('the status decides at once, and the rest is read beside', () => {
  it.each<[string, string, string | undefined]>([
    ['a body that never ends', '\r\nhalf', undefined],
    ['a body that drips', '\r\n', 'x'],
    ['chunks that drip', 'Transfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'],
    ['headers that never end', 'X-A: 1\r\n', undefined],
    ['headers that drip', '', 'X-Drip: 1\r\n'],
    ['trailers that drip', 'Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n', 'X-Drip: 1\r\n'],
  ])('with %s (waits for 2 s)', async (_what, rest, drip) => {
    const closed: Promise<void>[] = [];
    const receiver = await testbed.raw((socket: Socket) => {
      closed.push(new Promise((resolve) => void socket.once('close', () => resolve())));
      socket.write(`HTTP/1.1 503 Busy\r\n${rest}`);
      const timer = setInterval(() => void (drip && socket.write(drip)), 100);
      socket.on('close', () => clearInterval(timer));
    });
    const sender = testbed.sender({ timeoutMs: 30_000 });
    let isRead = false;

    const { statusCode, reading } = await sender.sendForStatus(buildRequest(receiver.url));
    const reads = reading!.ended.then(() => (isRead = true));

    expect([statusCode, isRead]).toEqual([503, false]);
    await reads;
    expect(reading!.soFar().warning).toMatch(/^The (body|headers) of the answer did not end within 2 s\.$/);
    await Promise.all(closed);
  });

  it('headers without an end stop at 16 KiB', async () => {
    const receiver = await testbed.raw((socket) => {
      socket.write(OK);
      const pump = () => {
        while (!socket.destroyed && socket.write(`X-${Math.random()}: ${'y'.repeat(100)}\r\n`)) continue;
      };
      socket.on('drain', pump);
      pump();
    });

    const result = await testbed.send(receiver.url);

    expect(result).toMatchObject({ succeeded: true, statusCode: 200, warning: expect.stringContaining('16 KiB') });
  });
});

describe('a body that is not UTF-8', () => {
  const withBody = (body: Buffer, ...headers: string[]) =>
    answerWith(
      Buffer.concat([Buffer.from(`HTTP/1.1 500 No\r\n${headers.map((it) => `${it}\r\n`).join('')}\r\n`), body]),
    );
  const TEXT = 'The database is away. '.repeat(20);

  it.each([
    ['gzip', gzipSync(TEXT), ['Content-Encoding: gzip']],
    ['gzip', gzipSync(TEXT), []],
    ['br', brotliCompressSync(TEXT), ['content-encoding: br']],
    ['deflate', deflateSync(TEXT), ['Content-Encoding: deflate', 'Content-Type: text/plain; charset=latin1']],
  ])('is said to be compressed (%s)', async (name, body, headers) => {
    expect((await withBody(body, ...headers)).snippet).toBe(
      `[The body is compressed (${name}), which was not asked for.]`,
    );
  });

  it.each([
    ['charset=iso-8859-1', Buffer.from('déjà vu', 'latin1'), 'déjà vu'],
    ['charset="ISO-8859-15"', Buffer.from([0xa4]), '€'],
    ['charset=Shift_JIS', Buffer.from([0x83, 0x65, 0x83, 0x58]), 'テス'],
    ['charset=utf-16le', Buffer.from('größer', 'utf16le'), 'größer'],
    ['charset=utf-8', Buffer.from('größer'), 'größer'],
    ['charset=nonsense', Buffer.from('größer', 'latin1'), 'größer'],
    ['no-charset', Buffer.from('größer', 'latin1'), 'größer'],
    ['no-charset', Buffer.from('größer'), 'größer'],
  ])('is read in its charset (%s)', async (charset, body, text) => {
    expect((await withBody(body, `Content-Type: text/plain; ${charset}`)).snippet).toBe(text);
  });

  it('text with a wrong label stays text', async () => {
    expect((await withBody(Buffer.from('plain'), 'Content-Encoding: gzip')).snippet).toBe('plain');
  });
});
