import { useStack } from '../support/build-stack';
import { buildRawConnection } from '../support/raw-http';

const secure = useStack({ role: 'api', env: { PUBLIC_URL: 'https://hooks.example.com' } });
const plain = useStack({ role: 'api' });

const PATHS = [
  '/',
  '/docs',
  '/estimator',
  '/healthz',
  '/openapi.json',
  '/api/cost-estimator',
  '/api/v1/webhooks/events',
];

describe.each([...PATHS, '/dashboard/api/session', '/nothing'])('an answer to GET %s', (path) => {
  it('tells browsers to stay with HTTPS if the public address is HTTPS, and only then', async () => {
    const [bySecure, byPlain] = await Promise.all([secure, plain].map(({ url }) => fetch(url + path)));
    expect(bySecure!.headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
    expect(byPlain!.headers.get('Strict-Transport-Security')).toBeNull();
  });

  it('denies the page what it does not need', async () => {
    const { headers } = await fetch(plain.url + path);
    expect(headers.get('Permissions-Policy')).toContain('camera=(), ');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  });
});

describe("answers with customers' data are never stored", () => {
  it.each(['events', 'endpoints', 'deliveries', 'replays', 'health', 'events/1'])('GET %s', async (list) => {
    const { key } = await plain.account();
    const options = { headers: { Authorization: `Bearer ${key}` } };
    const { headers } = await fetch(`${plain.url}/api/v1/webhooks/${list}`, options);
    expect(headers.get('Cache-Control')).toBe('no-store');
  });

  it.each(['/api/v1/keys/self', '/api/v1/usage', '/dashboard/api/session'])('GET %s, refused', async (path) => {
    const { status, headers } = await fetch(plain.url + path);
    expect([status, headers.get('Cache-Control')]).toEqual([401, 'no-store']);
  });
});

describe('an answer to a request that could not be read', () => {
  const CHUNKED = 'POST /api/v1/webhooks/events HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';

  it.each([
    ['bytes that are no HTTP', 'nonsense\r\n\r\n', 400],
    ['too large headers', `GET / HTTP/1.1\r\nHost: a\r\nCookie: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    ['malformed chunks', CHUNKED, 400],
  ])('has the same headers: %s', async (_what, bytes, status) => {
    const connection = buildRawConnection(secure.url);
    const [answer] = await connection.send({ bytes }).finally(() => connection.close());
    expect(answer).toMatchObject({ status });
    const headers = new Headers([...answer!.headers]);
    expect(headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
  });
});
