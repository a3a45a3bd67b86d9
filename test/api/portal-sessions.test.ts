import { PORTAL_ROLE_NAMES, PORTAL_ROLES, type PortalRole } from '../../src/domain/portal-roles';
import { apiClient, expectError, type ApiAnswer } from '../support/api-client';
import { buildLoggedRole } from '../support/build-api';
import { buildPortalSession } from '../support/build-portal-session';
import { UNLIMITED, useStack } from '../support/build-stack';
import { operations } from '../support/conformance';
import { eventually } from '../support/eventually';

const LISTED = 'https://app.example.com';
const FOREIGN = 'https://evil.example';
const EVENTS = '/api/v1/webhooks/events';
const ENDPOINTS = '/api/v1/webhooks/endpoints';

const stack = useStack({
  role: 'api',
  env: { ...UNLIMITED, PORTAL_ORIGINS: `${LISTED},http://localhost:3000`, PUBLIC_URL: 'https://hooks.example.com' },
});

const sessions = () => stack.mongo.db.collection<{ _id: string }>('portal_sessions');

/** Calls the portal's own routes, which no document describes. */
const portal = (token?: string) => apiClient(stack.url, token, { conformance: false });
const swap = (code: unknown): Promise<ApiAnswer> => portal().post('/portal/api/session', { code });

let made = 0;

/** An account of a platform, and a way to open its portal. */
async function buildCustomer() {
  const { key, keyId } = await stack.managementKey();
  const platform = apiClient(stack.url, key);
  const externalId = `cus_${(made += 1)}`;
  const { body: account } = await platform.put(`/api/v1/accounts/${externalId}`, { name: 'Acme' });
  return {
    account: account as { id: string },
    externalId,
    keyId,
    platform,
    acting: { 'Everpost-Account': externalId },
    open: (body: object = { role: 'manager' }, named = externalId) =>
      platform.post(`/api/v1/accounts/${named}/portal-sessions`, body),
  };
}

const codeOf = ({ body }: ApiAnswer): string => new URL(body.url as string).hash.slice(1);

