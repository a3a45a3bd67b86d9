import fc from 'fast-check';
import { loadConfig } from '../../src/config';
import { createHostCheck } from '../../src/platform/allowed-hosts';
import { buildStack, useStack } from '../support/build-stack';
import { buildRawConnection } from '../support/raw-http';

/** Sends a request with any Host: fetch would send its own. */
async function ask(url: string, path: string, host: string): Promise<{ status: number; text: string }> {
  const connection = buildRawConnection(url);
  try {
    const [answer] = await connection.send({
      bytes: `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    });
    return answer!;
  } finally {
    connection.close();
  }
}

/** What a page of another site could read or do, had it led its own name here; and the status for who may ask. */
const PATHS = [
  ['/api/v1/webhooks/endpoints', 401],
  ['/api/cost-estimator', 200],
  ['/', 302],
  ['/dashboard/api/status', 200],
  ['/openapi.json', 200],
  ['/nothing', 404],
] as const;

describe('the host name of another site', () => {
  const stack = useStack({ role: 'api' });

  it.each(PATHS)('%s answers 421', async (path) => {
    for (const host of ['evil.example', 'evil.example:8080', '127.0.0.1.evil.example', 'localhost.evil.example', '']) {
      const { status, text } = await ask(stack.url, path, host);
      expect([host, status, (JSON.parse(text) as { code: string }).code]).toEqual([host, 421, 'host_not_allowed']);
    }
  });

  it.each(PATHS)('addresses and localhost are allowed: %s answers', async (path, expected) => {
    for (const host of [
      '127.0.0.1',
      '127.0.0.1:8080',
      '10.1.2.3',
      '[::1]:8080',
      'localhost',
      'LocalHost:1',
      'a.localhost',
    ]) {
      expect([host, (await ask(stack.url, path, host)).status]).toEqual([host, expected]);
    }
  });

  it('is refused by /metrics', async () => {
    const url = stack.role.metricsUrl!;
    expect((await ask(url, '/metrics', 'evil.example')).status).toBe(421);
    expect((await ask(url, '/metrics', '10.1.2.3:9464')).status).toBe(200);
  });

  it.each(['/healthz', '/readyz'])('%s answers load balancers under any host name', async (path) => {
    expect((await ask(stack.url, path, 'anything.example')).status).toBe(200);
  });
});

describe('ALLOWED_HOSTS', () => {
  const stack = useStack({ role: 'api', env: { ALLOWED_HOSTS: 'Hooks.example.com, .internal.example' } });

  it.each([
    ['hooks.example.com', 200],
    ['HOOKS.example.com:443', 200],
    ['hooks.example.com.', 200],
    ['api.internal.example', 200],
    ['internal.example', 421],
    ['evil-internal.example', 421],
    ['hooks.example.com.evil.example', 421],
    ['127.0.0.1', 200],
  ])('%s gets %i, from the API and from /metrics', async (host, status) => {
    expect((await ask(stack.url, '/api/cost-estimator', host)).status).toBe(status);
    expect((await ask(stack.role.metricsUrl!, '/metrics', host)).status).toBe(status);
  });

  it.each(['https://hooks.example.com', 'hooks.example.com:443', 'hooks.example.com/x', 'a b', '[::1]', '.', 'a..b'])(
    '%s is refused as a value',
    (text) => {
      expect(() => loadConfig({ ALLOWED_HOSTS: text })).toThrow('ALLOWED_HOSTS');
    },
  );

  it('in production, every host name is allowed while it is unset', () => {
    const hostsOf = (env: object) => loadConfig({ NODE_ENV: 'production', ...env }).allowedHosts;
    expect(createHostCheck(hostsOf({}))('anything.example')).toBe(true);
    expect(createHostCheck(hostsOf({ ALLOWED_HOSTS: 'a.example' }))('anything.example')).toBe(false);
  });

  it('* allows every host name', () => {
    expect(createHostCheck(['*'])('anything.example')).toBe(true);
  });

  it('never allows a subdomain of another site', () => {
    const isAllowed = createHostCheck(['hooks.example.com', '.internal.example']);
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), fc.constantFrom('', ':1', ':'), (text, port) => {
        expect(isAllowed(`${text}.evil.test${port}`)).toBe(false);
      }),
    );
  });
});

it('the addresses of an API and of its metrics can be called also if HOST is an IPv6 address', async () => {
  const stack = await buildStack({ role: 'api', env: { HOST: '::1' } });
  try {
    const answers = await Promise.all([fetch(`${stack.url}/healthz`), fetch(stack.role.metricsUrl!)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  } finally {
    await stack.close();
  }
});
