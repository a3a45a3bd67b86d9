import fc from 'fast-check';
import { useCaller } from '../support/build-caller';
import { UNLIMITED, useStack } from '../support/build-stack';
import { countStored } from '../support/build-api';
import { operations, problemsOf, problemsOfError } from '../support/conformance';
import { buildRawConnection, formatRequest, type RawAnswer, type RawConnection } from '../support/raw-http';
import { words } from '../support/words';

/** Bad inputs of each kind; more than 10,000 together. */
const RUNS = { bytes: 3_000, headers: 2_500, paths: 2_500, bodies: 3_000 };
const WANTED = 10_000;
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const AT_ONCE = 16;

/** Errors for bytes that contain no request: there is no caller with limits yet. */
const NOT_HTTP = new Set(['malformed_request', 'headers_too_large', 'request_timeout', 'host_not_allowed']);
const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';
/** All but the stream of events, whose answer has no end. */
const PATHS = operations
  .filter(({ answers }) => answers[200]?.mediaType === undefined)
  .map(({ path }) => path.replaceAll(/\{\w+\}/g, '1'));

const stack = useStack({ role: 'api', env: UNLIMITED });
const api = useCaller(stack);
const byStatus = new Map<number | 'none', number>();

/** Counts an answer, and throws where it is not what every caller may rely on. */
function judge(answer: RawAnswer | undefined, request?: { method: string; path: string }): void {
  byStatus.set(answer?.status ?? 'none', (byStatus.get(answer?.status ?? 'none') ?? 0) + 1);
  if (!answer) return;
  const problems = answer.status >= 500 ? ['5xx'] : problemsFor(answer, request);
  if (problems.length > 0) throw new Error(`${answer.status}: ${problems.join('; ')}\n${answer.text.slice(0, 1_000)}`);
}

function problemsFor(answer: RawAnswer, request?: { method: string; path: string }): string[] {
  if (request?.method === 'HEAD') {
    // Without a body: after bytes that contain no request the connection is closed, and there are no limits.
    return answer.headers.get('connection') === 'close' ? [] : problemsOf({ ...request, ...answer });
  }
  const isHttp = answer.status < 400 || !NOT_HTTP.has((JSON.parse(answer.text) as { code: string }).code);
  if (request && isHttp) return problemsOf({ ...request, ...answer });
  return answer.status >= 400 ? problemsOfError(answer) : [];
}

/** Sends bytes on a separate connection: after them it is unknown where the next request begins. */
async function sayAlone(bytes: Uint8Array, end: boolean): Promise<RawAnswer[]> {
  const own = buildRawConnection(stack.url);
  try {
    return await own.send({ bytes, ...(end ? { end } : { endAfterMs: 250 }) });
  } finally {
    own.close();
  }
}

/** Tries the inputs that follow from the seed, some at a time: many answers come when the server has waited for more. */
const fuzz = <T>(
  what: string,
  runs: number,
  input: fc.Arbitrary<T>,
  property: (value: T, connection: RawConnection) => Promise<void>,
): void => {
  it(`${runs} times ${what}`, async () => {
    const inputs = fc.sample(input, { numRuns: runs, seed: SEED }).values();
    const lane = async (): Promise<void> => {
      const connection = buildRawConnection(stack.url);
      for (const value of inputs) {
        await property(value, connection).catch((error: unknown) => {
          throw new Error(`${fc.stringify(value)}: ${String(error)}`);
        });
      }
      connection.close();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    expect(inputs.next().done).toBe(true);
  });
};

const authorization = (): Record<string, string> => ({ Authorization: `Bearer ${api.key}` });
/** Mostly what may stand in a header's value on the wire; sometimes any byte but CR and LF. */
const headerValue = fc.oneof(
  { weight: 5, arbitrary: textOf((byte) => byte === 9 || (byte >= 32 && byte !== 127)) },
  { weight: 1, arbitrary: textOf((byte) => byte !== 10 && byte !== 13) },
);
const wire = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('bytes that are not a request', () => {
  const valid = fc.constantFrom(
    formatRequest({
      method: 'GET',
      path: ENDPOINTS,
      headers: { Authorization: `Bearer svc_live_weh_${'0'.repeat(32)}` },
    }),
    formatRequest({
      method: 'POST',
      path: EVENTS,
      headers: { 'Content-Type': 'application/json', 'Content-Length': '22' },
      body: '{"type":"a","data":{}}',
    }),
    formatRequest({
      method: 'POST',
      path: EVENTS,
      headers: { 'Transfer-Encoding': 'chunked' },
      body: '5\r\nhello\r\n0\r\n\r\n',
    }),
  );
  /** A request with some bytes of its head changed. */
  const broken = fc
    .tuple(
      valid,
      fc.array(fc.record({ at: fc.nat(120), byte: fc.integer({ min: 0, max: 255 }) }), { minLength: 1, maxLength: 6 }),
    )
    .map(([bytes, changes]) => {
      const copy = Buffer.from(bytes);
      for (const { at, byte } of changes) copy[at % copy.length] = byte;
      return copy;
    });
  const cut = fc
    .tuple(valid, fc.nat(200))
    .map(([bytes, length]) => Buffer.from(bytes).subarray(0, length % bytes.length));
  const rubbish = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 300 }),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }).map((text) => Buffer.from(`${text}\r\n\r\n`)),
    fc
      .constantFrom(
        'GET / HTTP/9.9\r\n\r\n',
        'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
        'GET /\r\n\r\n',
        'HTTP/1.1 200 OK\r\n\r\n',
        '\u0016\u0003\u0001\u0002\u0000',
      )
      .map(wire),
  );

  fuzz('rubbish, changed and cut requests', RUNS.bytes, fc.oneof(rubbish, broken, cut), async (bytes) => {
    // What is whole gets its answer; of the rest the server has to learn that no more comes.
    const answers = await sayAlone(bytes, !Buffer.from(bytes).includes('\r\n\r\n'));
    if (answers.length === 0) judge(undefined);
    for (const answer of answers) judge(answer);
  });
});