it('opens the portal with a code that is swapped, again and again, for the token of the answer', async () => {
  const { open } = await buildCustomer();
  const opened = await open({ role: 'manager', subject: 'user_42', expires_in_s: 600, page: '/find?rows=deliveries' });

  expect(opened.status).toBe(201);
  expect(opened.body.url).toMatch(/^https:\/\/hooks\.example\.com\/portal#[\w-]{43}$/);
  expect(opened.body.token).toMatch(/^svc_portal_[\w-]{43}$/);
  expect(opened.headers.get('Cache-Control')).toBe('no-store');
  const [first, second] = [await swap(codeOf(opened)), await swap(codeOf(opened))];
  const expected = { token: opened.body.token, expires_at: opened.body.expires_at, page: '/find?rows=deliveries' };
  expect([first.status, first.body, second.body]).toEqual([200, expected, expected]);
  const me = await portal(opened.body.token as string).get('/portal/api/me');
  expect(me.body).toMatchObject({ role: 'manager', subject: 'user_42', account: { name: 'Acme' } });
  expect(Date.parse(me.body.expires_at) - Date.now()).toBeLessThan(600_000);
});

it('keeps neither the token nor the code, and names who opened it in the log of the account', async () => {
  const { open, account, keyId } = await buildCustomer();
  const opened = await open({ role: 'viewer', subject: 'user_7' });
  const stored = await sessions().findOne({ account_id: account.id });

  expect(stored).toMatchObject({ role: 'viewer', subject: 'user_7' });
  const text = JSON.stringify(stored);
  expect(text).not.toContain(codeOf(opened));
  expect(text).not.toContain((opened.body.token as string).slice('svc_portal_'.length));
  const entry = await stack.mongo.db
    .collection('audit_log')
    .findOne({ action: 'portal.session_created', object: stored!._id });
  expect(entry).toMatchObject({
    account_id: account.id,
    actor: { type: 'management_key', id: keyId },
    detail: 'viewer, user_7',
  });
});

it('refuses a late, an unknown and a malformed code, all in the same words', async () => {
  const { open, account } = await buildCustomer();
  const opened = await open();
  await sessions().updateOne({ account_id: account.id }, [{ $set: { code_ends_at: '$$NOW' } }]);
  const answers = [await swap(codeOf(opened)), await swap('x'.repeat(43)), await swap('short'), await swap('')];

  for (const answer of answers) expectError(answer, 401, 'invalid_portal_code');
  expect(new Set(answers.map(({ body }) => body.error)).size).toBe(1);
  expect((await portal(opened.body.token as string).get('/portal/api/me')).status).toBe(200);
});

it.each([
  [{ role: 'owner' }, 'body.role'],
  [{}, 'body.role'],
  [{ role: 'viewer', expires_in_s: 59 }, 'body.expires_in_s'],
  [{ role: 'viewer', expires_in_s: 86_401 }, 'body.expires_in_s'],
  [{ role: 'viewer', page: '//evil.example' }, 'body.page'],
  [{ role: 'viewer', page: '/endpoints/../../dashboard' }, 'body.page'],
  [{ role: 'viewer', page: '/settings' }, 'body.page'],
  [{ role: 'viewer', subject: 'two\nlines' }, 'body.subject'],
  [{ role: 'viewer', more: 1 }, 'body.more'],
])('refuses %j', async (body, path) => {
  const { open } = await buildCustomer();
  const answer = await open(body);
  expectError(answer, 400, 'invalid_request');
  expect(answer.body.details[0].path.replace(/^body\.?/, '')).toBe(path.replace(/^body\.?/, ''));
});

/** Every operation under `/api/v1/webhooks`, with a valid request; the objects that it names don't exist. */
const REQUESTS = operations
  .filter(({ path }) => path.startsWith('/api/v1/'))
  .map(({ id, method, path, params, body, bodyExample, scopes = [], keyOnly }) => ({
    ...{ id, scopes, keyOnly },
    isOpen: path.startsWith('/api/v1/webhooks'),
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params![name]!.schema.meta()!['example'])),
    body: body ? bodyExample : undefined,
  }));

it.each(PORTAL_ROLE_NAMES)('a %s may call exactly what its scopes allow', async (role: PortalRole) => {
  const { account } = await buildCustomer();
  const { token } = await buildPortalSession(stack.mongo, account.id, { role });
  const refusals: Record<string, string | undefined> = {};
  for (const { id, method, path, body } of REQUESTS) {
    const { status, body: answer } = await apiClient(stack.url, token, { conformance: false }).call(method, path, body);
    refusals[id] = status === 401 || status === 403 ? answer.code : undefined;
  }
  const held: readonly string[] = PORTAL_ROLES[role];
  const expected = REQUESTS.map(({ id, scopes, keyOnly, isOpen }) => {
    if (!isOpen || keyOnly) return [id, 'portal_not_allowed'];
    return [id, scopes.every((scope) => held.includes(scope)) ? undefined : 'missing_scope'];
  });
  expect(refusals).toEqual(Object.fromEntries(expected));
  expect(Object.values(refusals).filter((code) => code === undefined).length).toBeGreaterThan(8);
});

it("sees and changes its own account alone, and is the actor in the account's log", async () => {
  const [mine, other] = [await buildCustomer(), await buildCustomer()];
  const url = 'https://example.com/hook';
  const { body: foreign } = await other.platform.post(ENDPOINTS, { url }, other.acting);
  const { token } = await buildPortalSession(stack.mongo, mine.account.id, { subject: 'user_42' });
  const session = apiClient(stack.url, token);

  const own = await session.post(ENDPOINTS, { url });
  expect(own.status).toBe(201);
  expectError(await session.get(`${ENDPOINTS}/${foreign.id}`), 404, 'endpoint_not_found');
  expect((await session.get(ENDPOINTS)).body.endpoints.map(({ id }: { id: string }) => id)).toEqual([own.body.id]);
  const entry = await stack.mongo.db.collection('audit_log').findOne({ object: own.body.id });
  expect(entry).toMatchObject({ actor: { type: 'portal', id: 'user_42', name: 'user_42' } });
  // The header of management keys names no other account for it.
  expect((await session.get(ENDPOINTS, other.acting)).body.endpoints).toHaveLength(1);
});

