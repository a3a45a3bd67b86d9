import type { HttpContext } from '../../src/http/request-state';
import { createPortalAccess, createPortalLimiter } from '../../src/portal/portal-middleware';
import { newToken, openToken, sealToken } from '../../src/portal/portal-secrets';
import type { LivePortalSession } from '../../src/portal/portal-session-store';

it('lets a session call 600 times a minute, and again in the next minute', async () => {
  let now = 1_700_000_000_000;
  const live = {
    session: { _id: 'pse_1', role: 'viewer', subject: null, ends_at: new Date(now + 3_600_000) },
    account: { _id: 'acc_1', endpoints_version: 0 },
    now: new Date(now),
  };
  const access = createPortalAccess({
    portalSessions: { use: async () => live as unknown as LivePortalSession },
    portalCalls: createPortalLimiter(() => now),
    clientAddress: () => '192.0.2.1',
  });
  const headers: Record<string, string> = {};
  const ctx = {
    state: { identify: () => undefined },
    set: (fields: Record<string, string>) => Object.assign(headers, fields),
  } as unknown as HttpContext;
  const token = newToken();
  for (let calls = 0; calls < 600; calls += 1) await access(ctx, token);

  expect(headers['X-RateLimit-Remaining']).toBe('0');
  await expect(access(ctx, token)).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 60 });
  now += 60_000;
  await access(ctx, token);
  expect(headers['X-RateLimit-Remaining']).toBe('599');
});

it('opens the token with its own code alone, and in the place of its own session alone', () => {
  const token = newToken();
  const sealed = sealToken(token, 'the code', 'pse_1');
  expect(openToken(sealed, 'the code', 'pse_1')).toBe(token);
  expect(() => openToken(sealed, 'another code', 'pse_1')).toThrow('no');
  expect(() => openToken(sealed, 'the code', 'pse_2')).toThrow('auth');
  expect(JSON.stringify(sealed)).not.toContain(token);
});
