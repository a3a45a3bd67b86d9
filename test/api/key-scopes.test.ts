import fc from 'fast-check';
import { areOfManagement, SCOPE_NAMES, type Scope } from '../../src/domain/scopes';
import { apiClient, expectError } from '../support/api-client';
import { buildCaller } from '../support/build-caller';
import { buildKey, UNLIMITED, useStack } from '../support/build-stack';
import { operations } from '../support/conformance';

const ENDPOINTS = '/api/v1/webhooks/endpoints';
const EVENTS = '/api/v1/webhooks/events';

const stack = useStack({ role: 'api', env: UNLIMITED });
const limited = useStack({ role: 'api' });

/** Every operation of an account that needs a scope of its keys, with a valid request; the objects that it names don't exist. */
const REQUESTS = operations.flatMap(({ id, method, path, params, body, bodyExample, scopes = [], forInstallation }) =>
  scopes.length === 0 || forInstallation || areOfManagement(scopes)
    ? []
    : {
        id,
        scopes,
        method: method.toUpperCase(),
        path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params![name]!.schema.meta()!['example'])),
        body: body ? bodyExample : undefined,
      },
);

const keys = new Map<string, Promise<string>>();

/** A key with these scopes; the tests share one for each set. */
function keyWith(scopes: readonly Scope[]): Promise<string> {
  const name = scopes.join();
  const made = keys.get(name) ?? stack.account({ scopes }).then(({ key }) => key);
  keys.set(name, made);
  return made;
}

