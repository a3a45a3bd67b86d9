import { gzipSync } from 'node:zlib';
import { problemsOf } from '../support/conformance';
import { expectError } from '../support/api-client';
import { countStored } from '../support/build-api';
import { useCaller } from '../support/build-caller';
import { useStack } from '../support/build-stack';
import { buildRawConnection, formatRequest, type RawAnswer } from '../support/raw-http';

const MAX_BODY_BYTES = 256 * 1024;

const stack = useStack({ role: 'api' });
const api = useCaller(stack);

/** Sends bytes that fetch would not, and holds the answer against the contract. */
async function raw(
  path: string,
  headers: Record<string, string>,
  body: string | Uint8Array,
  end = false,
): Promise<RawAnswer> {
  const connection = buildRawConnection(stack.url);
  try {
    const bytes = formatRequest({
      method: 'POST',
      path,
      headers: { Authorization: `Bearer ${api.key}`, ...headers },
      body,
    });
    const [answer] = await connection.send({ bytes, end });
    if (!answer) throw new Error('no answer');
    expect(problemsOf({ method: 'POST', path, ...answer })).toEqual([]);
    return answer;
  } finally {
    connection.close();
  }
}

const arrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** A valid body, and where a value of any JSON may stand in it. */
const OPERATIONS = [
  {
    path: '/api/v1/webhooks/endpoints',
    member: 'url',
    accepted: 201,
    body: (more = '') => `{"url":"https://example.com/hook"${more}}`,
    padded: (bytes: number) => `${'{"url":"https://example.com/hook"'.padEnd(bytes - 1)}}`,
  },
  {
    path: '/api/v1/webhooks/events',
    member: 'data',
    accepted: 202,
    body: (more = '') => `{"type":"order.created","data":{}${more}}`,
    padded: (bytes: number) => `${'{"type":"order.created","data":{"x":"'.padEnd(bytes - 3, 'x')}"}}`,
  },
] as const;

