import { apiClient } from '../support/api-client';
import { buildLoggedRole } from '../support/build-api';
import { useFixture } from '../support/fixture';
import { useStack } from '../support/build-stack';

const stack = useStack({ role: 'api' });
const useApiWith = (changes: { production: boolean; trustedProxies?: string[] }) =>
  useFixture(
    'test',
    () => {
      const { trustedProxies = [] } = changes;
      const limits = { ...stack.config.limits, trustedProxies };
      return buildLoggedRole({ ...stack.config, production: changes.production, limits }, 'api');
    },
    (api) => api.close(),
  );

const FORWARDED = { 'X-Forwarded-For': '198.51.100.7' };

/** As a client behind a proxy does, with no key. */
async function ask(url: string, headers: Record<string, string>): Promise<void> {
  expect((await apiClient(url).call('GET', '/api/v1/keys/self', undefined, headers)).status).toBe(401);
}

const said = (log: string): number => log.split('that is not in TRUSTED_PROXIES').length - 1;

describe('in production', () => {
  const api = useApiWith({ production: true });

  it("a proxy that TRUSTED_PROXIES doesn't name is logged once and is a warning in /readyz, which stays ready", async () => {
    await ask(api.url, {});
    expect((await apiClient(api.url).get('/readyz')).body).not.toHaveProperty('warnings');

    for (let count = 0; count < 3; count += 1) await ask(api.url, FORWARDED);

    const ready = await apiClient(api.url).get('/readyz');
    expect([ready.status, ready.body.status]).toEqual([200, 'ok']);
    expect(ready.body.warnings).toEqual([expect.stringContaining('TRUSTED_PROXIES')]);
    expect(ready.text).not.toContain('127.0.0.1');
    expect(said(api.log())).toBe(1);
    expect(api.log()).toContain('"peer":"127.0.0.1"');
  });
});

describe('in production, behind a trusted proxy', () => {
  const api = useApiWith({ production: true, trustedProxies: ['127.0.0.0/8'] });

  it('logs no warning', async () => {
    await ask(api.url, FORWARDED);

    expect((await apiClient(api.url).get('/readyz')).body).not.toHaveProperty('warnings');
    expect(said(api.log())).toBe(0);
  });
});

describe('in development', () => {
  const api = useApiWith({ production: false });

  it('the log has the warning, and /readyz does not', async () => {
    await ask(api.url, { Forwarded: 'for=198.51.100.7' });

    expect((await apiClient(api.url).get('/readyz')).body).not.toHaveProperty('warnings');
    expect(said(api.log())).toBe(1);
  });
});
