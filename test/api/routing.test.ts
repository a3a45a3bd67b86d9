import { apiClient, expectError } from '../support/api-client';
import { useCaller } from '../support/build-caller';
import { useStack } from '../support/build-stack';
import { openApi, operations } from '../support/conformance';
import { buildRawConnection, formatRequest } from '../support/raw-http';
import { words } from '../support/words';

const stack = useStack({ role: 'api' });
const api = useCaller(stack);

describe('unknown paths', () => {
  it.each(
    words(
      '/api /api/v1 /api/v1/ /api/v2/webhooks/endpoints /api/v1/webhooks /api/v1/webhooks/events/1/x /favicon.ico /% /%00 //',
    ),
  )('404 for %s, with any method', async (path) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, body, headers } = await api.call(method, path);
      expect([status, body.code]).toEqual([404, 'not_found']);
      expect(headers.has('Allow')).toBe(false);
    }
  });

  it('404 names the addresses of the documentation', async () => {
    const { error } = (await api.get('/nothing')).body;
    const named = String(error).match(/\/[a-z]+(\.[a-z]+)?/g);
    expect(named).toEqual(['/docs', '/openapi.json']);
    for (const path of named!) expect((await fetch(`${stack.url}${path}`)).status).toBe(200);
  });

  it('every answer has its own request id', async () => {
    const answers = await Promise.all(
      ['/nothing', '/healthz', '/openapi.json', '/api/v1/keys/self'].map((path) => api.get(path)),
    );
    const ids = answers.map(({ headers }) => headers.get('X-Request-Id'));
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-z]{26}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('wrong methods', () => {
  it.each([...new Set(operations.map(({ path }) => path))])('405 with Allow on %s', async (template) => {
    const documented = Object.keys(openApi.paths[template]!).map((method) => method.toUpperCase());
    const allowed = [...documented, ...(documented.includes('GET') ? ['HEAD'] : [])].sort();
    const path = template.replaceAll(/\{\w+\}/g, '1');
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      if (allowed.includes(method)) continue;
      const { status, body, headers } = await api.call(method, path);
      expect([status, body.code]).toEqual([405, 'method_not_allowed']);
      expect(headers.get('Allow')).toBe(allowed.join(', '));
      for (const name of allowed) expect(body.error).toContain(name);
    }
  });

  it('HEAD answers like GET without a body', async () => {
    const [head, get] = [
      await api.call('HEAD', '/api/v1/webhooks/endpoints'),
      await api.get('/api/v1/webhooks/endpoints'),
    ];
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers.get('Content-Length')).toBe(get.headers.get('Content-Length'));
    expect((await api.call('HEAD', '/api/v1/webhooks/events/0')).status).toBe(404);
  });
});