describe.each(OPERATIONS)('POST $path', ({ path, member, accepted, body, padded }) => {
  let before: Record<string, number>;
  /** A body with these bytes in a string. */
  const withBytes = (...bytes: number[]): Buffer =>
    Buffer.concat([Buffer.from(body(',"x":"').slice(0, -1)), Buffer.from(bytes), Buffer.from('"}')]);

  beforeEach(async () => {
    before = await countStored(stack.mongo);
  });

  const expectNothingStored = async (): Promise<void> => {
    expect(await countStored(stack.mongo)).toEqual(before);
  };

  it.each<[what: string, body: string | Uint8Array, code: string]>([
    ['nothing', '', 'invalid_json'],
    ['white space', ' \n\t', 'invalid_json'],
    ['half an object', body().slice(0, -1), 'invalid_json'],
    ['a raw NUL', `${body()}\0`, 'invalid_json'],
    ['a byte order mark', `\ufeff${body()}`, 'invalid_json'],
    ['gzip without Content-Encoding', gzipSync(body()), 'invalid_utf8'],
    ['UTF-16', Buffer.from(`\ufeff${body()}`, 'utf16le'), 'invalid_utf8'],
    ['a stray continuation byte', withBytes(0x80), 'invalid_utf8'],
    ['an array', `[${body()}]`, 'invalid_request'],
    ['a string', '"x"', 'invalid_request'],
    ['null', 'null', 'invalid_request'],
    ['257 levels', body(`,"x":${arrays(256)}`), 'nested_too_deeply'],
    ['very many levels', body(`,"x":${arrays(100_000)}`), 'nested_too_deeply'],
    ['a member twice', body(`,"${member}":{}`), 'duplicate_member'],
    [
      'a member twice, escaped',
      body(`,"\\u00${member.charCodeAt(0).toString(16)}${member.slice(1)}":{}`),
      'duplicate_member',
    ],
    ['an unknown member twice', body(',"x":1,"x":2'), 'duplicate_member'],
    ['__proto__ twice', body(',"__proto__":1,"__proto__":2'), 'duplicate_member'],
  ])('400 for %s', async (_what, sent, code) => {
    const answer = await api.post(path, sent);
    expectError(answer, 400, code);
    await expectNothingStored();
  });

  it.each(['idempotencyKey', 'Data', 'URL', '__proto__', ' '])('400 names the unknown field "%s"', async (name) => {
    const answer = await api.post(path, body(`,${JSON.stringify(name)}:{"a":1}`));
    expectError(answer, 400, {
      code: 'invalid_request',
      details: [{ path: name, message: 'is not a known field' }],
    });
    await expectNothingStored();
  });

  it.each([
    ['{\n  "type": "a",\n  "data": {},\n}', 'unexpected "}" (U+007D) at line 4, column 1.'],
    // What some editors write at the start of a file, and what word processors write for quotes.
    ['\uFEFF{"type":"a","data":{}}', 'unexpected "\uFEFF" (U+FEFF) at line 1, column 1.'],
    ['{"type":"a","data":{"x":1', 'it ends too early.'],
  ])('400 says where the JSON is broken: %j', async (sent, where) => {
    expectError(await api.post(path, sent), 400, {
      code: 'invalid_json',
      error: `The body is not valid JSON: ${where}`,
    });
  });

  it('400 for a field without a name', async () => {
    const details = [{ path: '', message: 'has a field without a name' }];
    expectError(await api.post(path, body(',"":1')), 400, { error: 'The body has a field without a name.', details });
  });

  it('400 names every problem at once', async () => {
    const answer = await api.post(path, '{"one":1,"two":2}');
    expect(answer.status).toBe(400);
    const paths = answer.body.details.map((detail: { path: string }) => detail.path);
    expect(paths).toEqual(expect.arrayContaining(['one', 'two', member]));
    await expectNothingStored();
  });

  it('400 when a body is missing, with or without a Content-Type', async () => {
    for (const headers of [{ 'Content-Length': '0' }, {}, { 'Content-Type': 'application/json' }] as Record<
      string,
      string
    >[]) {
      const answer = await raw(path, headers, '');
      expect([answer.status, JSON.parse(answer.text).code]).toEqual([400, 'invalid_json']);
    }
    await expectNothingStored();
  });

  it('400 when the body ends before its Content-Length', async () => {
    const answer = await raw(path, { 'Content-Type': 'application/json', 'Content-Length': '1000' }, body(), true);
    expect(answer.status).toBe(400);
    await expectNothingStored();
  });

  it('400 for malformed chunks', async () => {
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const answer = await raw(path, headers, `zz\r\n${body()}\r\n0\r\n\r\n`);
    expect(answer.status).toBe(400);
    await expectNothingStored();
  });

  it.each([
    [MAX_BODY_BYTES, accepted],
    [MAX_BODY_BYTES + 1, 413],
    [20 * MAX_BODY_BYTES, 413],
  ])('a body of %i bytes gets %i, with a Content-Length and in chunks', async (bytes, status) => {
    const text = padded(bytes);
    expect(Buffer.byteLength(text)).toBe(bytes);
    // Its own connection: the server closes it when the rest of a refused body is longer than 4 MiB.
    const whole = await raw(path, { 'Content-Type': 'application/json', 'Content-Length': String(bytes) }, text);
    expect(whole.status).toBe(status);
    if (status === 413) expect(JSON.parse(whole.text).code).toBe('payload_too_large');

    const half = Math.floor(bytes / 2);
    const chunks = [text.slice(0, half), text.slice(half)].map(
      (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
    );
    const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
    const chunked = await raw(path, headers, `${chunks.join('')}0\r\n\r\n`);
    expect(chunked.status).toBe(status);
    if (status === 413) await expectNothingStored();
  });

  it('413 for a Content-Length that is too large, before the body is sent', async () => {
    const answer = await raw(path, { 'Content-Type': 'application/json', 'Content-Length': '300000' }, '');
    expect(answer.status).toBe(413);
    await expectNothingStored();
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json, text/plain',
    'application/json; charset=utf-16',
    'application/json;charset="ISO-8859-1"',
    '*/*',
  ])('415 for Content-Type %s', async (type) => {
    const answer = await api.post(path, body(), { 'Content-Type': type });
    expectError(answer, 415, 'unsupported_media_type');
    await expectNothingStored();
  });

  it('415 without a Content-Type', async () => {
    const answer = await raw(path, { 'Content-Length': String(body().length) }, body());
    expect(answer.status).toBe(415);
    await expectNothingStored();
  });

  it.each(['gzip', 'gzip, identity', 'x'])('415 for Content-Encoding %s', async (encoding) => {
    const answer = await api.post(path, gzipSync(body()), { 'Content-Encoding': encoding });
    expectError(answer, 415, 'unsupported_media_type');
    await expectNothingStored();
  });

  it.each<[what: string, headers: Record<string, string>]>([
    ['a charset', { 'Content-Type': 'application/json; charset=utf-8' }],
    ['a charset without a space', { 'Content-Type': 'application/json;charset="UTF-8"' }],
    ['capitals', { 'Content-Type': 'Application/JSON' }],
    ['the identity encoding', { 'Content-Encoding': 'identity' }],
  ])(`${accepted} with %s`, async (_what, headers) => {
    expect((await api.post(path, body(), headers)).status).toBe(accepted);
  });

  it(`${accepted} with white space around everything`, async () => {
    const spaced = body()
      .replaceAll(/[{},]|":/g, (mark) => `\r\n\t ${mark} \n`)
      .replaceAll(/\s*":/g, '" :');
    expect((await api.post(path, ` ${spaced} `)).status).toBe(accepted);
  });
});

it('a body may be nested 256 levels deep, and no deeper', async () => {
  const event = (levels: number): string => `{"type":"a","data":{"x":${arrays(levels - 2)}}}`;
  expect((await api.post('/api/v1/webhooks/events', event(256))).status).toBe(202);
  const answer = await api.post('/api/v1/webhooks/events', event(257));
  expectError(answer, 400, 'nested_too_deeply');
});