describe('odd headers', () => {
  const name = fc.constantFrom(
    ...words(
      'Accept Connection Content-Encoding Content-Length Content-Type Cookie Expect Host If-Match Range TE Transfer-Encoding Upgrade X-Forwarded-For X-HTTP-Method-Override __proto__ constructor',
    ),
  );
  const likely = fc.constantFrom(
    'chunked',
    'gzip, chunked',
    'identity',
    'close',
    'keep-alive, upgrade',
    'websocket',
    'h2c',
    '-1',
    '0',
    '5',
    '1e3',
    '99999999999999999999',
    '100-continue',
    'bytes=0-',
    'application/json',
    'application/json;charset=utf-16',
    'text/json',
    '',
  );
  const credentials = fc.oneof(
    headerValue,
    headerValue.map((value) => `Bearer ${value}`),
    fc.constantFrom(
      'Bearer',
      'Bearer  ',
      'Basic Og==',
      `Bearer svc_live_weh_${'f'.repeat(32)}`,
      'x'.repeat(9_000),
      'x'.repeat(17_000),
    ),
  );
  const input = fc.record({
    method: fc.constantFrom('GET', 'POST', 'PUT'),
    path: fc.constantFrom(...PATHS, '/', '/healthz'),
    // Most of them with a valid key, so that the following headers are checked.
    credentials: fc.option(credentials, { freq: 3 }),
    headers: fc.array(fc.tuple(name, fc.oneof(likely, headerValue)), { maxLength: 5 }),
    body: fc.constantFrom('', '{}', '{"type":"a","data":{"x":1}', 'hello'),
    framed: fc.boolean(),
  });

  fuzz('headers', RUNS.headers, input, async ({ method, path, credentials: given, headers, body, framed }) => {
    const lines = [
      `${method} ${path} HTTP/1.1`,
      `Authorization: ${given ?? authorization()['Authorization']}`,
      ...(framed ? ['Host: localhost', `Content-Length: ${body.length}`] : []),
      ...headers.map(([header, value]) => `${header}: ${value}`),
    ];
    for (const answer of await sayAlone(wire(`${lines.join('\r\n')}\r\n\r\n${body}`), false))
      judge(answer, { method, path });
  });
});

describe('odd paths and methods', () => {
  const segment = fc.oneof(
    fc.constantFrom(
      'api',
      'v1',
      'webhooks',
      'endpoints',
      'events',
      'keys',
      'self',
      'docs',
      'openapi.json',
      'healthz',
      '..',
      '.',
      '',
      '%2e%2e',
      '%00',
      '%',
      '%zz',
      '%E0%A4%A',
      '1e3',
      '-1',
      '9007199254740993',
      '*',
      '{event_id}',
      ':event_id',
      '__proto__',
      'null',
    ),
    fc.string({ unit: 'binary', maxLength: 12 }).map(encodeURIComponentSafely),
    fc.string({ unit: fc.integer({ min: 33, max: 255 }).map((byte) => String.fromCharCode(byte)), maxLength: 8 }),
  );
  const path = fc.oneof(
    fc.array(segment, { maxLength: 7 }).map((segments) => `/${segments.join('/')}`),
    fc.tuple(fc.constantFrom(...PATHS), segment).map(([base, last]) => `${base}/${last}`),
    fc
      .tuple(
        fc.constantFrom(ENDPOINTS, `${EVENTS}/1`),
        fc.array(
          fc.tuple(fc.oneof(fc.constantFrom('limit', 'cursor', 'x', '__proto__', 'limit[]'), segment), segment),
          { maxLength: 4 },
        ),
      )
      .map(([base, query]) => `${base}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`),
    segment.map((rest) => `http://${rest}`),
  );
  const method = fc.constantFrom(
    ...words('GET GET GET POST PUT PATCH DELETE HEAD OPTIONS TRACE PROPFIND PURGE QUERY SEARCH LOCK'),
  );

  fuzz('paths', RUNS.paths, fc.tuple(method, path), async ([verb, target], connection) => {
    const bytes = wire(
      `${verb} ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization()['Authorization']}\r\n\r\n`,
    );
    const [answer] = await connection.send({ bytes, isHead: verb === 'HEAD' });
    judge(answer, { method: verb, path: target.replace(/^http:\/\/[^/]*/, '') });
  });
});