describe('improper requests that Node accepts', () => {
  const send = async (request: Parameters<typeof formatRequest>[0]) => {
    const connection = buildRawConnection(stack.url);
    const [answer] = await connection.send({ bytes: formatRequest(request) });
    return {
      status: answer!.status,
      headers: answer!.headers,
      body: JSON.parse(answer!.text) as { code: string; request_id: string },
    };
  };

  it.each([
    ['a malformed absolute URL', 'http://[::1/x'],
    ['an invalid port', 'http://localhost:port/x'],
    ['another scheme without a path', 'foo://bar'],
    ['an asterisk', '*'],
  ])('4xx for %s', async (_what, path) => {
    const { status, body } = await send({ method: 'GET', path });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(body).toMatchObject({ error: expect.any(String), request_id: expect.any(String) });
  });

  const LIMITS = words('x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset x-quota-used x-quota-limit');
  const unknownKey = { Authorization: `Bearer ${'x'.repeat(20)}` };
  it.each<[what: string, status: number, request: string | Parameters<typeof formatRequest>[0]]>([
    ['rubbish', 400, 'rubbish\r\n\r\n'],
    [
      'headers that are too large',
      431,
      { method: 'GET', path: '/api/v1/keys/self', headers: { 'X-Long': 'x'.repeat(20_000) } },
    ],
    ['CONNECT', 400, { method: 'CONNECT', path: 'example.com:443' }],
    [
      'two keys',
      400,
      `GET /api/v1/keys/self HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`,
    ],
    ['no Host', 401, 'GET /api/v1/keys/self HTTP/1.1\r\n\r\n'],
    ['two hosts at the estimator', 400, 'GET /api/cost-estimator HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
    [
      'malformed chunks',
      400,
      {
        method: 'POST',
        path: '/api/v1/keys/self',
        headers: { ...unknownKey, 'Transfer-Encoding': 'chunked' },
        body: 'hello',
      },
    ],
  ])('has the limits of the address on the answer to %s', async (_what, status, request) => {
    const bytes = typeof request === 'string' ? request : formatRequest(request);
    const [answer] = await buildRawConnection(stack.url).send({ bytes, endAfterMs: 250 });

    expect(answer!.status).toBe(status);
    const found = LIMITS.map((name) => answer!.headers.get(name));
    expect(found).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d+$/),
      expect.stringMatching(/^\d+$/),
      '0',
      expect.stringMatching(/^(0|unlimited)$/),
    ]);
    expect(Number(found[2])).toBeGreaterThan(Date.now() / 1_000 - 1);
  });

  it('accepts the absolute form of a URL', async () => {
    const headers = { Authorization: `Bearer ${api.key}` };
    const { status } = await send({ method: 'GET', path: 'http://anything.example/api/v1/keys/self', headers });
    expect(status).toBe(200);
  });

  it.each(['/api/v1/keys/self', '/docs', '/openapi.json', '/guides'])('400 without a Host: %s', async (path) => {
    const connection = buildRawConnection(stack.url);
    const [answer] = await connection.send({
      bytes: `GET ${path} HTTP/1.1\r\nAuthorization: Bearer ${api.key}\r\n\r\n`,
    });
    expect([answer!.status, JSON.parse(answer!.text).code]).toEqual([400, 'malformed_request']);
  });

  it.each([
    ['Host', 'Host: other.example'],
    ['Authorization', 'Authorization: Bearer other'],
    ['Content-Type', 'Content-Type: application/json\r\nContent-Type: text/plain'],
    ['X-Api-Key', 'X-Api-Key: one\r\nX-Api-Key: one'],
  ])('400 for two headers of %s', async (name, second) => {
    const connection = buildRawConnection(stack.url);
    const [answer] = await connection.send({
      bytes: `GET /api/v1/keys/self HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${api.key}\r\n${second}\r\n\r\n`,
    });
    const { error, code } = JSON.parse(answer!.text) as { error: string; code: string };
    expect([answer!.status, code, error]).toEqual([
      400,
      'malformed_request',
      `Send the "${name.toLowerCase()}" header once.`,
    ]);
  });

  it('an unknown expectation is ignored', async () => {
    const { status } = await send({
      method: 'GET',
      path: '/api/v1/keys/self',
      headers: { Authorization: `Bearer ${api.key}`, Expect: 'miracles' },
    });
    expect(status).toBe(200);
  });

  it.each([
    ['an address that is not ASCII', 'GET /ключ HTTP/1.1', 'malformed_request', /percent-encode/],
    ['an unknown method', 'FOO / HTTP/1.1', 'malformed_request', /method of the request is unknown/],
    ['a body that ends early', 'POST / HTTP/1.1\r\nContent-Length: 100', 'incomplete_body', /before it was complete/],
  ])('400 for %s says what is wrong', async (_, head, code, reason) => {
    const connection = buildRawConnection(stack.url);
    const [answer] = await connection.send({ bytes: `${head}\r\nHost: localhost\r\n\r\n{`, endAfterMs: 250 });
    expect([answer!.status, JSON.parse(answer!.text).code]).toEqual([400, code]);
    expect(JSON.parse(answer!.text).error).toMatch(reason);
  });

  it('400 for a GET with a body, which would be ignored', async () => {
    const headers = { Authorization: `Bearer ${api.key}`, 'Content-Length': '12' };
    const answer = await send({ method: 'GET', path: '/api/v1/webhooks/events', headers, body: '{"type":"a"}' });
    expectError(answer, 400, 'unexpected_body');
  });

  it('405 for a GET of a batch, with a slash at the end too', async () => {
    for (const path of ['/api/v1/webhooks/events/batch', '/api/v1/webhooks/events/batch/']) {
      const { status, headers } = await api.get(path);
      expect([status, headers.get('Allow')]).toEqual([405, 'POST']);
    }
  });

  it.each(['/healthz', '/readyz', '/openapi.json'])('405 for a DELETE of %s', async (path) => {
    const answer = await send({ method: 'DELETE', path });
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  });

  it('431 for headers of more than 8 KiB', async () => {
    expectError(
      await send({ method: 'GET', path: '/', headers: { 'X-Long': 'x'.repeat(8_200) } }),
      431,
      'headers_too_large',
    );
  });

  it.each(['/', '/healthz', '/api/v1/keys/self'])(
    '400 for malformed chunks on %s, instead of the answer that was about to be sent',
    async (path) => {
      const headers = { Authorization: `Bearer ${api.key}`, 'Transfer-Encoding': 'chunked' };
      const bytes = formatRequest({ method: 'GET', path, headers, body: 'hello' });
      const [answer] = await buildRawConnection(stack.url).send({ bytes, endAfterMs: 250 });
      expect([answer!.status, JSON.parse(answer!.text).code]).toEqual([400, 'malformed_request']);
      expect(answer!.headers.get('content-length')).toBe(String(Buffer.byteLength(answer!.text)));
      expect(answer!.headers.has('location')).toBe(false);
    },
  );

  it("garbage after a good request doesn't spoil its answer", async () => {
    const connection = buildRawConnection(stack.url);
    const body = '{"type":"a","data":{}}';
    const good = formatRequest({
      method: 'POST',
      path: '/api/v1/webhooks/events',
      headers: {
        Authorization: `Bearer ${api.key}`,
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
      },
      body,
    });
    const answers = await connection.send({
      bytes: Buffer.concat([good, Buffer.from('rubbish\r\n\r\n')]),
      untilClose: true,
    });
    expect(answers[0]!.status).toBe(202);
    for (const { status } of answers.slice(1)) expect(status).toBe(400);
  });
});