it('ends a session: 401 after its end and with its account, 403 while the account is suspended', async () => {
  const { account, externalId, platform, open } = await buildCustomer();
  const { token, id } = await buildPortalSession(stack.mongo, account.id);
  const session = apiClient(stack.url, token);
  expect((await session.get(EVENTS)).status).toBe(200);

  await platform.put(`/api/v1/accounts/${externalId}`, { status: 'suspended' });
  expectError(await session.get(EVENTS), 403, 'account_suspended');
  expectError(await portal(token).get('/portal/api/me'), 403, 'account_suspended');
  expectError(await open(), 403, 'account_suspended');
  await platform.put(`/api/v1/accounts/${externalId}`, { status: 'active' });
  expect((await session.get(EVENTS)).status).toBe(200);

  await sessions().updateOne({ _id: id }, [{ $set: { ends_at: '$$NOW' } }]);
  expectError(await session.get(EVENTS), 401, 'portal_session_ended');
  const other = await buildPortalSession(stack.mongo, account.id);
  await stack.mongo.db.collection<{ _id: string }>('accounts').deleteOne({ _id: account.id });
  expectError(await apiClient(stack.url, other.token).get(EVENTS), 401, 'portal_session_ended');
  expectError(await swap(other.code), 401, 'invalid_portal_code');
  expectError(await open(), 404, 'account_not_found');
  for (const wrong of ['svc_portal_', `svc_portal_${'x'.repeat(43)}`, 'svc_portal_short']) {
    expectError(await apiClient(stack.url, wrong).get(EVENTS), 401, 'portal_session_ended');
  }
  expectError(await portal().get('/portal/api/me'), 401, 'portal_session_ended');
});

it('uses up no quota, and has a limit of its own for each session', async () => {
  const { account, platform, acting } = await buildCustomer();
  const used = async () => Number((await platform.get(EVENTS, acting)).headers.get('X-Quota-Used'));
  const before = await used();
  const { token } = await buildPortalSession(stack.mongo, account.id);
  const remaining: string[] = [];
  for (let calls = 0; calls < 3; calls += 1) {
    const { headers } = await apiClient(stack.url, token).get(EVENTS);
    remaining.push(headers.get('X-RateLimit-Remaining')!);
    expect([headers.get('X-RateLimit-Limit'), headers.get('X-Quota-Limit')]).toEqual(['600', 'unlimited']);
  }
  const other = await buildPortalSession(stack.mongo, account.id);
  const { headers } = await portal(other.token).get('/portal/api/me');

  expect(remaining).toEqual(['599', '598', '597']);
  expect(headers.get('X-RateLimit-Remaining')).toBe('599');
  expect(await used()).toBe(before + 1);
});