describe('bad bodies', () => {
  const anything = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.bigInt().map(String),
    fc.constantFrom('', ' ', '\u0000', '\ud800', 'a..b', '*', 'x'.repeat(300)),
  );
  /** Near to what is right, with one thing or more that is wrong. */
  const member = fc.constantFrom(
    'type',
    'data',
    'idempotency_key',
    'url',
    'events',
    'description',
    'Type',
    '__proto__',
    'constructor',
    'id',
    '',
  );
  const near = fc
    .array(fc.tuple(member, anything), { maxLength: 5 })
    .map(
      (members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`,
    );
  const right = fc.constantFrom(
    '{"type":"a","data":{}}',
    '{"url":"https://example.com/"}',
    '{"type":"a.b","data":{"x":[1,2,{"y":null}]},"idempotency_key":"k"}',
  );
  const spoilt = fc
    .tuple(
      right,
      fc.nat(80),
      fc.constantFrom('', '"', '{', '}', ',', '\\', '\u0000', '\ufeff', '[', '1', 'e', '\\ud800', '/*', ' '),
    )
    .map(([text, at, piece]) => text.slice(0, at % text.length) + piece + text.slice((at % text.length) + 1));
  const deep = fc
    .tuple(fc.constantFrom('[', '{"a":'), fc.nat(2_000))
    .map(([open, depth]) => `{"type":"a","data":${open.repeat(depth)}`);
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.oneof(near, spoilt, deep, fc.json()).map((text) => Buffer.from(text)),
  );
  const mutated = fc
    .tuple(bytes, fc.option(fc.tuple(fc.nat(100), fc.integer({ min: 128, max: 255 })), { freq: 4 }))
    .map(([body, change]) => {
      const copy = Buffer.from(body);
      if (change && copy.length > 0) copy[change[0] % copy.length] = change[1];
      return copy;
    });
  const input = fc.record({ path: fc.constantFrom(EVENTS, ENDPOINTS), body: mutated, chunked: fc.boolean() });

  fuzz('bodies', RUNS.bodies, input, async ({ path, body, chunked }, connection) => {
    const framing: Record<string, string> = chunked
      ? { 'Transfer-Encoding': 'chunked' }
      : { 'Content-Length': String(body.length) };
    const chunks =
      body.length === 0
        ? '0\r\n\r\n'
        : Buffer.concat([wire(`${body.length.toString(16)}\r\n`), body, wire('\r\n0\r\n\r\n')]);
    const headers = { ...authorization(), 'Content-Type': 'application/json', ...framing };
    const [answer] = await connection.send({
      bytes: formatRequest({ method: 'POST', path, headers, body: chunked ? chunks : body }),
    });
    judge(answer, { method: 'POST', path });
  });
});

it('in total: no 5xx, less than 1 % of 429, nothing stored but accepted events, and the API still works', async () => {
  const rows = [...byStatus].toSorted(([a], [b]) => String(a).localeCompare(String(b)));
  const count = (matches: (status: number) => boolean): number =>
    rows.reduce((sum, [status, times]) => sum + (status !== 'none' && matches(status) ? times : 0), 0);
  const refused = count((status) => status >= 400);
  process.stderr.write(
    `fuzz (seed ${SEED}): ${refused} bad inputs refused; ${rows.map(([status, times]) => `${status}: ${times}`).join(', ')}\n`,
  );
  expect(refused).toBeGreaterThanOrEqual(WANTED);
  expect(count((status) => status >= 500)).toBe(0);
  expect(count((status) => status === 429)).toBeLessThan(refused / 100);
  const stored = await countStored(stack.mongo);
  expect(stored['endpoints']).toBe(byStatus.get(201) ?? 0);
  expect(stored['events']).toBe(byStatus.get(202) ?? 0);
  expect((await api.get(ENDPOINTS)).status).toBe(200);
});

/** Text of such bytes, as latin1. */
function textOf(isAllowed: (byte: number) => boolean): fc.Arbitrary<string> {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte).filter(isAllowed);
  return fc.string({ unit: fc.constantFrom(...bytes).map((byte) => String.fromCharCode(byte)), maxLength: 60 });
}

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, ''));
}