describe('health', () => {
  it('/healthz and /readyz need no key and are not cached', async () => {
    const stranger = apiClient(stack.url);
    const health = await stranger.get('/healthz');
    expect([health.status, health.body]).toEqual([200, { status: 'ok' }]);
    expect(health.headers.get('Cache-Control')).toBe('no-store');
    const ready = await stranger.get('/readyz');
    expect([ready.status, ready.body]).toEqual([200, { status: 'ok', mongodb: 'up', temporal: 'up' }]);
  });

  it("/metrics is not on the API's port, and names neither accounts nor keys", async () => {
    expect((await api.get('/metrics')).status).toBe(404);
    const text = await (await fetch(stack.role.metricsUrl!)).text();
    expect(text).toMatch(
      /^http_server_request_duration_seconds_count\{method="GET",route="\/api\/v1\/keys\/self",status_code="200"\} \d+$/m,
    );
    for (const secret of [api.key, api.key.slice(-8), 'acc_', 'key_']) expect(text).not.toContain(secret);
  });
});

describe('documentation', () => {
  it('/openapi.json is the document that the tests check answers against', async () => {
    const { status, body, headers } = await apiClient(stack.url).get('/openapi.json');
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toMatch(/^application\/json/);
    expect(body).toEqual(JSON.parse(JSON.stringify(openApi)));
    expect(body.openapi).toBe('3.1.0');
  });

  it('/openapi.json is sent once to a client that keeps it', async () => {
    const url = `${stack.url}/openapi.json`;
    const tag = (await fetch(url)).headers.get('ETag')!;
    const again = await fetch(url, { headers: { 'If-None-Match': tag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('/openapi.json is at most 400 KB, and 50 KB compressed', async () => {
    const loaded = async (encoding: string) => {
      const request = { method: 'HEAD', headers: { 'Accept-Encoding': encoding } };
      const { status, headers } = await fetch(`${stack.url}/openapi.json`, request);
      expect([status, headers.get('Vary')]).toEqual([200, 'Accept-Encoding']);
      return [headers.get('Content-Encoding'), Number(headers.get('Content-Length'))] as const;
    };
    const [plain, bytes] = await loaded('identity');
    expect([plain, bytes > 100_000, bytes <= 400_000]).toEqual([null, true, true]);
    const [encoding, compressedBytes] = await loaded('br, gzip');
    expect([encoding, compressedBytes > 1_000, compressedBytes <= 50_000]).toEqual(['gzip', true, true]);
  });

  it.each(['/docs/nothing', '/docs/..%2fpackage.json', '/docs/../../package.json', '/docs/package.json'])(
    '404 for %s',
    async (path) => {
      expect((await api.get(path)).status).toBe(404);
    },
  );
});