describe('CORS', () => {
  const ask = (method: string, path: string, headers: Record<string, string>) =>
    fetch(`${stack.url}${path}`, { method, headers });
  const preflight = (origin: string, path = EVENTS) =>
    ask('OPTIONS', path, { Origin: origin, 'Access-Control-Request-Method': 'GET' });

  it.each([EVENTS, '/portal/api/me'])('lets listed origins in at %s, and tells others nothing', async (path) => {
    const { account } = await buildCustomer();
    const { token } = await buildPortalSession(stack.mongo, account.id);
    const own = await preflight(LISTED, path);
    expect(own.status).toBe(204);
    expect(own.headers.get('Access-Control-Allow-Origin')).toBe(LISTED);
    expect(own.headers.get('Access-Control-Allow-Headers')).toContain('Authorization');
    expect(own.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    const read = await ask('GET', path, { Origin: LISTED, Authorization: `Bearer ${token}` });
    expect(read.status).toBe(200);
    expect(read.headers.get('Access-Control-Allow-Origin')).toBe(LISTED);
    expect(read.headers.get('Access-Control-Expose-Headers')).toContain('X-Request-Id');
    expect(read.headers.get('Vary')).toContain('Origin');

    for (const origin of [FOREIGN, `${LISTED}:444`, `${LISTED}.evil.example`, 'http://app.example.com', 'null']) {
      const other = await preflight(origin, path);
      expect(other.status).not.toBe(204);
      expect(other.headers.get('Access-Control-Allow-Origin')).toBeNull();
      const answer = await ask('GET', path, { Origin: origin, Authorization: `Bearer ${token}` });
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBeNull();
      expect(answer.headers.get('Vary')).toContain('Origin');
    }
  });

  it('lets a listed origin read refusals, and call nothing but webhooks', async () => {
    const refused = await ask('GET', EVENTS, { Origin: LISTED });
    expect([refused.status, refused.headers.get('Access-Control-Allow-Origin')]).toEqual([401, LISTED]);
    for (const path of ['/api/v1/accounts', '/api/v1/keys/self', '/dashboard/api/me', '/portal']) {
      expect((await preflight(LISTED, path)).headers.get('Access-Control-Allow-Origin')).toBeNull();
    }
  });
});

it('may be framed by listed origins alone, and the dashboard by nobody', async () => {
  const headersOf = async (path: string) => (await fetch(`${stack.url}${path}`)).headers;
  const page = await headersOf('/portal/endpoints');
  const policy = page.get('Content-Security-Policy')!;
  expect(policy).toContain(`frame-ancestors ${LISTED} http://localhost:3000`);
  expect(policy).toContain("script-src 'self'");
  expect(page.get('Cross-Origin-Opener-Policy')).toBeNull();
  expect(page.get('Cross-Origin-Resource-Policy')).toBeNull();
  expect(page.get('X-Frame-Options')).toBeNull();
  expect(page.get('Referrer-Policy')).toBe('no-referrer');
  expect(page.get('Set-Cookie')).toBeNull();
  expect((await headersOf('/dashboard')).get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
});

it('writes no token and no code into its log', async () => {
  const logged = await buildLoggedRole(stack.config, 'api');
  const { account } = await buildCustomer();
  const { token, code, id } = await buildPortalSession(stack.mongo, account.id);
  const session = apiClient(logged.url, token, { conformance: false });
  await session.post('/portal/api/session', { code });
  await session.get(EVENTS);
  await session.get('/portal/api/me');
  await session.get('/portal/api/nowhere');
  await session.post(EVENTS, { type: 'a', data: {} });
  await eventually(
    async () => logged.log(),
    (text) => text.includes('portal_not_allowed') && text.includes(id),
  );
  const text = logged.log();
  await logged.close();
  expect(text).not.toContain(token.slice('svc_portal_'.length));
  expect(text).not.toContain(code);
});

it('counts failures by address, so that nobody can try codes without end', async () => {
  const few = await buildLoggedRole(
    { ...stack.config, limits: { ...stack.config.limits, authFailuresPerMinute: 3 } },
    'api',
  );
  const client = apiClient(few.url, undefined, { conformance: false });
  const statuses: number[] = [];
  for (let tried = 0; tried < 5; tried += 1) {
    statuses.push((await client.post('/portal/api/session', { code: 'x'.repeat(43) })).status);
  }
  const { account } = await buildCustomer();
  const { token, code } = await buildPortalSession(stack.mongo, account.id);
  const right = await client.post('/portal/api/session', { code });
  const used = await apiClient(few.url, token, { conformance: false }).get(EVENTS);
  await few.close();
  expect(statuses).toEqual([401, 401, 401, 429, 429]);
  expect([right.status, used.status]).toEqual([200, 200]);
});