/** What a key is refused for at a request; undefined where it is let in. The answer may be a stream without an end. */
async function refusalOf(
  key: string,
  { method, path, body }: Pick<(typeof REQUESTS)[number], 'method' | 'path' | 'body'>,
): Promise<{ status: number; code: string; error: string } | undefined> {
  const stop = new AbortController();
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${stack.url}${path}`, { method, headers, signal: stop.signal, ...sent });
  const refused = answer.status === 401 || answer.status === 403;
  const said = refused ? ((await answer.json()) as { code: string; error: string }) : undefined;
  stop.abort();
  return said && { status: answer.status, code: said.code, error: said.error };
}

/** Expects a request to be let in, or refused for exactly what the key lacks. */
async function judge(scopes: readonly Scope[], request: (typeof REQUESTS)[number]): Promise<void> {
  const missing = request.scopes.filter((scope) => !scopes.includes(scope));
  const wanted = {
    status: 403,
    code: 'missing_scope',
    error: expect.stringMatching(new RegExp(`^This key lacks the scopes? ${missing.join(' and ')}\\. `)),
  };
  const refusal = await refusalOf(await keyWith(scopes), request);
  expect([request.id, scopes, refusal]).toEqual([request.id, scopes, missing.length > 0 ? wanted : undefined]);
}

it('every operation needs exactly the scopes that it names', async () => {
  expect(REQUESTS.length).toBeGreaterThan(20);
  for (const request of REQUESTS) {
    await judge(request.scopes, request);
    for (const left of request.scopes) {
      const others = SCOPE_NAMES.filter((scope) => scope !== left);
      await judge(others, request);
    }
  }
});

it("a key may call an operation if and only if it has the operation's scopes", async () => {
  const sets = fc.subarray([...SCOPE_NAMES], { minLength: 1 });
  await fc.assert(fc.asyncProperty(sets, fc.constantFrom(...REQUESTS), judge), { numRuns: 100 });
});

it('a key that an earlier build stored without scopes has all of them', async () => {
  const { key, keyId } = await stack.account();
  const stored = await stack.mongo.db.collection<{ _id: string }>('api_keys').findOne({ _id: keyId });
  expect(stored).not.toHaveProperty('scopes');
  expect(stored).not.toHaveProperty('expires_at');

  for (const request of REQUESTS) expect([request.id, await refusalOf(key, request)]).toEqual([request.id, undefined]);
});

it('any key can read itself, whatever its scopes', async () => {
  for (const scope of SCOPE_NAMES) {
    const { key } = await stack.account({ scopes: [scope] });
    expect((await apiClient(stack.url, key).get('/api/v1/keys/self')).body).toMatchObject({ scopes: [scope] });
  }
});

describe('a call without the scope', () => {
  it('counts as one call, also for a batch', async () => {
    const { key } = await limited.account({ tier: 'free', scopes: ['events:read'] });
    const api = apiClient(limited.url, key);
    const left: (string | null)[] = [];
    const note = ({ headers }: { headers: Headers }): number => left.push(headers.get('X-RateLimit-Remaining'));

    note(await api.get(EVENTS));
    const events = [1, 2, 3].map((n) => ({ type: 'order.created', data: { n } }));
    for (const [path, body] of [
      [EVENTS, events[0]],
      [`${EVENTS}/batch`, { events }],
    ] as const) {
      const refused = await api.post(path, body);
      expectError(refused, 403, 'missing_scope');
    }
    note(await api.get(EVENTS));

    expect(left).toEqual(['9', '6']);
  });

  it('answers 429 once the limit is used up', async () => {
    const { key } = await limited.account({ tier: 'free', scopes: ['events:read'] });
    const api = apiClient(limited.url, key);
    for (let count = 0; count < 10; count += 1) expect((await api.post(EVENTS, {})).status).toBe(403);

    expect((await api.post(EVENTS, {})).status).toBe(429);
  });

  it('is refused after its path and method are checked, and before its body is read', async () => {
    const { key } = await stack.account({ scopes: ['events:read'] });
    const api = apiClient(stack.url, key);

    expectError(await api.post(EVENTS, '{'), 403, 'missing_scope');
    expectError(await api.post(`${EVENTS}/batch`, '{'), 403, 'missing_scope');
    expectError(await api.call('PUT', EVENTS), 405, 'method_not_allowed');
    expectError(await api.get('/api/v1/webhooks/nothing'), 404, 'not_found');
  });

  it('changes nothing, and is not in the audit log', async () => {
    const owner = await buildCaller(stack);
    const { id } = await owner.register({ url: 'https://example.com/' });
    const { key } = await buildKey(stack.mongo, owner.accountId, { scopes: ['endpoints:read'] });

    expectError(await apiClient(stack.url, key).delete(`${ENDPOINTS}/${id}`), 403, 'missing_scope');

    expect((await owner.get(`${ENDPOINTS}/${id}`)).status).toBe(200);
    const log = stack.mongo.db.collection('audit_log');
    expect(await log.countDocuments({ account_id: owner.accountId, action: 'endpoint.deleted' })).toBe(0);
  });
});

describe('signing secrets', () => {
  it('whoever registers an endpoint sees its secret; reading an existing one needs secrets:read', async () => {
    const owner = await buildCaller(stack);
    const { id: old } = await owner.register({ url: 'https://example.com/' });
    const weak = apiClient(
      stack.url,
      (await buildKey(stack.mongo, owner.accountId, { scopes: ['endpoints:read', 'endpoints:write'] })).key,
    );

    const created = await weak.post(ENDPOINTS, { url: 'https://example.com/other' });
    expect([created.status, created.body.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
    for (const id of [old, created.body.id]) {
      expectError(await weak.get(`${ENDPOINTS}/${id}/secret`), 403, 'missing_scope');
      for (const step of ['rotate', 'activate']) {
        const refused = await weak.post(`${ENDPOINTS}/${id}/secret/${step}`);
        expectError(refused, 403, 'missing_scope');
        expect(refused.body.error).toContain('lacks the scope secrets:read.');
      }
    }
    for (const path of [ENDPOINTS, `${ENDPOINTS}/${old}`]) expect((await weak.get(path)).text).not.toContain('whsec_');
  });

  it('are shown to a key with the scope; a rotation also needs the scope to change endpoints', async () => {
    const owner = await buildCaller(stack);
    const { id, secret } = await owner.register({ url: 'https://example.com/' });
    const reader = apiClient(
      stack.url,
      (await buildKey(stack.mongo, owner.accountId, { scopes: ['secrets:read'] })).key,
    );

    expect((await reader.get(`${ENDPOINTS}/${id}/secret`)).body.secret).toBe(secret);
    const refused = await reader.post(`${ENDPOINTS}/${id}/secret/rotate`);
    expectError(refused, 403, 'missing_scope');
    expect(refused.body.error).toContain('lacks the scope endpoints:write.');
  });
});
